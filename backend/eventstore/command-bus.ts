import { appendJoined, appendWithRetry, type Joined, NotJoined } from './append-with-retry.ts'
import type { CommandContext, LoadedStream, TimedCommand } from './command.ts'
import {
  AppendTooLarge,
  CommandRejected,
  ConcurrencyError,
  findConflictingEvents,
  RetriesExhausted,
} from './command-errors.ts'
import { decideAll, getEventVersions, toNewEvents } from './decide.ts'
import { type Decider, fold } from './decider.ts'
import type { DomainEvent, NewEvent, Position, Recorded } from './event.ts'
import type { Appended, EventStore, StreamAppend } from './event-store.ts'
import { findEarlierEvents, getIdempotencyKey } from './repetition.ts'
import { currentRequest, waitWithinRequest } from './request-scope.ts'
import { createTurns, type Turn } from './turns.ts'

/** `eventual` does not wait for projections: for jobs that write thousands of events. */
export type Consistency = 'read-your-writes' | 'eventual'

export type CommandOptions = {
  /** Revision that the user had on screen; -1 before the first event. Throws ConcurrencyError when the stream is newer. */
  expectedRevision?: bigint
  /**
   * Derives the event ids from a name (a job id, an import row), so that a repeated command writes nothing twice. By default
   * the name of the user's intent, for requests that have one; null when a decision may be made again after it was undone.
   */
  idempotencyKey?: string | null
  /** `read-your-writes` by default. */
  consistency?: Consistency
  /** The stream most likely does not exist yet: it is read only when the append conflicts. */
  isNew?: boolean
}

/** Result of a command. `position` is null when there was nothing to write. */
export type CommandResult<State, Event extends DomainEvent> = {
  state: State
  events: readonly Event[]
  revision: bigint | 'no-stream'
  position: Position | null
}

/** A stream at the revision at which a caller has seen it. */
export type SeenStream = Pick<StreamAppend, 'stream' | 'expected'>

/** Commands for a stream, with the decider of the stream. */
export type CommandsFor<Command, Event extends DomainEvent, State> = {
  decider: Decider<Command, Event, State>
  id: string
  commands: readonly Command[]
  /** The stream as the caller has just loaded it; null when it does not exist. It is read otherwise. */
  loaded?: LoadedStream<State, Event> | null
}

/** The work of one append: the commands for a first stream, what follows from their events, and more for streams like the first. */
export type JointWork<
  Command,
  Event extends DomainEvent,
  State,
  NextCommand,
  NextEvent extends DomainEvent,
  NextState,
> = {
  first: CommandsFor<Command, Event, State>
  toNext: (events: readonly Event[]) => CommandsFor<NextCommand, NextEvent, NextState>
  others?: readonly CommandsFor<Command, Event, State>[]
}

/** Options of commands for several streams in one append. `seen`: other streams that must not have changed. */
export type JointOptions = { idempotencyKey: string; seen: readonly SeenStream[]; consistency?: Consistency }

/** The results of the first and the next commands, whose events were written in one append at the instant `at` (ISO). */
export type JointResult<State, Event extends DomainEvent, NextState, NextEvent extends DomainEvent> = {
  result: CommandResult<State, Event>
  next: CommandResult<NextState, NextEvent>
  at: string
}

export type CommandBus = {
  execute<Command, Event extends DomainEvent, State>(
    decider: Decider<Command, Event, State>,
    id: string,
    command: Command,
    context: CommandContext,
    options?: CommandOptions & FirstAttempt<State, Event>,
  ): Promise<CommandResult<State, Event>>
  /** Executes several commands on one stream, each decided after the ones before it; writes all of their events or none. */
  executeAll<Command, Event extends DomainEvent, State>(
    decider: Decider<Command, Event, State>,
    id: string,
    commands: readonly TimedCommand<Command>[],
    context: CommandContext,
    options?: CommandOptions & FirstAttempt<State, Event>,
  ): Promise<CommandResult<State, Event>>
  /**
   * Executes commands for several streams in one append: all are written or none, and only while the streams in `seen` have not
   * changed. Waits for projections of the events of the next ones only. Returns null, and has written nothing, when that is not
   * possible: the event store has no such append, another of the streams has changed, commands for one of them have no effect, or an earlier
   * execution has written. The caller then executes one after the other. Refusals are those of `execute`.
   */
  executeJointly<Command, Event extends DomainEvent, State, NextCommand, NextEvent extends DomainEvent, NextState>(
    work: JointWork<Command, Event, State, NextCommand, NextEvent, NextState>,
    context: CommandContext,
    options: JointOptions,
  ): Promise<JointResult<State, Event, NextState, NextEvent> | null>
  /** Loads the current state of a stream from the store itself. */
  load<Event extends DomainEvent, State>(
    decider: Decider<never, Event, State>,
    id: string,
  ): Promise<LoadedStream<State, Event>>
}

/** Returns what is written with these events of a command. Throws CommandRejected. */
type Join<Event> = (events: readonly Event[]) => Promise<Joined>

