import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listEventSchemas } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import { event, eventAbout, type NewEvent, phi } from '#eventstore/event.ts'
import { type EventSchema, getEventType } from '#eventstore/event-schemas.ts'
import { collectPhiFields } from '#encryption/phi-fields.ts'
import { encryptedStore, metadataOnlyStore, redactedStore } from '#encryption/encrypted-store.ts'
import { KeyDestroyed, KeyMissing } from '#encryption/key-store.ts'
import { newEvent, readAllEvents, readStream } from '#tests/support/events.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'
import { createMemoryKeyStore } from '#tests/support/memory-key-store.ts'
import { arbitraryFromSchema } from '#tests/support/schema-arbitrary.ts'
import { contract } from '#tests/eventstore/contract.ts'

const schemas = listEventSchemas(modules)
const phiFields = collectPhiFields(schemas)
const examples = JSON.parse(readFileSync('tests/golden/patients.json', 'utf8')) as { type: string; data: object }[]
const id = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001'

function createStores(known: readonly EventSchema[] = schemas) {
  const raw = createMemoryStore()
  const keyStore = createMemoryKeyStore()
  return { raw, keyStore, store: encryptedStore(raw, keyStore, known) }
}

contract('encrypted', async () => ({ store: createStores().store, close: async () => undefined }))

const Noted = eventAbout('ownerId')('Noted', {
  ownerId: z.uuid(),
  open: z.string(),
  note: phi(z.unknown()).optional(),
  rows: z.array(z.strictObject({ row: z.number(), reasons: phi(z.array(z.string())) })),
  inner: z.strictObject({ a: phi(z.string().nullable()), b: z.number() }).partial(),
})
const noted = (over: object = {}, eventId?: string) =>
  newEvent('Noted', { ownerId: id, open: 'seen', rows: [], inner: {}, ...over }, eventId ? { id: eventId } : {})

describe('stored events', () => {
  it('contain no PHI field and all other fields', async () => {
    const { raw, store } = createStores([Noted])
    const rows = [
      { row: 2, reasons: ['Quixotic'] },
      { row: 3, reasons: [] },
    ]
    const fact = noted({ note: { deep: ['Quixotic', null] }, rows, inner: { a: null, b: 4 } })
    await store.append('noted-1', 'no-stream', [fact])
    const [stored] = await readAllEvents(raw)
    expect(stored?.data).toEqual({
      ownerId: id,
      open: 'seen',
      note: null,
      rows: [
        { row: 2, reasons: null },
        { row: 3, reasons: null },
      ],
      inner: { a: null, b: 4 },
      $phi: expect.stringMatching(new RegExp(`^1:${id}:[A-Za-z0-9+/]+=*$`)),
    })
    expect(JSON.stringify(stored?.data)).not.toMatch(/Quixotic/)
    const [read] = await readStream(store, 'noted-1')
    expect({ ...read }).toMatchObject({ id: fact.id, type: 'Noted', stream: 'noted-1', revision: 0n })
    expect(JSON.stringify(read?.data)).toBe(JSON.stringify(fact.data))
  })

  it('are equal for the same event and differ for any other', async () => {
    const { raw, store } = createStores([Noted])
    const first = noted({ note: 'x' })
    await store.append('noted-1', 'no-stream', [first])
    expect(await store.append('noted-1', 'no-stream', [first])).toMatchObject({ status: 'already-appended' })
    await store.append('noted-2', 'no-stream', [noted({ note: 'x' })])
    await store.append('noted-3', 'no-stream', [noted({ note: 'y' })])
    const texts = (await readAllEvents(raw)).map(({ data }) => data['$phi'])
    expect(new Set(texts).size).toBe(3)
  })

  it('cannot be moved to another event or stream, changed, or decrypted with another key', async () => {
    const { raw, store, keyStore } = createStores([Noted])
    const fact = noted({ note: 'secret' })
    await store.append('noted-1', 'no-stream', [fact])
    const data = (await readAllEvents(raw))[0]?.data as { $phi: string }
    const other = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0009'
    await keyStore.getOrCreateMany([other])
    const forged: [string, NewEvent][] = [
      ['noted-5', { ...fact, data, id: crypto.randomUUID() }],
      ['noted-6', { ...fact, data, type: 'Other', id: crypto.randomUUID() }],
      ['noted-7', { ...fact, data: { ...data, $phi: data.$phi.replace(id, other) }, id: crypto.randomUUID() }],
      ['noted-8', { ...fact, data: { ...data, $phi: data.$phi.slice(0, 44) }, id: crypto.randomUUID() }],
    ]
    for (const [stream, event] of forged) {
      await raw.append(stream, 'no-stream', [event])
      const [read] = await readStream(store, stream)
      expect(read?.data['open']).toBe('seen')
      for (const look of [() => read?.data['note'], () => ({ ...read?.data }), () => JSON.stringify(read?.data)])
        expect(look).toThrow(/does not belong to it/)
    }
  })
})

