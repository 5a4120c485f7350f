import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Cents, Money } from './values/money.ts'
import { AppointmentType } from './values/appointments.ts'

/** What a completed appointment of each type costs. Appointments completed before a change keep the fee they got. */
export const FeeSchedule = z.object({ fees: z.record(AppointmentType, Money), revision: z.number().nullable() })
export type FeeSchedule = z.infer<typeof FeeSchedule>

export const getFees = endpoint({
  method: 'GET',
  path: '/api/fees',
  access: { permission: 'settings' },
  reply: FeeSchedule,
})

/** Sent in the problem `changed-meanwhile` as `changes`: what others changed since the revision that was sent. */
export const FeeFieldConflict = z.object({
  field: AppointmentType,
  value: z.unknown(),
  by: z.string().nullable(),
  at: z.string(),
})
export type FeeFieldConflict = z.infer<typeof FeeFieldConflict>

/**
 * Cents by type; only those that change. `revision` is the one the change was made on, null where nobody had changed a fee
 * yet; 409 `changed-meanwhile` with `changes` when it is given and stale.
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
