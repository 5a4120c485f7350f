import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Cents, Money } from './values/money.ts'
import { AppointmentType } from './values/visits.ts'

/** What a completed visit of each type costs. Visits completed before a change keep the fee they got. */
export const FeeSchedule = z.object({ fees: z.record(AppointmentType, Money), revision: z.number().nullable() })
export type FeeSchedule = z.infer<typeof FeeSchedule>

export const getFees = endpoint({
  method: 'GET',
  path: '/api/fees',
  access: { permission: 'settings' },
  reply: FeeSchedule,
})

/** Cents by type; only those that change. */
export const changeFees = endpoint({
  method: 'PATCH',
  path: '/api/fees',
  access: { permission: 'settings' },
  body: z.strictObject({ fees: z.partialRecord(AppointmentType, Cents) }),
  reply: FeeSchedule,
})
