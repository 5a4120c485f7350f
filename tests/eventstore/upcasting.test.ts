import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { modules } from '#main/modules.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { type DomainEvent, event, type EventData, UnsupportedEventVersion, upcaster } from '#eventstore/event.ts'
import { createEventVersions, upcastingStore } from '#eventstore/upcasting.ts'
import { foldAsOf } from '#projections/as-of.ts'
import { verifyProjection } from '#projections/verify/verify.ts'
import { newEvent, readAllEvents, readStream, recordedEvent } from '#tests/support/events.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'
import { newClinic } from '#tests/modules/patients/clinic.ts'
import { newUser } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import {
  earlierModule,
  earlierNotes,
  noteModule,
  NoteEvent,
  notes,
  notesTable,
  noteUpcasters,
  NoteTaken2,
  NoteWritten,
} from './note-fixture.ts'
import { itLong } from '#tests/support/long.ts'

const versions = createEventVersions([NoteEvent], noteUpcasters)
const noteId = randomUUID()

describe('an older event', () => {
  const text = fc.string()
  /** Events that older versions of the app wrote; with null where a key was destroyed. */
  const written: fc.Arbitrary<{ type: string; version: number; data: EventData }> = fc.oneof(
    fc.record({ noteId: fc.uuid(), text: fc.option(text) }).map((data) => ({ type: 'NoteTaken', version: 1, data })),
    fc
      .record({ noteId: fc.uuid(), title: fc.option(text), text: fc.option(text) })
      .map((data) => ({ type: 'NoteTaken', version: 2, data })),
    fc
      .record({
        noteId: fc.uuid(),
        title: fc.option(text),
        lines: fc.option(fc.array(text)),
        visibility: fc.constantFrom('all', 'author'),
        year: fc.integer(),
      })
      .map((data) => ({ type: 'NoteWritten', version: 3, data })),
    fc.record({ noteId: fc.uuid() }).map((data) => ({ type: 'NoteRemoved', version: 1, data })),
  )
  const stored = ({ type, version, data }: { type: string; version: number; data: EventData }): DomainEvent =>
    recordedEvent({ type, data }, { metadata: { schemaVersion: version } })

  it('has the current shape and is about the same note, whatever its content', () => {
    fc.assert(
      fc.property(written, (old) => {
        const today = versions.upcast(stored(old) as never)
        const { type, data, metadata } = today
        expect(NoteEvent.parse({ type, data })).toEqual({ type, data })
        expect(metadata.schemaVersion).toBe(type === 'NoteWritten' ? 3 : 1)
        expect(data['noteId']).toBe(old.data['noteId'])
        expect(versions.upcast(today)).toBe(today)
        if (old.data['text'] === null) expect(data['lines']).toBeNull()
        else if (type === 'NoteWritten' && old.version < 3)
          expect((data['lines'] as string[]).join('\n')).toBe(old.data['text'])
      }),
    )
  })

  it('is read in the current shape from every view of a store, which keeps it as it was', async () => {
    const raw = createMemoryStore()
    const history = [
      newEvent('NoteTaken', { noteId, text: 'a\nb' }, { at: '2019-01-01T00:00:00.000Z' }),
      newEvent('NoteTaken', { noteId, title: 't', text: 'c' }, { schemaVersion: 2 }),
      newEvent('NoteRemoved', { noteId }),
    ]
    await raw.append(`note-${noteId}`, 'no-stream', history)
    const store = upcastingStore(raw, versions)
    const today = [
      ['NoteWritten', 3, { noteId, title: 'a', lines: ['a', 'b'], visibility: 'all', year: 2019 }],
      ['NoteWritten', 3, { noteId, title: 't', lines: ['c'], visibility: 'all', year: 2026 }],
      ['NoteRemoved', 1, { noteId }],
    ]
    const [read, all, before] = [
      await readStream(store, `note-${noteId}`),
      await readAllEvents(store),
      await readAllEvents(raw),
    ]
    for (const events of [read, all]) {
      expect(events.map(({ type, metadata, data }) => [type, metadata.schemaVersion, data])).toEqual(today)
      expect(events.map(({ id, position, revision }) => [id, position, revision])).toEqual(
        before.map(({ id, position, revision }) => [id, position, revision]),
      )
    }
    expect(before.map(({ type, data }) => ({ type, data }))).toEqual(history.map(({ type, data }) => ({ type, data })))
  })

  it('is found by its current type, and by no earlier one', async () => {
    const raw = createMemoryStore()
    const newer = newEvent('NoteWritten', { noteId, pages: [] }, { schemaVersion: 4 })
    const history = [
      newEvent('NoteTaken', { noteId, text: 'a' }),
      newEvent('NoteRemoved', { noteId }),
      newEvent('NoteTaken', { noteId, title: 't', text: 'b' }, { schemaVersion: 2 }),
      newer,
      newEvent('NoteTaken', { noteId }, { schemaVersion: 7 }),
      newEvent('NoteFolded', { noteId }),
    ]
    await raw.append(`note-${noteId}`, 'no-stream', history)
    const newerIds: string[] = []
    const store = upcastingStore(raw, versions, ({ id }) => newerIds.push(id))
    const every = await store.readAll(null, { limit: 10 })
    for (const types of [['NoteWritten'], ['NoteRemoved'], ['NoteTaken'], ['NoteWritten', 'NoteRemoved'], []])
      for (const limit of [1, 3, 10])
        for (let after: string | null = null, more = true; more;) {
          const page = await store.readAll(after, { limit, types })
          const due = (await store.readAll(after, { limit })).events.filter(({ type }) => types.includes(type))
          expect(page.events.map(({ id, type, isNewer }) => [id, type, isNewer])).toEqual(
            due.map(({ id, type, isNewer }) => [id, type, isNewer]),
          )
          more = page.scanned === limit
          after = page.next
        }
    const { events, next, scanned: seen } = await store.readAll(null, { limit: 10, types: ['NoteWritten'] })
    expect(events.map(({ id }) => id)).toEqual([history[0]?.id, history[2]?.id, newer.id])
    expect([next, seen]).toEqual([every.next, 6])
    expect(events.at(-1)?.isNewer).toBe(true)
    expect(newerIds).toContain(newer.id)
  })

  it('that its upcaster cannot convert fails only where its data is accessed', async () => {
    const raw = createMemoryStore()
    await raw.append('note-1', 'no-stream', [newEvent('NoteRemoved', { noteId })])
    const broken = upcaster('NoteRemoved', 1, () => {
      throw new TypeError('no such thing')
    })
    const later = event('NoteRemoved', {}, { version: 2 })
    const { events } = await upcastingStore(raw, createEventVersions([later], [broken])).readAll(null, { limit: 10 })
    expect(events.map(({ type }) => type)).toEqual(['NoteRemoved'])
    expect(() => events[0]?.data).toThrow('no such thing')
  })
})

