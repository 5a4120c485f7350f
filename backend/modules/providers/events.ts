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

/** The events of a provider: a person who sees patients. */
export const ProviderEvent = z.discriminatedUnion('type', [
  /**
   * `userId` is the provider's account, if there is one. `timezone` (IANA) is that of the practice when the provider
   * was added. The days of the schedule stay in it even when the practice moves, because they name the streams that
   * prevent overlaps.
   */
  event('ProviderAdded', {
    providerId,
    practiceId: PracticeId,
    userId: UserId.nullable(),
    ...details,
    timezone: text,
  }),
  /** The changed fields only, before and after. */
  event('ProviderDetailsChanged', {
    providerId,
    from: z.strictObject(details).partial(),
    to: z.strictObject(details).partial(),
  }),
  /** No longer sees patients; past appointments stay. */
  event('ProviderDeactivated', { providerId }),
  event('ProviderReactivated', { providerId }),
])
export type ProviderEvent = z.infer<typeof ProviderEvent>
