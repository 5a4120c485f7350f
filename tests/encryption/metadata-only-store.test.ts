import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { listEventSchemas, createModuleEventVersions } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import { type DomainEvent, eventAbout, type NewEvent, phi } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { encryptedStore, metadataOnlyStore } from '#encryption/encrypted-store.ts'
import { upcastingStore } from '#eventstore/upcasting.ts'
import {
  type AnyProjection,
  applyEvent,
  handlesEvent,
  type Rows,
  getHandledTypes,
  selectStore,
} from '#projections/projection.ts'
import { newEvent, readAllEvents } from '#tests/support/events.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'
import { createMemoryKeyStore } from '#tests/support/memory-key-store.ts'

type Example = DomainEvent & { version?: number }

/** Every stored version of every event (`tests/golden`), each also as an event of a sample practice, which projections treat apart. */
const examples = globSync('tests/golden/*.json', { exclude: ['tests/golden/schemas.json'] })
  .toSorted()
  .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as Example[])
  .flatMap(({ type, data, version: schemaVersion = 1 }) =>
    [false, true].map((sample): NewEvent => newEvent(type, { ...data }, { schemaVersion, sample, practiceId: 'p1' })),
  )

const metadataOnlyProjections = modules
  .flatMap(({ projections = [] }) => projections)
  .filter(({ isMetadataOnly }) => isMetadataOnly === true)

/** Stores every example encrypted; returns the store as a reader with keys and a metadata-only reader see it. */
async function createStores() {
  const raw = createMemoryStore()
  const decrypted = encryptedStore(raw, createMemoryKeyStore(), listEventSchemas(modules))
  for (const [index, example] of examples.entries()) await decrypted.append(`any-${index}`, 'no-stream', [example])
  const versions = createModuleEventVersions(modules)
  return {
    store: upcastingStore(decrypted, versions),
    metadataOnlyStore: upcastingStore(metadataOnlyStore(raw), versions),
  }
}

/** Returns the rows after each event: some projections have none at the end. */
async function foldAll(projection: AnyProjection, store: EventStore): Promise<(readonly [string, unknown])[][]> {
  const { events } = await store.readAll(null, { limit: 10_000, types: getHandledTypes(projection) })
  const rows: Rows = new Map()
  return events.map((event) => {
    applyEvent(projection, rows, event)
    return [...rows]
  })
}

describe.each(metadataOnlyProjections.map((projection) => [projection.name, projection] as const))(
  '%s',
  (_, projection) => {
    it('folds the same rows without data keys', async () => {
      expect(examples.some(({ type }) => handlesEvent(projection, type))).toBe(true)
      const stores = await createStores()
      const steps = await foldAll(projection, selectStore(stores, projection))
      expect(steps).toEqual(await foldAll(projection, stores.store))
      expect(Math.max(...steps.map((rows) => rows.length))).toBeGreaterThan(0)
    })
  },
)

it('is declared only by projections that use no encrypted field', async () => {
  expect(metadataOnlyProjections.map(({ name }) => name)).toContain('patient_counts')
  const patients = modules
    .flatMap(({ projections = [] }) => projections)
    .find(({ name }) => name === 'patients') as AnyProjection
  const stores = await createStores()
  expect(selectStore(stores, patients)).toBe(stores.store)
  await expect(foldAll(patients, stores.metadataOnlyStore)).rejects.toThrow(/metadata-only reader/)
})

const Placed = eventAbout('patientId')('Placed', {
  patientId: z.uuid(),
  slot: z.object({ startsAt: z.string(), days: z.array(z.string()) }),
  contact: z.object({ kind: z.string(), people: z.array(z.object({ name: phi(z.string()) })) }),
  note: phi(z.string()),
})

it('reads objects of plain values without keys, and those with an encrypted value at any depth only with them', async () => {
  const raw = createMemoryStore()
  const data = {
    patientId: '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001',
    slot: { startsAt: '2026-03-02T09:00:00.000Z', days: ['2026-03-02'] },
    contact: { kind: 'family', people: [{ name: 'Quixotic' }] },
    note: 'Quaint',
  }
  const decrypted = encryptedStore(raw, createMemoryKeyStore(), [Placed])
  await decrypted.append('placed-1', 'no-stream', [newEvent('Placed', data)])
  const [placed] = await readAllEvents(metadataOnlyStore(raw))
  expect(placed?.data).toMatchObject({ patientId: data.patientId, slot: data.slot })
  expect(() => placed?.data['contact']).toThrow(/metadata-only reader/)
  expect(() => placed?.data['note']).toThrow(/metadata-only reader/)
  const [known] = await readAllEvents(decrypted)
  expect(known?.data['slot']).toEqual(data.slot)
  expect(known?.data['contact']).toEqual(data.contact)
  expect(known?.data).toEqual(data)
})
