import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { Money } from '#contracts/values/money.ts'
import { AppointmentType } from '#contracts/values/appointments.ts'
import { event } from '#eventstore/event.ts'

const fees = z.partialRecord(AppointmentType, Money)

/** What a practice asks for its appointments; only the types concerned, as they were and as they are. */
export const FeeEvent = event('FeesChanged', { practiceId: PracticeId, from: fees, to: fees })
export type FeeEvent = z.infer<typeof FeeEvent>
