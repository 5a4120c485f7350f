import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listEventSchemas } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import { event, eventAbout, type NewEvent, phi } from '#eventstore/event.ts'
import { type EventSchema, getEventType } from '#eventstore/event-schemas.ts'
import { collectPhiFields } from '#encryption/phi-fields.ts'
import { encryptedStore } from '#encryption/encrypted-store.ts'
import { KeyDestroyed, KeyMissing } from '#encryption/key-store.ts'
import { newEvent, readAllEvents, readStream } from '#tests/support/events.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'
import { createMemoryKeyStore } from '#tests/support/memory-vault.ts'
import { arbitraryFromSchema } from '#tests/support/schema-arbitrary.ts'
import { contract } from './contract.ts'

const schemas = listEventSchemas(modules)
const sealed = collectPhiFields(schemas)
const examples = JSON.parse(readFileSync('tests/golden/patients.json', 'utf8')) as { type: string; data: object }[]
const id = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001'

function opened(known: readonly EventSchema[] = schemas) {
  const raw = createMemoryStore()
  const vault = createMemoryKeyStore()
  return { raw, vault, store: encryptedStore(raw, vault, known) }
}

contract('sealed', async () => ({ store: opened().store, close: async () => undefined }))

const Noted = eventAbout('ownerId')('Noted', {
  ownerId: z.uuid(),
  open: z.string(),
  note: phi(z.unknown()).optional(),
  rows: z.array(z.strictObject({ row: z.number(), reasons: phi(z.array(z.string())) })),
  inner: z.strictObject({ a: phi(z.string().nullable()), b: z.number() }).partial(),
})
const noted = (over: object = {}, eventId?: string) =>
  newEvent('Noted', { ownerId: id, open: 'seen', rows: [], inner: {}, ...over }, eventId ? { id: eventId } : {})

