import { randomUUID } from 'node:crypto'
import { v5 as uuidv5 } from 'uuid'
import { type Decider, fold, isRejection, type Rejection } from './decider.ts'
import { mapVersionsByType } from './event-schemas.ts'
import type { Actor, DomainEvent, NewEvent, Position, Recorded } from './event.ts'
import { type Appended, type EventStore, type ExpectedRevision, StoreUnavailable } from './event-store.ts'

/** On whose behalf and in what connection a command is given. The bus turns it into metadata, nobody else does. */
export type CommandContext = {
  practiceId: string | null
  actor: Actor
  correlationId: string
  /** What led to the command, when it was not the request itself. */
  causationId?: string
  sample?: boolean
}

export type CommandOptions = {
  /** The revision the person had on screen; -1 before the first. Anything newer is refused with `ChangedMeanwhile`. */
  expectedRevision?: bigint
  /** Makes the ids of the events from a name (a job id, an import row), so that a repetition writes nothing twice. */
  idempotencyKey?: string
  /** Do not wait until the screens know: for jobs that write thousands. */
  dontWait?: boolean
  /** There is no such record yet, most likely: it is read only when that turns out to be wrong. */
  isNew?: boolean
}

/** A command that is given at a moment of its own, an ISO instant in UTC. */
export type TimedCommand<Command> = { command: Command; at: string }

/** What a command led to. `position` is null when nothing was to be written. */
export type CommandResult<State, Event extends DomainEvent> = {
  state: State
  events: readonly Event[]
  revision: bigint | 'no-stream'
  position: Position | null
}

/** The practice's rules refuse it: 409 with the code. */
export class CommandRejected extends Error {
  readonly rejection: Rejection
  constructor(rejection: Rejection) {
    super(`Refused: ${rejection.rejected}`)
    this.rejection = rejection
  }
}

/** A stream as it was loaded: its events, the state that they lead to, and the revision of the last one. */
export type LoadedStream<State, Event extends DomainEvent> = {
  state: State
  revision: ExpectedRevision
  history: readonly Recorded<Event>[]
}

/** The stream has events after the expected revision: 409 `changed-meanwhile`. */
export class ConcurrencyError<Event extends DomainEvent = DomainEvent, State = unknown> extends Error {
  readonly stream: string
  readonly conflictingEvents: readonly Recorded<Event>[]
  /** The state after the conflicting events. */
  readonly state: State
  constructor(stream: string, { state, history }: LoadedStream<State, Event>, expectedRevision: bigint) {
    super('The record was changed after the expected revision')
    this.stream = stream
    this.conflictingEvents = history.filter(({ revision }) => revision > expectedRevision)
    this.state = state
  }
}

/** Returns whether an error is a conflict in a stream of this decider, and gives it the decider's types. */
export const isConflict = <Command, Event extends DomainEvent, State>(
  error: unknown,
  decider: Decider<Command, Event, State>,
): error is ConcurrencyError<Event, State> =>
  error instanceof ConcurrencyError && error.stream.startsWith(`${decider.category}-`)

/** Too many writers at one record at once, even after three tries: 409 `busy`. */
export class RetriesExhausted extends Error {}

/** One command writes more than the store takes: 413. */
export class AppendTooLarge extends Error {}

export type CommandBus = {
  execute<Command, Event extends DomainEvent, State>(
    decider: Decider<Command, Event, State>,
    id: string,
    command: Command,
    context: CommandContext,
    options?: CommandOptions & FirstAttempt<State, Event>,
  ): Promise<CommandResult<State, Event>>
  /** Several commands to one record, each decided after those before it; what follows is written together, or nothing is. */
  executeAll<Command, Event extends DomainEvent, State>(
    decider: Decider<Command, Event, State>,
    id: string,
    commands: readonly TimedCommand<Command>[],
    context: CommandContext,
    options?: CommandOptions & FirstAttempt<State, Event>,
  ): Promise<CommandResult<State, Event>>
  /** Reads a stream from the store. */
  load<Event extends DomainEvent, State>(
    decider: Decider<never, Event, State>,
    id: string,
  ): Promise<LoadedStream<State, Event>>
}

type FirstAttempt<State, Event extends DomainEvent> = {
  /** The stream as the caller has just loaded it, which saves reading it again. A retry after a conflict reads it again. */
  loaded?: LoadedStream<State, Event>
}

type Dependencies = {
  store: EventStore
  clock: () => Date
  /** Resolves when every projection that knows one of these events has reached the position, or after two seconds. */
  waitUntilCaughtUp: (types: readonly string[], position: Position) => Promise<void>
}

const maxAttempts = 4

const emptyStream = <State>(initial: State) => ({ state: initial, revision: 'no-stream' as const, history: [] })
/** Our own namespace for event ids made from names (RFC 9562, version 5). */
const namespace = '5b0a4b52-0c37-4b8e-9d0c-9f0f6f1a4c11'

/** An id that follows from a name: the same name gives the same id, for ever. */
export const deriveId = (name: string): string => uuidv5(name, namespace)