type FirstAttempt<State, Event extends DomainEvent> = {
  /** The stream as the caller has just loaded it, which saves a second read. A retry after a conflict reads it again. */
  loaded?: LoadedStream<State, Event>
}

type Dependencies = {
  store: EventStore
  clock: () => Date
  /** Resolves when every projection that handles one of these event types has reached the position, or after a time-out. */
  waitUntilCaughtUp: (types: readonly string[], position: Position) => Promise<unknown>
  /** Called with the number of events that a command has written. */
  onAppended?: (context: CommandContext, count: number) => void
}

const maxAttempts = 4

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0)

const emptyStream = <State>(initial: State) => ({ state: initial, revision: 'no-stream' as const, history: [] })

/**
 * Creates the command bus: load, decide, append; after a conflict again, up to three times. The commands for one stream take
 * turns in this process, in the order of the calls, and so conflict only with those of other instances: any number of
 * simultaneous ones succeed. Of those, each is decided on what the one before it left, and only refused or without effect after
 * the stream was read again (docs/decisions/0043). All events are written here.
 */
export function createCommandBus({ store, clock, waitUntilCaughtUp, onAppended }: Dependencies): CommandBus {
  async function load<Event extends DomainEvent, State>(
    decider: Decider<never, Event, State>,
    id: string,
  ): Promise<LoadedStream<State, Event>> {
    const history: Recorded<Event>[] = []
    // The streams of a category hold the decider's events only: nothing else appends to them.
    for await (const recorded of store.read(`${decider.category}-${id}`)) history.push(recorded as Recorded<Event>)
    return { state: fold(decider, history), revision: history.at(-1)?.revision ?? 'no-stream', history }
  }

  const takeTurn = createTurns<LoadedStream<unknown, DomainEvent>>()

  /** Executes commands as `executeAll` does; with `join`, in one append with what it returns. Throws NotJoined. */
  async function run<Command, Event extends DomainEvent, State>(
    decider: Decider<Command, Event, State>,
    id: string,
    commands: readonly TimedCommand<Command>[],
    context: CommandContext,
    options: CommandOptions & FirstAttempt<State, Event>,
    join?: Join<Event>,
  ): Promise<CommandResult<State, Event>> {
    const stream = `${decider.category}-${id}`
    const idempotencyKey = getIdempotencyKey(options.idempotencyKey, stream, commands)
    // A name that the caller chose can be used elsewhere, too.
    const isFirstAttempt = options.idempotencyKey === undefined ? currentRequest()?.isFirstAttempt : undefined
    // A repeated request does what follows from its events again; jobs do that step by step.
    const isRequest = options.idempotencyKey === undefined
    const isWaitedFor = options.consistency !== 'eventual'
    /** The types of the events that this execution or an earlier one wrote. */
    let writtenTypes: readonly string[] = []

    type Loaded = LoadedStream<State, Event>
    type Result = CommandResult<State, Event>

    /** Decides on a loaded stream and appends; null after a conflict. */
    async function attempt(loaded: Loaded, turn: Turn<Loaded>): Promise<Result | null> {
      const { state, revision, history } = loaded
      const earlier = findEarlierEvents(history, idempotencyKey, stream)
      const last = earlier.at(-1)
      if (last) {
        if (join) throw new NotJoined()
        currentRequest()?.noteEarlierWrite()
        writtenTypes = earlier.map(({ type }) => type)
        return { state, events: isRequest ? earlier : [], revision, position: last.position }
      }
      assertExpectedRevision(stream, loaded, options.expectedRevision)
      const decided = decideAll(decider, commands, state, context)
      const events = decided.events.map(({ event }) => event)
      if (events.length === 0) return { state, events, revision, position: null }

      const newEvents = toNewEvents(decided.events, getEventVersions(decider.events), stream, context, idempotencyKey)
      const write = { stream, expected: revision, events: newEvents }
      const joined = await join?.(events)
      const onceMore = { idempotencyKey, isFirstAttempt, isWaitedFor }
      const append = () =>
        joined ? appendJoined(store, write, joined, onceMore) : appendWithRetry(store, write, onceMore)
      const appended = await (currentRequest()?.track(append) ?? append())
      if (appended.status === 'too-large') throw new AppendTooLarge(`Append too large: ${stream}`)
      if (appended.status === 'conflict') return null
      onAppended?.(context, newEvents.length)
      writtenTypes = newEvents.map(({ type }) => type)
      leaveStream(turn, loaded, stream, { newEvents, appended, state: decided.state })
      return { state: decided.state, events, ...appended }
    }

    /** Decides on what the command before left. Null when that does not lead to an event: another instance may have written since. */
    async function attemptOnLeft(left: Loaded, turn: Turn<Loaded>): Promise<Result | null> {
      try {
        const result = await attempt(left, turn)
        return result?.position ? result : null
      } catch (error) {
        if (error instanceof CommandRejected) return null
        throw error
      }
    }

    async function attemptUntilWritten(turn: Turn<Loaded>): Promise<Result> {
      let loaded = options.isNew ? emptyStream(decider.initial) : options.loaded
      const isReadNeeded = loaded === undefined && options.expectedRevision === undefined
      const first = isReadNeeded && turn.found ? await attemptOnLeft(turn.found, turn) : null
      if (first) return first
      for (let attempts = 0; attempts < maxAttempts; attempts++) {
        const result = await attempt(loaded ?? (await load(decider, id)), turn)
        if (result) return result
        loaded = undefined
      }
      throw new RetriesExhausted(`Conflict persists after ${maxAttempts - 1} retries: ${stream}`)
    }

    // All commands for a stream have the same decider.
    const result = await takeTurn(stream, (turn) => attemptUntilWritten(turn as Turn<Loaded>))
    // What is joined is waited for with its own events.
    if (join) return result
    // Also after an earlier execution: a concurrent request may have written a moment ago.
    if (result.position !== null && isWaitedFor)
      await waitWithinRequest(waitUntilCaughtUp(writtenTypes, result.position))
    return result
  }

  async function executeJointly<
    Command,
    Event extends DomainEvent,
    State,
    NextCommand,
    NextEvent extends DomainEvent,
    NextState,
  >(
    { first, toNext, others = [] }: JointWork<Command, Event, State, NextCommand, NextEvent, NextState>,
    context: CommandContext,
    { idempotencyKey, seen, consistency = 'read-your-writes' }: JointOptions,
  ): Promise<JointResult<State, Event, NextState, NextEvent> | null> {
    if (!store.appendTogether) return null
    const at = clock().toISOString()
    let next: CommandResult<NextState, NextEvent> | undefined

    /** Decides commands for a stream that does not wait for its turn: another write in between is a conflict. */
    async function decideJoined<C, E extends DomainEvent, S>({ decider, id, commands, loaded }: CommandsFor<C, E, S>) {
      const stream = `${decider.category}-${id}`
      const known = loaded === null ? emptyStream(decider.initial) : (loaded ?? (await load(decider, id)))
      const timed = commands.map((command) => ({ command, at }))
      const decided = decideAll(decider, timed, known.state, context)
      if (decided.events.length === 0) throw new NotJoined()
      const events = toNewEvents(decided.events, getEventVersions(decider.events), stream, context, idempotencyKey)
      return { ...decided, append: { stream, expected: known.revision, events } }
    }

    async function join(events: readonly Event[]): Promise<Joined> {
      const following = await decideJoined(toNext(events))
      const more = await Promise.all(others.map(decideJoined))
      const appends = [following, ...more].map(({ append }) => append)
      return {
        appends: [...appends, ...seen.map((each) => ({ ...each, events: [] }))],
        onAppended(written) {
          next = { state: following.state, events: following.events.map(({ event }) => event), ...written }
          onAppended?.(context, sum(appends.map((append) => append.events.length)))
        },
      }
    }

    try {
      const timed = first.commands.map((command) => ({ command, at }))
      const { decider, id } = first
      const result = await run(decider, id, timed, context, { idempotencyKey, consistency }, join)
      if (!next?.position) return null
      const types = next.events.map(({ type }) => type)
      if (consistency !== 'eventual') await waitWithinRequest(waitUntilCaughtUp(types, next.position))
      return { result, next, at }
    } catch (error) {
      if (error instanceof NotJoined) return null
      throw error
    }
  }

  const executeAll: CommandBus['executeAll'] = (decider, id, commands, context, options = {}) =>
    run(decider, id, commands, context, options)

  return {
    load,
    executeAll,
    executeJointly,
    execute: (decider, id, command, context, options) =>
      executeAll(decider, id, [{ command, at: clock().toISOString() }], context, options),
  }
}

/** Leaves a stream as it is after an append. Of several events, the store reports no positions: the stream is read again. */
function leaveStream<Event extends DomainEvent, State>(
  turn: Turn<LoadedStream<State, Event>>,
  { history }: LoadedStream<State, Event>,
  stream: string,
  { newEvents, appended, state }: { newEvents: readonly NewEvent[]; appended: Appended; state: State },
): void {
  const [only, second] = newEvents
  if (!only || second || appended.status !== 'appended') return
  const { revision, position } = appended
  // The store's time is not known, and not asked for: the history is searched for ids.
  const recorded = { ...only, stream, revision, position, recordedAt: only.metadata.at } as Recorded<Event>
  turn.leave({ state, revision, history: [...history, recorded] })
}

function assertExpectedRevision<State, Event extends DomainEvent>(
  stream: string,
  loaded: LoadedStream<State, Event>,
  expected: bigint | undefined,
): void {
  const { revision, history } = loaded
  if (expected === undefined || (revision === 'no-stream' ? -1n : revision) === expected) return
  if (revision !== 'no-stream' && revision > expected && findConflictingEvents(history, expected).length === 0) return
  throw new ConcurrencyError(stream, loaded, expected)
}
