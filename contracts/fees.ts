import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Cents, Money } from './values/money.ts'
import { AppointmentType } from './values/appointments.ts'

/** The fee of a completed appointment of each type. `revision` is null until a fee is changed. A change does not affect completed appointments. */
export const FeeSchedule = z.object({ fees: z.record(AppointmentType, Money), revision: z.number().nullable() })
export type FeeSchedule = z.infer<typeof FeeSchedule>

/** Gets the fee schedule. */
export const getFees = endpoint({
  method: 'GET',
  path: '/api/fees',
  access: { permission: 'settings' },
  reply: FeeSchedule,
})

/** One of the `changes` of the problem `changed-meanwhile`: a fee that another user has changed. */
export const FeeFieldConflict = z.object({
  field: AppointmentType,
  value: z.unknown(),
  by: z.string().nullable(),
  at: z.string(),
})
export type FeeFieldConflict = z.infer<typeof FeeFieldConflict>

/**
 * Changes fees, in cents by type. `revision` is the one that the user saw, null when no fee had been changed; 409
 * `changed-meanwhile` with `changes` when it is stale.
 */
export const changeFees = endpoint({
  method: 'PATCH',
  path: '/api/fees',
  access: { permission: 'settings' },
  body: z.strictObject({
    fees: z.partialRecord(AppointmentType, Cents),
    revision: z.number().int().min(0).nullable().optional(),
  }),
  reply: FeeSchedule,
})