describe('a chain of upcasters', () => {
  it.each([
    [
      'without its first step',
      [NoteEvent],
      noteUpcasters.slice(1),
      'NoteTaken 2 has no upcaster that leads to it from version 1.',
    ],
    [
      'without its last step',
      [NoteEvent],
      noteUpcasters.slice(0, 1),
      'The upcaster from NoteTaken 1 leads to NoteTaken 2, which does not exist.',
    ],
    ['without any step', [NoteEvent], [], 'NoteWritten 3 has no upcaster that leads to it from version 2.'],
    ['with two ways', [NoteEvent], [...noteUpcasters, ...noteUpcasters], 'There are two upcasters from NoteTaken 1.'],
    [
      'that continues after the current version',
      [NoteTaken2],
      noteUpcasters,
      'NoteTaken 2 is the current version, but has an upcaster.',
    ],
  ])('%s is refused at the start', async (_, declared, upcasters, why) => {
    expect(() => createEventVersions(declared, upcasters)).toThrow(why)
    const broken = { ...noteModule, events: declared, upcasters }
    await expect(startTestApp({ modules: [broken] })).rejects.toThrow(`The event declarations are inconsistent: ${why}`)
  })
})

describe('instances before and after an upgrade', () => {
  let database: TestDatabase
  const running: TestApp[] = []
  const context: CommandContext = {
    practiceId: null,
    actor: { kind: 'process', name: 'test' },
    correlationId: randomUUID(),
  }
  beforeEach(async () => (database = await createTestDatabase()))
  afterEach(async () => {
    for (const app of running.splice(0)) await app.stopInstance()
    await database.drop()
  })
  const start = async (module: typeof noteModule) => {
    const app = await startTestApp({ databaseUrl: database.url, modules: [...modules, module] })
    running.push(app)
    return app
  }
  const write = { noteId, text: 'Blue eyes\nand a beard' }

  itLong('the new one reads events of the old one and writes its own version', async () => {
    const before = await start(earlierModule)
    await before.services.bus.execute(earlierNotes, noteId, write, context)
    await running.pop()?.stopInstance()

    const { services } = await start(noteModule)
    expect((await services.bus.load(notes, noteId)).state).toEqual(['Blue eyes'])
    const row = { note_id: noteId, title: 'Blue eyes', lines: 2 }
    expect((await services.pool.query('select * from read.notes')).rows).toEqual([row])
    const then = await foldAsOf(services.store, notesTable, `note-${noteId}`, { at: new Date().toISOString() })
    expect([...then.values()]).toEqual([row])
    expect(await verifyProjection(services, notesTable, {})).toMatchObject({ rows: 1, differences: 0 })

    await services.bus.execute(notes, noteId, { noteId, text: 'Green' }, context)
    const { rows } = await services.pool.query(
      `select type, metadata::jsonb -> 'schemaVersion' as version from es.events where stream = $1 order by revision`,
      [`note-${noteId}`],
    )
    expect(rows).toEqual([
      { type: 'NoteTaken', version: 1 },
      { type: 'NoteWritten', version: 3 },
    ])
  })

  itLong('the old one stops at events it cannot read and reports them; everything else continues', async () => {
    const after = await start({ ...noteModule, projections: [] })
    await after.services.bus.execute(notes, noteId, write, context)
    await running.pop()?.stopInstance()
    // A newer version under the same type: version 3 of a note that the old instance knows in version 1.
    const sameName = event('NoteTaken', NoteWritten.shape.data.shape, { version: 2 })
    const raw = await start({
      name: 'notes',
      events: [sameName],
      upcasters: [upcaster('NoteTaken', 1, (data) => data)],
    })
    const other = randomUUID()
    const data = { noteId: other, title: 'x', lines: [], visibility: 'all', year: 2026 }
    await raw.services.store.append(`note-${other}`, 'no-stream', [newEvent('NoteTaken', data, { schemaVersion: 2 })])
    await running.pop()?.stopInstance()

    const before = await start(earlierModule)
    const { bus, pool } = before.services
    for (const id of [noteId, other])
      await expect(bus.execute(earlierNotes, id, write, context)).rejects.toBeInstanceOf(UnsupportedEventVersion)
    expect(await before.checkServices()).toEqual({ database: true, eventStore: false, jobs: true, mail: 'outbox' })
    const states = (await before.projectionRunner.getStates()).map(({ name, state }) => [name, state])
    expect(Object.fromEntries(states)).toMatchObject({ notes: 'failed', users: 'running', patients: 'running' })
    const { rows } = await pool.query(`select error from read.checkpoints where name = 'notes'`)
    expect(rows).toEqual([{ error: 'NoteTaken: UnsupportedEventVersion version 2' }])
    expect((await newUser(before)).user.role).toBe('staff')
  })
  itLong('over HTTP, records with unreadable events are refused and everything else works', async () => {
    const app = await startTestApp({ databaseUrl: database.url })
    running.push(app)
    const clinic = await newClinic(app)
    const [one, other] = [await clinic.add({}), await clinic.add({ firstName: 'Bo' })]
    const revision = BigInt(one.revision)
    await app.services.store.append(`patient-${one.id}`, revision, [newEvent('PatientMovedAway', {})])
    const refused = await clinic.client.patch(`/api/patients/${one.id}`, { notes: 'x' })
    expect([refused.status, refused.problem.code, refused.headers.get('retry-after')]).toEqual([
      503,
      'store-unavailable',
      '5',
    ])
    expect((await clinic.client.patch(`/api/patients/${other.id}`, { notes: 'x' })).status).toBe(200)
    expect((await clinic.client.get('/api/patients')).body).toHaveLength(2)
    expect((await app.checkServices()).eventStore).toBe(false)
  })
})
