import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type EventSchema, collectEventSchemas, getEventType } from '#eventstore/event-schemas.ts'
import { type Decider, fold } from '#eventstore/decider.ts'
import { type DomainEvent, getSchemaVersion } from '#eventstore/event.ts'
import { collectPhiFields } from '#encryption/phi-fields.ts'
import { createModuleEventVersions } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import { JobEvent } from '#jobs/events.ts'
import { ReadModelEvent } from '#projections/events.ts'
import { type AnyProjection, applyEvent, type Row, type Rows } from '#projections/projection.ts'
import { checkVersions, type RecordedShapes } from '#tests/golden/versions.ts'
import { recordedEvent } from '#tests/support/events.ts'

/**
 * The files `tests/golden/*.json` hold stored examples of every version of every event, in an order in which they could have
 * happened; without `version` it is version 1. They are never edited: stored events must stay readable.
 * `schemas.json` holds the schema of each version.
 */
type Example = DomainEvent & { version?: number }
const files = globSync('tests/golden/*.json', { exclude: ['tests/golden/schemas.json'] }).toSorted()
const kept = JSON.parse(readFileSync('tests/golden/schemas.json', 'utf8')) as RecordedShapes
const versions = createModuleEventVersions(modules)
const formatVersion = ({ type, version = 1 }: Example) => `${type} ${version}`

/** Returns an example as consumers of the event store see it. */
const upcastExample = ({ version: schemaVersion = 1, ...event }: Example, revision = 0) =>
  versions.upcast(recordedEvent(event, { revision, metadata: { schemaVersion } }))

const stored = files.map((file) => [file, JSON.parse(readFileSync(file, 'utf8')) as Example[]] as const)
const examples = stored.map(([file, events]) => [file, events, events.map(upcastExample)] as const)

const importExports = async (pattern: string) => {
  const modules = await Promise.all(globSync(pattern).map((file) => import(resolve(file)) as Promise<object>))
  return modules.flatMap((module) => Object.values(module) as unknown[])
}

const declared = (await importExports('backend/{modules,projections,jobs}/**/events.ts')).flatMap(collectEventSchemas)
const schemas = new Map(declared.map((schema) => [getEventType(schema), schema]))

type AnyDecider = Decider<never, DomainEvent, unknown>
const deciders = (await importExports('backend/{modules,stand-ins}/**/decider.ts')).filter(
  (value): value is AnyDecider => typeof value === 'object' && value !== null && 'evolve' in value,
)
const projections = (await importExports('backend/modules/**/projection.ts')).filter(
  (value): value is AnyProjection => typeof value === 'object' && value !== null && 'rowOf' in value,
)

it('finds events, deciders and projections to test', () => {
  expect(schemas.size).toBeGreaterThan(10)
  expect(deciders.length).toBeGreaterThan(3)
  expect(projections.length).toBeGreaterThan(1)
})

it('finds every event in the manifest of its module', () => {
  const manifest = [ReadModelEvent, JobEvent, ...modules.flatMap(({ events }) => events)].flatMap(collectEventSchemas)
  expect(manifest.map(getEventType).toSorted()).toEqual([...schemas.keys()].toSorted())
})

it('gives every event a unique type', () => {
  const owners = new Map<string, EventSchema>()
  for (const schema of declared) {
    // The same schema may be exported alone and as part of a union.
    expect(owners.get(getEventType(schema)) ?? schema).toBe(schema)
    owners.set(getEventType(schema), schema)
  }
})

it('has the recorded schema of every version', () => {
  const upcasters = modules.flatMap((module) => module.upcasters ?? [])
  expect(checkVersions(kept, [...schemas.values()], upcasters)).toEqual({ refused: [], next: kept, changed: false })
})

it.each(versions.listReadable())('%s has a stored example', (name) => {
  expect(stored.flatMap(([, events]) => events.map(formatVersion))).toContain(name)
})

it.each(Object.entries(kept).flatMap(([type, shapes]) => Object.keys(shapes).map((version) => `${type} ${version}`)))(
  '%s is recorded and can be read',
  (name) => expect(versions.listReadable()).toContain(name),
)

describe.each(examples)('%s', (_, written, events) => {
  it.each(events.map((event, index) => [index, formatVersion(written[index] as Example), event] as const))(
    'example %i, %s, is read in the current shape',
    (index, _name, { type, data, metadata, isNewer: newer }) => {
      const schema = schemas.get(type) as EventSchema
      expect([newer, metadata.schemaVersion]).toEqual([undefined, getSchemaVersion(schema)])
      expect(schema.parse({ type, data })).toEqual({ type, data })
      if ((written[index]?.version ?? 1) === getSchemaVersion(schema)) expect(data).toEqual(written[index]?.data)
    },
  )

  it('can be folded by every decider of its category', () => {
    for (const decider of deciders) {
      const own = new Set(collectEventSchemas(decider.events).map(getEventType))
      const history = events.filter(({ type }) => own.has(type))
      if (history.length === 0) continue
      for (let count = 1; count <= history.length; count++)
        expect(fold(decider, history.slice(0, count))).not.toBeUndefined()
    }
  })

  it.each(projections.map((projection) => [projection.name, projection] as const))(
    'can be folded by the projection %s into complete rows',
    (_name, projection) => {
      const rows: Rows = new Map<string, Row | null>()
      for (const event of events) applyEvent(projection, rows, event)
      const columns = Object.keys(projection.columns).toSorted()
      const there = [...rows.values()].filter((row) => row !== null)
      expect(there.map((row) => Object.keys(row).toSorted())).toEqual(there.map(() => columns))
    },
  )
})

describe('with every identifying field null, as after an erasure', () => {
  const known = collectPhiFields(declared)
  const erased = examples.map(([file, events]) => {
    const nulled = events.map((event) => ({
      ...event,
      data: known.get(event.type)?.split(event.data).plain ?? event.data,
    }))
    return [file, nulled as DomainEvent[]] as const
  })

  it('has examples to test', () => {
    expect(JSON.stringify(erased)).not.toMatch(/Hopper|617555|Asthma|Albuterol/)
    expect(JSON.stringify(erased)).toContain('"firstName":null')
  })

  it.each(erased)('%s can be folded by every decider and projection, event by event', (_, events) => {
    for (const decider of deciders) {
      const own = new Set(collectEventSchemas(decider.events).map(getEventType))
      const history = events.filter(({ type }) => own.has(type))
      for (let count = 1; count <= history.length; count++)
        expect(fold(decider, history.slice(0, count))).not.toBeUndefined()
    }
    for (const projection of projections) {
      const rows: Rows = new Map<string, Row | null>()
      const columns = Object.keys(projection.columns).toSorted()
      events.forEach((event, revision) => {
        applyEvent(projection, rows, recordedEvent(event, { revision }))
        for (const row of rows.values()) if (row) expect(Object.keys(row).toSorted()).toEqual(columns)
      })
    }
  })
})
