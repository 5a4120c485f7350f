import { randomUUID } from 'node:crypto'
import type { CommandContext, TimedCommand } from './command.ts'
import { CommandRejected } from './command-errors.ts'
import { type Decider, isRejection } from './decider.ts'
import { deriveEventId } from './derive-id.ts'
import { mapVersionsByType } from './event-schemas.ts'
import type { DomainEvent, NewEvent } from './event.ts'
import { currentRequest } from './request-scope.ts'

/** An event with the time at which its command was given, an ISO instant in UTC. */
export type TimedEvent<Event extends DomainEvent> = { event: Event; at: string }

/** Decides commands one after the other and returns their events. Throws CommandRejected when one of them is refused. */
export function decideAll<Command, Event extends DomainEvent, State>(
  decider: Decider<Command, Event, State>,
  commands: readonly TimedCommand<Command>[],
  initial: State,
  { sample = false }: CommandContext,
): { events: readonly TimedEvent<Event>[]; state: State } {
  let state = initial
  const events = commands.flatMap(({ command, at }) => {
    const decision = decider.decide(command, state)
    if (isRejection(decision)) throw new CommandRejected(decision)
    const decided = decision.map((event) => decider.events.parse(event))
    for (const event of decided) state = decider.evolve(state, { ...event, metadata: { sample } })
    return decided.map((event) => ({ event, at }))
  })
  return { events, state }
}

/** Returns events as the store takes them. Their ids are derived from the idempotency key, or random without one. */
export const toNewEvents = (
  events: readonly TimedEvent<DomainEvent>[],
  versions: ReadonlyMap<string, number>,
  stream: string,
  context: CommandContext,
  idempotencyKey: string | undefined,
): NewEvent[] =>
  events.map(({ event: { type, data }, at }, index) => ({
    id: idempotencyKey === undefined ? randomUUID() : deriveEventId(idempotencyKey, stream, index),
    type,
    data,
    metadata: {
      practiceId: context.practiceId,
      actor: context.actor,
      correlationId: context.correlationId,
      causationId: context.causationId ?? currentRequest()?.intentId ?? context.correlationId,
      at,
      schemaVersion: versions.get(type) ?? 1,
      sample: context.sample ?? false,
    },
  }))

const versionCache = new WeakMap<object, ReadonlyMap<string, number>>()

/** Returns the current schema version of each event of a decider. Cached: a declaration never changes. */
export function getEventVersions(events: object): ReadonlyMap<string, number> {
  const versions = versionCache.get(events) ?? mapVersionsByType(events)
  versionCache.set(events, versions)
  return versions
}
