import { z } from 'zod'
import { PracticeId, ProviderId, UserId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

const providerId = ProviderId
const text = z.string().min(1)
const details = {
  name: text,
  title: text.nullable(),
  colour: z.enum(['teal', 'blue', 'purple', 'pink', 'red', 'orange', 'gold', 'green']),
}

/** Everything that can have happened to somebody who sees patients. */
export const ProviderEvent = z.discriminatedUnion('type', [
  /**
   * `userId` is their login, when they have one. `timezone` (IANA) is the practice's at that moment: the days of the schedule are
   * counted in it for ever, also when the practice moves, because they name the streams that keep appointments apart.
   */
  event('ProviderAdded', {
    providerId,
    practiceId: PracticeId,
    userId: UserId.nullable(),
    ...details,
    timezone: text,
  }),
  /** Only the fields concerned, as they were and as they are. */
  event('ProviderDetailsChanged', {
    providerId,
    from: z.strictObject(details).partial(),
    to: z.strictObject(details).partial(),
  }),
  /** Sees no patients any more; past appointments stay. */
  event('ProviderDeactivated', { providerId }),
  event('ProviderReactivated', { providerId }),
])
export type ProviderEvent = z.infer<typeof ProviderEvent>
