import { z } from 'zod'
import { AppointmentType } from '#contracts/values/appointments.ts'
import { Colour } from '#contracts/values/colours.ts'
import { PracticeId } from '#contracts/values/ids.ts'
import { Money } from '#contracts/values/money.ts'
import { event, upcaster } from '#eventstore/event.ts'

/** `duration` is in minutes; a `colour` of null marks the type with none. */
const changes = z.partialRecord(
  AppointmentType,
  z.strictObject({ duration: z.int().positive(), fee: Money, colour: Colour.nullable() }).partial(),
)

/** A change of the appointment types of a practice. `from` and `to` contain only the changed settings. */
export const AppointmentTypeEvent = event(
  'AppointmentTypesChanged',
  { practiceId: PracticeId, from: changes, to: changes },
  { version: 2 },
)
export type AppointmentTypeEvent = z.infer<typeof AppointmentTypeEvent>

const toFeeChanges = (fees: unknown) =>
  Object.fromEntries(Object.entries(fees as Record<string, unknown>).map(([type, fee]) => [type, { fee }]))

/** Upcasters of events from the time when a practice could set the fees only. */
export const appointmentTypeUpcasters = [
  upcaster(
    'FeesChanged',
    1,
    ({ practiceId, from, to }) => ({ practiceId, from: toFeeChanges(from), to: toFeeChanges(to) }),
    { becomes: 'AppointmentTypesChanged' },
  ),
]