describe('every declared event', () => {
  const types = schemas.map((schema) => [getEventType(schema), schema] as const)

  it('that has PHI fields has a subject', () => {
    expect([...phiFields.keys()]).toEqual(expect.arrayContaining(['PatientRegistered', 'ImportProgressed']))
    const marked = examples.filter(({ type }) => phiFields.has(type))
    expect(marked.length).toBeGreaterThan(10)
    for (const { type, data } of marked) expect(phiFields.get(type)?.getSubject(data as never)).toBe(id)
  })

  it.each(types)('%s is decrypted to what was written', async (type, schema) => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryFromSchema(schema), { minLength: 1, maxLength: 4 }), async (facts) => {
        const { store } = createStores()
        const events = (facts as { data: NewEvent['data'] }[]).map(({ data }) => newEvent(type, data))
        await store.append('any-1', 'no-stream', events)
        const read = await readStream(store, 'any-1')
        expect(read.map(({ data }) => JSON.stringify(data))).toEqual(events.map(({ data }) => JSON.stringify(data)))
      }),
      { numRuns: 25 },
    )
  })
})

describe('a destroyed key', () => {
  it('leaves nulls and the plain fields', async () => {
    const { store, keyStore } = createStores()
    const events = examples.map(({ type, data }) => newEvent(type, { ...data }))
    await store.append(`patient-${id}`, 'no-stream', events)
    keyStore.destroy(id)
    const read = (await store.readAll(null, { limit: 100 })).events
    expect(read).toHaveLength(examples.length)
    expect(read[0]?.data).toMatchObject({ patientId: id, firstName: null, allergies: null, importRow: 2 })
    expect(read[1]?.data).toEqual({
      patientId: id,
      from: { lastName: null, dateOfBirth: null },
      to: { lastName: null, dateOfBirth: null },
    })
    await expect(store.append(`patient-${id}`, 11n, [events[0] as NewEvent])).rejects.toThrow(KeyDestroyed)
  })

  it('differs from a lost key', async () => {
    const { store, keyStore } = createStores([Noted])
    await store.append('noted-1', 'no-stream', [noted({ note: 'x' })])
    keyStore.lose(id)
    await expect(store.readAll(null, { limit: 10 })).rejects.toThrow(KeyMissing)
  })
})

it('reads events that were stored before encryption', async () => {
  const { raw, store } = createStores()
  await raw.append(
    `patient-${id}`,
    'no-stream',
    examples.map(({ type, data }) => newEvent(type, { ...data })),
  )
  expect((await readAllEvents(store)).map(({ data }) => data)).toEqual(examples.map(({ data }) => data))
})

it('decrypts only accessed events', async () => {
  const { raw, store } = createStores([Noted])
  const fact = noted({ note: 'x' })
  await store.append('noted-1', 'no-stream', [fact])
  const damaged = { ...(await readAllEvents(raw))[0]?.data, $phi: `1:${id}:damaged` }
  await raw.append('noted-2', 'no-stream', [noted(damaged)])
  const { events } = await store.readAll(null, { limit: 10 })
  expect(events.map(({ type, stream }) => [type, stream])).toEqual([
    ['Noted', 'noted-1'],
    ['Noted', 'noted-2'],
  ])
  expect(events[0]?.data).toEqual(fact.data)
})

it('does not decrypt an event for access to plain fields', async () => {
  const { raw, store } = createStores([Noted])
  const encrypted = { note: 'x', rows: [{ row: 1, reasons: ['y'] }], inner: { a: 'z', b: 1 } }
  await store.append('noted-1', 'no-stream', [noted(encrypted)])
  const damaged = { ...(await readAllEvents(raw))[0]?.data, $phi: `1:${id}:damaged` }
  await raw.append('noted-2', 'no-stream', [noted(damaged)])
  const { data } = (await store.readAll(null, { limit: 10 })).events[1] as NewEvent
  expect([data['ownerId'], data['open'], data['absent'], 'note' in data, '$phi' in data]).toEqual([
    id,
    'seen',
    undefined,
    true,
    false,
  ])
  for (const name of ['note', 'rows', 'inner']) expect(() => data[name]).toThrow(/does not belong to it/)
})

