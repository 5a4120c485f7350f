import type { z } from 'zod'
import { type EventData, NewerEvent, type Recorded, type Upcaster } from './event.ts'
import type { EventStore } from './event-store.ts'
import { versionsIn } from './event-schemas.ts'

/** What this Everchart can read: every event in its version of today, and every older one that leads there. */
export type EventVersions = {
  /** Whether events of this name and version can be read. */
  knows(type: string, version: number): boolean
  /** An event as it would have been written today; one that nobody here can read comes back marked as `newer`. */
  asToday(event: Recorded): Recorded
  /** Under which names events are stored that have one of these names today. What else has such a name may be another event. */
  storedAs(types: readonly string[]): readonly string[]
  /** Everything that can be read, as `PatientRegistered 1`, sorted. */
  all(): string[]
}

/** Events and upcasters do not fit together: the programmer's mistake, found at the start. */
export class BrokenChain extends Error {}

const nameOf = (type: string, version: number) => `${type} ${version}`

/**
 * Puts events and upcasters together. Throws BrokenChain when an older version does not lead to today's, when two steps
 * begin at the same version, or when a step leads nowhere.
 */
export function eventVersions(declared: readonly z.ZodType[], upcasters: readonly Upcaster[]): EventVersions {
  const today = new Map(declared.flatMap((each) => [...versionsIn(each)]))
  const steps = new Map<string, Upcaster>()
  const reached = new Set<string>()
  for (const step of upcasters) {
    const from = nameOf(step.type, step.version)
    if (steps.has(from)) throw new BrokenChain(`There are two upcasters from ${from}.`)
    if (today.get(step.type) === step.version) throw new BrokenChain(`${from} is of today, but has an upcaster.`)
    steps.set(from, step)
    reached.add(nameOf(step.becomes, step.version + 1))
  }
  const isToday = (type: string, version: number) => today.get(type) === version
  const nameToday = (step: Upcaster): string => {
    const next = steps.get(nameOf(step.becomes, step.version + 1))
    return next ? nameToday(next) : step.becomes
  }
  for (const { type, version, becomes } of upcasters) {
    if (!isToday(becomes, version + 1) && !steps.has(nameOf(becomes, version + 1)))
      throw new BrokenChain(
        `The upcaster from ${nameOf(type, version)} leads to ${nameOf(becomes, version + 1)}, which nobody knows.`,
      )
  }
  for (const [type, version] of [...today, ...upcasters.map((step) => [step.type, step.version] as const)]) {
    if (version > 1 && !reached.has(nameOf(type, version)))
      throw new BrokenChain(`${nameOf(type, version)} has no upcaster that leads to it from version ${version - 1}.`)
  }

  return {
    knows: (type, version) => isToday(type, version) || steps.has(nameOf(type, version)),
    asToday(event) {
      let { type } = event
      let version = event.metadata.schemaVersion
      if (isToday(type, version)) return event
      const changes: Upcaster['change'][] = []
      for (let step = steps.get(nameOf(type, version)); step; step = steps.get(nameOf(type, version))) {
        changes.push(step.change)
        type = step.becomes
        version += 1
      }
      if (!isToday(type, version)) return rewritten(event, { newer: true }, (data) => data)
      const metadata = { ...event.metadata, schemaVersion: version }
      return rewritten(event, { type, metadata }, (data) =>
        changes.reduce((changed, change) => change(changed, event.metadata), data),
      )
    },
    storedAs: (types) => [
      ...new Set([...types, ...upcasters.filter((step) => types.includes(nameToday(step))).map(({ type }) => type)]),
    ],
    all: () =>
      [...new Set([...steps.keys(), ...[...today].map(([type, version]) => nameOf(type, version))])].toSorted(),
  }
}

/** The data is made when somebody asks for it: an event that cannot be read stops those alone who need it. */
function rewritten(event: Recorded, over: Partial<Recorded>, change: (data: EventData) => EventData): Recorded {
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
export function upcasting<Store extends EventStore>(
  store: Store,
  versions: EventVersions,
  onNewer: (event: Recorded) => void = () => undefined,
): Store {
  const read = (event: Recorded): Recorded => {
    const today = versions.asToday(event)
    if (today.newer) onNewer(today)
    return today
  }
  return {
    ...store,
    async *read(stream, from) {
      for await (const event of store.read(stream, from)) {
        const today = read(event)
        if (today.newer) throw new NewerEvent(today)
        yield today
      }
    },
    async readAll(after, limit, types, closed) {
      const page = await store.readAll(after, limit, types && versions.storedAs(types), closed)
      const events = page.events.map(read)
      return { ...page, events: types ? events.filter(({ type }) => types.includes(type)) : events }
    },
  }
}
