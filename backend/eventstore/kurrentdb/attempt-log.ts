import { version as getUuidVersion } from 'uuid'
import type { Position } from '#eventstore/event.ts'

/** One attempt to append events. */
export type Attempt = {
  /**
   * Returns whether an append that the server has just confirmed at this position is certainly the first one of these
   * events, so that nothing has to be read back. `isFirstAttempt` is what the caller is certain of.
   */
  isFirst(position: Position, isFirstAttempt?: boolean): boolean
  /** Ends an attempt with a known outcome. An attempt without an end counts as one of unknown outcome. */
  end(position?: Position): void
}

export type AttemptLog = {
  begin(firstId: string): Attempt
  /** Remembers the position of an event that was read. */
  observe(position: Position): void
}

/** Attempts of unknown outcome that are remembered: a repetition follows within seconds. */
const maxAttempts = 10_000

/**
 * Milliseconds after the last append in which a caller is believed. Idempotency keys are forgotten after 24 hours: a request
 * that is sent again later seems to be the first, but its events are older than the last append.
 */
const maxQuietMs = 3_600_000

const isRandom = (id: string) => getUuidVersion(id) === 4

/**
 * Remembers what this instance has appended and read, because the server replies to a repeated append as to the first one.
 * Three things can make an append a repetition: an earlier or concurrent attempt of this instance with the same ids; events
 * appended before, whose position is then not beyond the newest one that this instance knew; and ids that another instance
 * can use too, which are derived from a name, unless the caller is certain. A random id (version 4) belongs to the instance
 * that made it. `now` returns milliseconds of a clock that is never set back.
 */
export function createAttemptLog(now: () => number = () => performance.now()): AttemptLog {
  /** Attempts in progress or of unknown outcome, by the id of the first event. */
  const open = new Map<string, { isRepeated: boolean }>()
  let newest: Position | undefined
  let lastAppendAt = -Infinity

  function observe(position: Position): void {
    if (newest === undefined || position > newest) newest = position
  }

  return {
    observe,
    begin(firstId) {
      const known = newest
      const hasAppendedLately = now() - lastAppendAt < maxQuietMs
      const earlier = open.get(firstId)
      if (earlier) earlier.isRepeated = true
      const attempt = earlier ?? { isRepeated: false }
      open.set(firstId, attempt)
      if (open.size > maxAttempts) open.delete(open.keys().next().value ?? '')
      return {
        isFirst: (position, isFirstAttempt = false) =>
          !attempt.isRepeated &&
          (known === undefined || position > known) &&
          (isRandom(firstId) || (isFirstAttempt && hasAppendedLately)),
        end(position) {
          if (position !== undefined) {
            observe(position)
            lastAppendAt = now()
          }
          if (!attempt.isRepeated) open.delete(firstId)
        },
      }
    },
  }
}