const versionCache = new WeakMap<object, ReadonlyMap<string, number>>()

/** The version each event of a decider is written in. Looked up once: a declaration never changes. */
function getEventVersions(events: object): ReadonlyMap<string, number> {
  const versions = versionCache.get(events) ?? mapVersionsByType(events)
  versionCache.set(events, versions)
  return versions
}

/** Load, decide, append; on conflict again, at most three times. The one place where commands become facts. */
export function createCommandBus({ store, clock, waitUntilCaughtUp: caughtUp }: Dependencies): CommandBus {
  async function load<Event extends DomainEvent, State>(
    decider: Decider<never, Event, State>,
    id: string,
  ): Promise<LoadedStream<State, Event>> {
    const history: Recorded<Event>[] = []
    // The streams of a category hold the decider's events only: nothing else appends to them.
    for await (const recorded of store.read(`${decider.category}-${id}`)) history.push(recorded as Recorded<Event>)
    return { state: fold(decider, history), revision: history.at(-1)?.revision ?? 'no-stream', history }
  }

  const executeAll: CommandBus['executeAll'] = async (decider, id, commands, context, options = {}) => {
    const stream = `${decider.category}-${id}`
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const assumed = options.isNew ? emptyStream(decider.initial) : options.loaded
      const loaded = attempt === 1 && assumed ? assumed : await load(decider, id)
      const { state, revision, history } = loaded
      const earlier =
        options.idempotencyKey === undefined ? undefined : deriveEventId(options.idempotencyKey, stream, 0)
      const done = history.find((past) => past.id === earlier)
      // Not every store refuses a used id at another revision: that it was done before is seen here.
      if (done) return { state, events: [], revision, position: done.position }
      const { expectedRevision: madeOn } = options
      if (madeOn !== undefined && (revision === 'no-stream' ? -1n : revision) !== madeOn)
        throw new ConcurrencyError(stream, loaded, madeOn)
      const decided = decideAll(decider, commands, state, context)
      if (decided.facts.length === 0) return { state, events: [], revision, position: null }

      const versions = getEventVersions(decider.events)
      const events = decided.facts.map(({ fact, at }, index) =>
        toNewEvent(fact, index, context, options, at, stream, versions.get(fact.type) ?? 1),
      )
      const appended = await appendWithRetry(store, stream, revision, events)
      if (appended.status === 'too-large') throw new AppendTooLarge(`More than fits in one append: ${stream}`)
      if (appended.status === 'conflict') continue
      const facts = decided.facts.map(({ fact }) => fact)
      if (!options.dontWait) {
        await caughtUp(
          facts.map(({ type }) => type),
          appended.position,
        )
      }
      return { state: decided.state, events: facts, ...appended }
    }
    throw new RetriesExhausted(`Still busy after ${maxAttempts - 1} retries: ${stream}`)
  }

  return {
    load,
    executeAll,
    execute: (decider, id, command, context, options) =>
      executeAll(decider, id, [{ command, at: clock().toISOString() }], context, options),
  }
}

/** What follows from commands that are given one after the other. Throws Rejected when one of them is refused. */
function decideAll<Command, Event extends DomainEvent, State>(
  decider: Decider<Command, Event, State>,
  commands: readonly TimedCommand<Command>[],
  before: State,
  { sample = false }: CommandContext,
): { facts: readonly { fact: Event; at: string }[]; state: State } {
  let state = before
  const facts = commands.flatMap(({ command, at }) => {
    const decision = decider.decide(command, state)
    if (isRejection(decision)) throw new CommandRejected(decision)
    const parsed = decision.map((fact) => decider.events.parse(fact))
    for (const fact of parsed) state = decider.evolve(state, { ...fact, metadata: { sample } })
    return parsed.map((fact) => ({ fact, at }))
  })
  return { facts, state }
}

/** A lost answer is tried once more with the same ids: the store tells whether the first try was written. */
async function appendWithRetry(
  store: EventStore,
  stream: string,
  expected: ExpectedRevision,
  events: readonly NewEvent[],
): Promise<Appended> {
  try {
    return await store.append(stream, expected, events)
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error
    return await store.append(stream, expected, events)
  }
}

const deriveEventId = (idempotencyKey: string, stream: string, index: number) =>
  deriveId(`${idempotencyKey}:${stream}:${index}`)

function toNewEvent(
  fact: DomainEvent,
  index: number,
  context: CommandContext,
  { idempotencyKey }: CommandOptions,
  at: string,
  stream: string,
  schemaVersion: number,
): NewEvent {
  return {
    id: idempotencyKey === undefined ? randomUUID() : deriveEventId(idempotencyKey, stream, index),
    type: fact.type,
    data: fact.data,
    metadata: {
      practiceId: context.practiceId,
      actor: context.actor,
      correlationId: context.correlationId,
      causationId: context.causationId ?? context.correlationId,
      at,
      schemaVersion,
      sample: context.sample ?? false,
    },
  }
}
