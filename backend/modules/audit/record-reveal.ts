import { randomUUID } from 'node:crypto'
import type { EventStore } from '#eventstore/event-store.ts'
import { recordDecision } from '#eventstore/record-decision.ts'
import { RevealEvent } from './events.ts'

/** Keeps one event far below the size limit of an append. */
const maxShownPerEvent = 2_000

/** Returns whether a stream holds such records: they contain nothing that would have to be recorded when shown. */
export const isRevealStream = (stream: string): boolean => stream.startsWith('reveal-')

/**
 * Records what an operator is about to see, before it is shown. Throws when it cannot be recorded: then nothing may be
 * shown.
 */
export async function recordReveal(
  store: EventStore,
  { command, by, shown }: { command: string; by: string; shown: readonly string[] },
): Promise<void> {
  for (let start = 0; start < shown.length; start += maxShownPerEvent)
    await recordDecision(store, {
      stream: `reveal-${randomUUID()}`,
      schema: RevealEvent,
      event: { type: 'DataRevealed', data: { command, by, shown: shown.slice(start, start + maxShownPerEvent) } },
      process: 'command-line',
      isSame: () => false,
    })
}
