import type { EventStore } from '#eventstore/event-store.ts'
import { readEverything } from '#tests/support/events.ts'
import type { CommandContext } from '#eventstore/command-bus.ts'
import type { Placing, WholeFact } from '#modules/appointments/placing.ts'
import { intentionsOf } from '#modules/appointments/process-manager.ts'

/** The process was killed: nothing after it is written, whoever asks. */
export class Killed extends Error {}

/** A store whose process dies: `after(n)` lets n appends through and none after them, until `revive`. */
export function crashingStore(store: EventStore) {
  let left = Infinity
  return {
    after(appends: number) {
      left = appends
    },
    revive() {
      left = Infinity
    },
    store: {
      ...store,
      async append(stream, expected, events) {
        if (left <= 0) throw new Killed('the process is gone')
        left--
        return await store.append(stream, expected, events)
      },
    } satisfies EventStore,
  }
}

/** Everything the process manager would see to after a restart, oldest first; what it leads to is seen to as well. */
export async function heal(store: EventStore, places: Placing, context: CommandContext): Promise<void> {
  const seen = new Set<string>()
  for (let news = true; news;) {
    news = false
    for (const event of await readEverything(store)) {
      if (seen.has(event.id)) continue
      seen.add(event.id)
      news = true
      for (const intention of intentionsOf(event as never)) {
        if (intention.do === 'carry-on') {
          const fact = await places.find(intention.providerId, intention.days[0] ?? '', intention.holdId)
          await places.carryOn(fact as unknown as WholeFact, context)
        }
        if (intention.do === 'give-up') await places.giveUp(intention as never, intention.appointmentId, context)
        if (intention.do === 'release') await places.release(intention, context)
      }
    }
  }
}
