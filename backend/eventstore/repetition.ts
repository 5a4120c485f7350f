import type { TimedCommand } from './command.ts'
import { deriveEventId } from './derive-id.ts'
import type { DomainEvent, Recorded } from './event.ts'
import { currentRequest } from './request-scope.ts'

/** Returns the name from which the ids of a command's events are derived; undefined for random ids. */
export function getIdempotencyKey(
  idempotencyKey: string | null | undefined,
  stream: string,
  commands: readonly TimedCommand<unknown>[],
): string | undefined {
  if (idempotencyKey !== undefined) return idempotencyKey ?? undefined
  const request = currentRequest()
  if (!request || request.intentId === null) return undefined
  const content = JSON.stringify(commands, withoutTime)
  return `${request.intentId}:${content}:${request.count(`${stream}:${content}`)}`
}

/** Fields in which a command differs from attempt to attempt. */
const timeFields = new Set(['at', 'now', 'today'])

const withoutTime = (field: string, value: unknown) =>
  timeFields.has(field) ? undefined : typeof value === 'bigint' ? String(value) : value

/**
 * Returns the events of an earlier execution with the same idempotency key. Not every store refuses a used id at another
 * revision, so repeated commands are recognized here.
 */
export function findEarlierEvents<Event extends DomainEvent>(
  history: readonly Recorded<Event>[],
  idempotencyKey: string | undefined,
  stream: string,
): readonly Recorded<Event>[] {
  if (idempotencyKey === undefined) return []
  // Once, not for every event of the history: deriving an id costs more than folding an event.
  const firstId = deriveEventId(idempotencyKey, stream, 0)
  const start = history.findIndex(({ id }) => id === firstId)
  if (start === -1) return []
  const isNext = ({ id }: Recorded, index: number) => id === deriveEventId(idempotencyKey, stream, index)
  const end = history.findIndex((event, index) => index > start && !isNext(event, index - start))
  return history.slice(start, end === -1 ? undefined : end)
}

/** Returns whether an earlier attempt at the current request wrote an event. */
export function isOfEarlierAttempt({ metadata }: Pick<Recorded, 'metadata'>): boolean {
  const request = currentRequest()
  return Boolean(request?.isRepetition) && metadata.causationId === request?.intentId
}

/** Records that an earlier attempt at the current request has written, if one of these events is of it. */
export function noteEarlierAttempt(history: readonly Recorded[]): void {
  if (history.some(isOfEarlierAttempt)) currentRequest()?.noteEarlierWrite()
}
