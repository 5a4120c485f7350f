import type { z } from 'zod'
import { type EventData, UnsupportedEventVersion, type Recorded, type Upcaster } from './event.ts'
import type { EventStore } from './event-store.ts'
import { mapVersionsByType } from './event-schemas.ts'

/** What this Everchart can read: every event in its version of today, and every older one that leads there. */
export type EventVersions = {
  /** Whether events of this name and version can be read. */
  canRead(type: string, version: number): boolean
  /** An event as it would have been written today; one that nobody here can read comes back marked as `newer`. */
  upcast(event: Recorded): Recorded
  /** Under which names events are stored that have one of these names today. What else has such a name may be another event. */
  getStoredTypes(types: readonly string[]): readonly string[]
  /** Everything that can be read, as `PatientRegistered 1`, sorted. */
  listReadable(): string[]
}

/** Events and upcasters do not fit together: the programmer's mistake, found at the start. */
export class InvalidUpcasters extends Error {}

const formatVersion = (type: string, version: number) => `${type} ${version}`

/**
 * Puts events and upcasters together. Throws BrokenChain when an older version does not lead to today's, when two steps
 * begin at the same version, or when a step leads nowhere.
 */
export function createEventVersions(declared: readonly z.ZodType[], upcasters: readonly Upcaster[]): EventVersions {
  const today = new Map(declared.flatMap((each) => [...mapVersionsByType(each)]))
  const steps = new Map<string, Upcaster>()
  const reached = new Set<string>()
  for (const step of upcasters) {
    const from = formatVersion(step.type, step.version)
    if (steps.has(from)) throw new InvalidUpcasters(`There are two upcasters from ${from}.`)
    if (today.get(step.type) === step.version) throw new InvalidUpcasters(`${from} is of today, but has an upcaster.`)
    steps.set(from, step)
    reached.add(formatVersion(step.toType, step.version + 1))
  }
  const isToday = (type: string, version: number) => today.get(type) === version
  const nameToday = (step: Upcaster): string => {
    const next = steps.get(formatVersion(step.toType, step.version + 1))
    return next ? nameToday(next) : step.toType
  }
  for (const { type, version, toType: becomes } of upcasters) {
    if (!isToday(becomes, version + 1) && !steps.has(formatVersion(becomes, version + 1)))
      throw new InvalidUpcasters(
        `The upcaster from ${formatVersion(type, version)} leads to ${formatVersion(becomes, version + 1)}, which nobody knows.`,
      )
  }
  for (const [type, version] of [...today, ...upcasters.map((step) => [step.type, step.version] as const)]) {
    if (version > 1 && !reached.has(formatVersion(type, version)))
      throw new InvalidUpcasters(
        `${formatVersion(type, version)} has no upcaster that leads to it from version ${version - 1}.`,
      )
  }

  return {
    canRead: (type, version) => isToday(type, version) || steps.has(formatVersion(type, version)),
    upcast(event) {
      let { type } = event
      let version = event.metadata.schemaVersion
      if (isToday(type, version)) return event
      const changes: Upcaster['upcast'][] = []
      for (let step = steps.get(formatVersion(type, version)); step; step = steps.get(formatVersion(type, version))) {
        changes.push(step.upcast)
        type = step.toType
        version += 1
      }
      if (!isToday(type, version)) return withLazyData(event, { isNewer: true }, (data) => data)
      const metadata = { ...event.metadata, schemaVersion: version }
      return withLazyData(event, { type, metadata }, (data) =>
        changes.reduce((changed, change) => change(changed, event.metadata), data),
      )
    },
    getStoredTypes: (types) => [
      ...new Set([...types, ...upcasters.filter((step) => types.includes(nameToday(step))).map(({ type }) => type)]),
    ],
    listReadable: () =>
      [...new Set([...steps.keys(), ...[...today].map(([type, version]) => formatVersion(type, version))])].toSorted(),
  }
}

/** The data is made when somebody asks for it: an event that cannot be read stops those alone who need it. */
function withLazyData(event: Recorded, over: Partial<Recorded>, change: (data: EventData) => EventData): Recorded {
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
      return (data ??= change(event.data))
    },
  }
}

/**
 * A store as today's code reads it: every event in the shape it would have if it were written now. What a newer Everchart
 * wrote is handed on marked as `newer` by `readAll`, so that what does not need it goes on; reading a stream stops there with
 * NewerEvent, because who reads one folds it. `onNewer` is told of each.
 */
export function upcastingStore<Store extends EventStore>(
  store: Store,
  versions: EventVersions,
  onNewer: (event: Recorded) => void = () => undefined,
): Store {
  const read = (event: Recorded): Recorded => {
    const today = versions.upcast(event)
    if (today.isNewer) onNewer(today)
    return today
  }
  return {
    ...store,
    async *read(stream, from) {
      for await (const event of store.read(stream, from)) {
        const today = read(event)
        if (today.isNewer) throw new UnsupportedEventVersion(today)
        yield today
      }
    },
    async readAll(after, { limit, types }) {
      const page = await store.readAll(after, { limit, types: types && versions.getStoredTypes(types) })
      const events = page.events.map(read)
      return { ...page, events: types ? events.filter(({ type }) => types.includes(type)) : events }
    },
  }
}
