import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { Money } from '#contracts/values/money.ts'
import { AppointmentType } from '#contracts/values/appointments.ts'
import { event } from '#eventstore/event.ts'

const fees = z.partialRecord(AppointmentType, Money)

/** A change of the fees of a practice. `from` and `to` contain only the changed types. */
export const FeeEvent = event('FeesChanged', { practiceId: PracticeId, from: fees, to: fees })
export type FeeEvent = z.infer<typeof FeeEvent>
