import { z } from 'zod'
import { ClosureId, PracticeId, ProviderId } from '#contracts/values/ids.ts'
import { event } from '#eventstore/event.ts'

const closureId = ClosureId

/** Local dates of the practice, YYYY-MM-DD, both included. `name` is that of a holiday, or the reason for days off. */
const fields = { name: z.string().min(1).nullable(), from: z.iso.date(), until: z.iso.date() }
const changes = z.strictObject(fields).partial()

/** Days on which a practice is closed (a holiday, without a provider), or on which a provider is off. */
export const ClosureEvent = z.discriminatedUnion('type', [
  event('ClosureAdded', { closureId, practiceId: PracticeId, providerId: ProviderId.nullable(), ...fields }),
  /** The changed fields only, before and after. */
  event('ClosureChanged', { closureId, from: changes, to: changes }),
  event('ClosureRemoved', { closureId }),
])
export type ClosureEvent = z.infer<typeof ClosureEvent>
