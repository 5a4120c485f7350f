import { z } from 'zod'
import { event } from '#eventstore/event.ts'

const count = z.number().int().positive()
/** ISO instants in UTC of the first and the last request that an event counts. */
const period = { firstAt: z.iso.datetime(), lastAt: z.iso.datetime() }

/** Refused requests; the user and the practice are in the metadata. */
export const RefusalEvent = z.discriminatedUnion('type', [
  /** Equal refusals of one caller within a minute. */
  event('RequestRefused', {
    method: z.string().min(1),
    /** The path pattern of the contract, never the path; null when the request was refused before its route was known. */
    route: z.string().min(1).nullable(),
    status: z.number().int(),
    /** The code of the problem. */
    code: z.string().min(1),
    /** The client's address as a keyed hash: two can be compared, but the address cannot be recovered. */
    addressHash: z.string().min(1),
    count,
    ...period,
  }),
  /** Refusals beyond the number of different ones that are recorded individually. */
  event('FurtherRequestsRefused', { count, ...period }),
])
export type RefusalEvent = z.infer<typeof RefusalEvent>

/** An operator had a command-line tool show values that identify patients or describe health. */
export const RevealEvent = event('DataRevealed', {
  /** The tool and its command, such as `events search`. */
  command: z.string().min(1),
  /** The operator's account on the machine. */
  by: z.string().min(1),
  /** The streams or the rows of read models whose values were shown; ids only. */
  shown: z.array(z.string().min(1)),
})
export type RevealEvent = z.infer<typeof RevealEvent>
