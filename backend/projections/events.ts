import { z } from 'zod'
import { event } from '#eventstore/event.ts'

/** What people have decided about read models. In the stream `projection-<name>`. */
export const ReadModelEvent = z.discriminatedUnion('type', [
  /** One event is left out of one read model, now and whenever it is folded anew. */
  event('ReadModelEventSkipped', {
    projection: z.string().min(1),
    /** Where it stood in the store it was skipped in; the id is what counts. */
    position: z.string().min(1),
    eventId: z.uuid(),
    eventType: z.string().min(1),
    /** The account on the machine of whoever decided it. */
    by: z.string().min(1),
    /** For every auditor to read: whoever calls is told to name no patient. */
    why: z.string().min(1),
  }),
])
export type ReadModelEvent = z.infer<typeof ReadModelEvent>
