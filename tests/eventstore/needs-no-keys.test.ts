import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { listEventSchemas, createModuleEventVersions } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import type { DomainEvent, NewEvent } from '#eventstore/event.ts'
import { encryptedStore } from '#encryption/encrypted-store.ts'
import { upcastingStore } from '#eventstore/upcasting.ts'
import { type AnyProjection, applyEvent, handlesEvent, type Rows, getHandledTypes } from '#projections/projection.ts'
import { newEvent } from '#tests/support/events.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'
import { createMemoryKeyStore } from '#tests/support/memory-vault.ts'

type Example = DomainEvent & { version?: number }

/** Every event there ever was, as `tests/golden` keeps them; each also as of a sample practice, whose records are told apart. */
const examples = globSync('tests/golden/*.json', { exclude: ['tests/golden/schemas.json'] })
  .toSorted()
  .flatMap((file) => JSON.parse(readFileSync(file, 'utf8')) as Example[])
  .flatMap(({ type, data, version: schemaVersion = 1 }) =>
    [false, true].map((sample): NewEvent => newEvent(type, { ...data }, { schemaVersion, sample, practiceId: 'p1' })),
  )

const withoutKeys = modules
  .flatMap(({ projections = [] }) => projections)
  .filter(({ isMetadataOnly: needsNoKeys }) => needsNoKeys === true)

async function sealedRecord() {
  const vault = createMemoryKeyStore()
  const store = upcastingStore(
    encryptedStore(createMemoryStore(), vault, listEventSchemas(modules)),
    createModuleEventVersions(modules),
  )
  for (const [index, example] of examples.entries()) await store.append(`any-${index}`, 'no-stream', [example])
  return store
}

async function folded(projection: AnyProjection, closed: boolean): Promise<Rows> {
  const { events } = await (await sealedRecord()).readAll(null, 10_000, getHandledTypes(projection), closed)
  const rows: Rows = new Map()
  for (const event of events) applyEvent(projection, rows, event)
  return rows
}

describe.each(withoutKeys.map((projection) => [projection.name, projection] as const))('%s', (_, projection) => {
  it('is the same without the keys of patients', async () => {
    expect(examples.some(({ type }) => handlesEvent(projection, type))).toBe(true)
    const rows = await folded(projection, true)
    expect([...rows]).toEqual([...(await folded(projection, false))])
    expect(rows.size).toBeGreaterThan(0)
  })
})

it('is said of those alone that look at nothing that is sealed', async () => {
  expect(withoutKeys.map(({ name }) => name)).toContain('patient_counts')
  const patients = modules
    .flatMap(({ projections = [] }) => projections)
    .find(({ name }) => name === 'patients') as AnyProjection
  await expect(folded(patients, true)).rejects.toThrow(/said that they need none/)
})