it('shows the same data to readers that got it before and after decryption', async () => {
  const { store } = createStores([Noted])
  const fact = noted({ note: 'x', inner: { a: 'y', b: 1 } })
  await store.append('noted-1', 'no-stream', [fact])
  const event = (await store.readAll(null, { limit: 10 })).events[0] as NewEvent
  const before = event.data
  expect(before['inner']).toEqual({ a: 'y', b: 1 })
  for (const data of [before, event.data, { ...before }]) expect(data).toEqual(fact.data)
})

it('loads no key for metadata-only readers, and denies them encrypted fields', async () => {
  const { raw, keyStore, store } = createStores([Noted])
  await store.append('noted-1', 'no-stream', [noted({ note: 'x' })])
  keyStore.lose(id)
  const metadataOnly = metadataOnlyStore(raw)
  const [read] = (await metadataOnly.readAll(null, { limit: 10, types: ['Noted'] })).events
  const [inStream] = await readStream(metadataOnly, 'noted-1')
  for (const event of [read, inStream]) {
    expect([event?.data['ownerId'], event?.data['open']]).toEqual([id, 'seen'])
    expect(() => event?.data['note']).toThrow(TypeError)
  }
})

it('shows readers without keys null in place of encrypted fields', async () => {
  const { raw, keyStore, store } = createStores([Noted])
  const event = noted({ note: 'x' })
  await store.append('noted-1', 'no-stream', [event])
  keyStore.lose(id)
  expect((await readAllEvents(redactedStore(raw))).map(({ data }) => data)).toEqual([{ ...event.data, note: null }])
})

it('offers read-only views to readers without keys', async () => {
  const { raw } = createStores([Noted])
  for (const view of [metadataOnlyStore(raw), redactedStore(raw)]) {
    await expect(view.append('noted-1', 'no-stream', [noted()])).rejects.toThrow(TypeError)
    expect(view.appendTogether).toBeUndefined()
  }
  expect(await raw.head()).toBe(null)
})

it('loads the keys of a page of events with one call', async () => {
  const { raw, keyStore, store } = createStores([Noted])
  const owners = Array.from({ length: 600 }, () => crypto.randomUUID())
  await store.append(
    'noted-1',
    'no-stream',
    owners.map((ownerId) => noted({ ownerId, note: ownerId })),
  )
  const calls: number[] = []
  const counting = encryptedStore(
    raw,
    { ...keyStore, getMany: (subjects) => (calls.push(subjects.length), keyStore.getMany(subjects)) },
    [Noted],
  )
  expect((await readStream(counting, 'noted-1')).map(({ data }) => data['note'])).toEqual(owners)
  expect(calls).toEqual([500, 100])
  calls.length = 0
  expect((await counting.readAll(null, { limit: 600 })).events.map(({ data }) => data['note'])).toEqual(owners)
  expect(calls).toEqual([600])
})

it('loads no key for events of other types', async () => {
  const { raw, keyStore, store } = createStores([Noted])
  await store.append('noted-1', 'no-stream', [noted({ note: 'x' })])
  await raw.append('other-1', 'no-stream', [newEvent('Other', { n: 1 })])
  keyStore.lose(id)
  const { events, scanned: seen } = await store.readAll(null, { limit: 10, types: ['Other'] })
  expect([events.map(({ data }) => data), seen]).toEqual([[{ n: 1 }], 2])
  await expect(store.readAll(null, { limit: 10, types: ['Other', 'Noted'] })).rejects.toThrow(KeyMissing)
})

it('refuses PHI fields without a subject, and marks that cannot be merged back', async () => {
  expect(() => collectPhiFields([event('Loose', { note: phi(z.string()) })])).toThrow(/^Loose has phi/)
  const either = z.union([z.number(), phi(z.string())])
  expect(() => collectPhiFields([eventAbout('ownerId')('Either', { ownerId: z.uuid(), either })])).toThrow(
    /^Either\.either/,
  )
  const { store } = createStores([Noted])
  await expect(store.append('noted-1', 'no-stream', [noted({ $phi: 'mine' })])).rejects.toThrow(TypeError)
  await expect(store.append('noted-1', 'no-stream', [noted({ ownerId: null, note: 1 })])).rejects.toThrow(TypeError)
})
