import type { z } from 'zod'
import { type EventData, UnsupportedEventVersion, type Recorded, type Upcaster } from './event.ts'
import type { EventStore } from './event-store.ts'
import { mapVersionsByType } from './event-schemas.ts'

/** Event versions that this app can read: the current version of every event, and every older one that leads to it. */
export type EventVersions = {
  /** Returns whether events of this type and version can be read. */
  canRead(type: string, version: number): boolean
  /** Returns an event in its current version; one that cannot be read here is marked as `isNewer`. */
  upcast(event: Recorded): Recorded
  /** Returns the types under which events of these current types may be stored. Other events may share such a type. */
  getStoredTypes(types: readonly string[]): readonly string[]
  /** Returns all readable versions, such as `PatientRegistered 1`, sorted. */
  listReadable(): string[]
}

/** Event declarations and upcasters are inconsistent: a programming error that prevents the start. */
export class InvalidUpcasters extends Error {}

const formatVersion = (type: string, version: number) => `${type} ${version}`

/**
 * Combines event declarations and upcasters. Throws InvalidUpcasters when an older version does not lead to the current
 * one, when two upcasters start at the same version, or when one leads nowhere.
 */
export function createEventVersions(declared: readonly z.ZodType[], upcasters: readonly Upcaster[]): EventVersions {
  const current = new Map(declared.flatMap((each) => [...mapVersionsByType(each)]))
  const steps = mapSteps(upcasters, current)
  const isCurrent = (type: string, version: number) => current.get(type) === version
  const nextStep = (type: string, version: number) => steps.get(formatVersion(type, version))
  const getCurrentType = ({ toType, version }: Upcaster): string => {
    const next = nextStep(toType, version + 1)
    return next ? getCurrentType(next) : toType
  }

  return {
    canRead: (type, version) => isCurrent(type, version) || nextStep(type, version) !== undefined,
    upcast(event) {
      let { type } = event
      let version = event.metadata.schemaVersion
      if (isCurrent(type, version)) return event
      const upcasts: Upcaster['upcast'][] = []
      for (let step = nextStep(type, version); step; step = nextStep(type, version)) {
        upcasts.push(step.upcast)
        type = step.toType
        version += 1
      }
      if (!isCurrent(type, version)) return withLazyData(event, { isNewer: true }, (data) => data)
      const metadata = { ...event.metadata, schemaVersion: version }
      return withLazyData(event, { type, metadata }, (stored) =>
        upcasts.reduce((data, upcast) => upcast(data, event.metadata), stored),
      )
    },
    getStoredTypes: (types) => [
      ...new Set([
        ...types,
        ...upcasters.filter((step) => types.includes(getCurrentType(step))).map(({ type }) => type),
      ]),
    ],
    listReadable: () =>
      [
        ...new Set([...steps.keys(), ...[...current].map(([type, version]) => formatVersion(type, version))]),
      ].toSorted(),
  }
}

/** Returns the upcasters by the version they start at. Throws InvalidUpcasters. */
function mapSteps(upcasters: readonly Upcaster[], current: ReadonlyMap<string, number>): ReadonlyMap<string, Upcaster> {
  const steps = new Map<string, Upcaster>()
  const reached = new Set<string>()
  for (const step of upcasters) {
    const from = formatVersion(step.type, step.version)
    if (steps.has(from)) throw new InvalidUpcasters(`There are two upcasters from ${from}.`)
    if (current.get(step.type) === step.version)
      throw new InvalidUpcasters(`${from} is the current version, but has an upcaster.`)
    steps.set(from, step)
    reached.add(formatVersion(step.toType, step.version + 1))
  }
  for (const { type, version, toType } of upcasters) {
    const target = formatVersion(toType, version + 1)
    if (current.get(toType) !== version + 1 && !steps.has(target))
      throw new InvalidUpcasters(
        `The upcaster from ${formatVersion(type, version)} leads to ${target}, which does not exist.`,
      )
  }
  for (const [type, version] of [...current, ...upcasters.map((step) => [step.type, step.version] as const)]) {
    if (version > 1 && !reached.has(formatVersion(type, version)))
      throw new InvalidUpcasters(
        `${formatVersion(type, version)} has no upcaster that leads to it from version ${version - 1}.`,
      )
  }
  return steps
}

/** Returns an event whose data is converted on first access: an event that cannot be read fails only where it is used. */
function withLazyData(event: Recorded, over: Partial<Recorded>, convert: (data: EventData) => EventData): Recorded {
  const { id, stream, revision, position, type, metadata, recordedAt } = event
  let data: EventData | undefined
  return {
    id,
    stream,
    revision,
    position,
    type,
    metadata,
    recordedAt,
    ...over,
    get data() {
      return (data ??= convert(event.data))
    },
  }
}

/**
 * Wraps a store so that every event has the shape it would have if it were written now. `readAll` returns events of a
 * newer app version marked as `isNewer`, so that readers which do not handle them continue; `read` throws
 * UnsupportedEventVersion at them, because its callers fold the stream. `onNewer` is called for each.
 */
export function upcastingStore<Store extends EventStore>(
  store: Store,
  versions: EventVersions,
  onNewer: (event: Recorded) => void = () => undefined,
): Store {
  const upcast = (stored: Recorded): Recorded => {
    const event = versions.upcast(stored)
    if (event.isNewer) onNewer(event)
    return event
  }
  return {
    ...store,
    async *read(stream, from) {
      for await (const stored of store.read(stream, from)) {
        const event = upcast(stored)
        if (event.isNewer) throw new UnsupportedEventVersion(event)
        yield event
      }
    },
    async readAll(after, { limit, types }) {
      const page = await store.readAll(after, { limit, types: types && versions.getStoredTypes(types) })
      const events = page.events.map(upcast)
      return { ...page, events: types ? events.filter(({ type }) => types.includes(type)) : events }
    },
  }
}