describe('what is stored', () => {
  it('holds nothing of the marked fields, and everything of the others', async () => {
    const { raw, store } = opened([Noted])
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

  it('is the same for the same event, and differs for any other', async () => {
    const { raw, store } = opened([Noted])
    const first = noted({ note: 'x' })
    await store.append('noted-1', 'no-stream', [first])
    expect(await store.append('noted-1', 'no-stream', [first])).toMatchObject({ status: 'already-appended' })
    await store.append('noted-2', 'no-stream', [noted({ note: 'x' })])
    await store.append('noted-3', 'no-stream', [noted({ note: 'y' })])
    const texts = (await readAllEvents(raw)).map(({ data }) => data['$phi'])
    expect(new Set(texts).size).toBe(3)
  })

  it('cannot be moved to another event or stream, nor changed, nor opened with the key of another', async () => {
    const { raw, store, vault } = opened([Noted])
    const fact = noted({ note: 'secret' })
    await store.append('noted-1', 'no-stream', [fact])
    const data = (await readAllEvents(raw))[0]?.data as { $phi: string }
    const other = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0009'
    await vault.getOrCreateMany([other])
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
        expect(look).toThrow(/was not sealed here/)
    }
  })
})

describe('every event of the practice', () => {
  const types = schemas.map((schema) => [getEventType(schema), schema] as const)

  it('that has marked fields says whose they are', () => {
    expect([...sealed.keys()]).toEqual(expect.arrayContaining(['PatientRegistered', 'ImportProgressed']))
    const marked = examples.filter(({ type }) => sealed.has(type))
    expect(marked.length).toBeGreaterThan(10)
    for (const { type, data } of marked) expect(sealed.get(type)?.getSubject(data as never)).toBe(id)
  })

  it.each(types)('%s comes back as it was', async (type, schema) => {
    await fc.assert(
      fc.asyncProperty(fc.array(arbitraryFromSchema(schema), { minLength: 1, maxLength: 4 }), async (facts) => {
        const { store } = opened()
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
  it('leaves nulls, and the open fields', async () => {
    const { store, vault } = opened()
    const events = examples.map(({ type, data }) => newEvent(type, { ...data }))
    await store.append(`patient-${id}`, 'no-stream', events)
    vault.destroy(id)
    const read = (await store.readAll(null, 100)).events
    expect(read).toHaveLength(examples.length)
    expect(read[0]?.data).toMatchObject({ patientId: id, firstName: null, allergies: null, importRow: 2 })
    expect(read[1]?.data).toEqual({
      patientId: id,
      from: { lastName: null, dateOfBirth: null },
      to: { lastName: null, dateOfBirth: null },
    })
    await expect(store.append(`patient-${id}`, 11n, [events[0] as NewEvent])).rejects.toThrow(KeyDestroyed)
  })

  it('is something else than a lost one', async () => {
    const { store, vault } = opened([Noted])
    await store.append('noted-1', 'no-stream', [noted({ note: 'x' })])
    vault.lose(id)
    await expect(store.readAll(null, 10)).rejects.toThrow(KeyMissing)
  })
})

it('reads what was stored before anything was sealed', async () => {
  const { raw, store } = opened()
  await raw.append(
    `patient-${id}`,
    'no-stream',
    examples.map(({ type, data }) => newEvent(type, { ...data })),
  )
  expect((await readAllEvents(store)).map(({ data }) => data)).toEqual(examples.map(({ data }) => data))
})

it('opens only what somebody looks at', async () => {
  const { raw, store } = opened([Noted])
  const fact = noted({ note: 'x' })
  await store.append('noted-1', 'no-stream', [fact])
  const damaged = { ...(await readAllEvents(raw))[0]?.data, $phi: `1:${id}:damaged` }
  await raw.append('noted-2', 'no-stream', [noted(damaged)])
  const { events } = await store.readAll(null, 10)
  expect(events.map(({ type, stream }) => [type, stream])).toEqual([
    ['Noted', 'noted-1'],
    ['Noted', 'noted-2'],
  ])
  expect(events[0]?.data).toEqual(fact.data)
})

it('does not open what is read of its open fields alone', async () => {
  const { raw, store } = opened([Noted])
  await store.append('noted-1', 'no-stream', [noted({ note: 'x' })])
  const damaged = { ...(await readAllEvents(raw))[0]?.data, $phi: `1:${id}:damaged` }
  await raw.append('noted-2', 'no-stream', [noted(damaged)])
  const { data } = (await store.readAll(null, 10)).events[1] as NewEvent
  expect([data['ownerId'], data['open'], data['absent'], 'note' in data, '$phi' in data]).toEqual([
    id,
    'seen',
    undefined,
    true,
    false,
  ])
  for (const name of ['note', 'rows', 'inner']) expect(() => data[name]).toThrow(/was not sealed here/)
})

it('shows the same to whoever got hold of the data before and after it was opened', async () => {
  const { store } = opened([Noted])
  const fact = noted({ note: 'x', inner: { a: 'y', b: 1 } })
  await store.append('noted-1', 'no-stream', [fact])
  const event = (await store.readAll(null, 10)).events[0] as NewEvent
  const before = event.data
  expect(before['inner']).toEqual({ a: 'y', b: 1 })
  for (const data of [before, event.data, { ...before }]) expect(data).toEqual(fact.data)
})

it('asks for no key for readers who need none, and lets them look at nothing', async () => {
  const { vault, store } = opened([Noted])
  await store.append('noted-1', 'no-stream', [noted({ note: 'x' })])
  vault.lose(id)
  const { data } = (await store.readAll(null, 10, ['Noted'], true)).events[0] as NewEvent
  expect([data['ownerId'], data['open']]).toEqual([id, 'seen'])
  expect(() => data['note']).toThrow(/said that they need none/)
})

it('asks for no key of what nobody asked for', async () => {
  const { raw, vault, store } = opened([Noted])
  await store.append('noted-1', 'no-stream', [noted({ note: 'x' })])
  await raw.append('other-1', 'no-stream', [newEvent('Other', { n: 1 })])
  vault.lose(id)
  const { events, scanned: seen } = await store.readAll(null, 10, ['Other'])
  expect([events.map(({ data }) => data), seen]).toEqual([[{ n: 1 }], 2])
  await expect(store.readAll(null, 10, ['Other', 'Noted'])).rejects.toThrow(KeyMissing)
})

it('refuses events that do not say whose they are, and marks that cannot be found again', async () => {
  expect(() => collectPhiFields([event('Loose', { note: phi(z.string()) })])).toThrow(/^Loose has phi/)
  const either = z.union([z.number(), phi(z.string())])
  expect(() => collectPhiFields([eventAbout('ownerId')('Either', { ownerId: z.uuid(), either })])).toThrow(
    /^Either\.either/,
  )
  const { store } = opened([Noted])
  await expect(store.append('noted-1', 'no-stream', [noted({ $phi: 'mine' })])).rejects.toThrow(TypeError)
  await expect(store.append('noted-1', 'no-stream', [noted({ ownerId: null, note: 1 })])).rejects.toThrow(TypeError)
})
