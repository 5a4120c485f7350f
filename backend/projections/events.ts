import { z } from 'zod'
import { event } from '#eventstore/event.ts'

/** Operators' decisions about projections and process managers, in the stream `projection-<name>`. */
export const ReadModelEvent = z.discriminatedUnion('type', [
  /** An event is left out of one projection, now and in every rebuild. */
  event('ReadModelEventSkipped', {
    projection: z.string().min(1),
    /** Its position in the event store at that time. The id identifies it. */
    position: z.string().min(1),
    eventId: z.uuid(),
    eventType: z.string().min(1),
    /** The operator's account on the machine. */
    by: z.string().min(1),
    /** The reason, for auditors. The help text asks to name no patient. */
    why: z.string().min(1),
  }),
])
export type ReadModelEvent = z.infer<typeof ReadModelEvent>
