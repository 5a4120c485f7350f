import type {
  AppointmentId,
  HoldId,
  PatientId,
  PracticeId,
  ProviderId,
  WaitlistEntryId,
} from '#contracts/values/ids.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import type { AppointmentEvent, Place } from './events.ts'
import type { ScheduleEvent } from './schedule/events.ts'

type Where = { providerId: ProviderId; days: readonly string[]; holdId: HoldId }

/** What is still to be done once something has happened, should whoever made it happen not have come that far. Ids only. */
export type Intention =
  /** The visit follows what the schedule has decided. */
  | ({ do: 'carry-on' } & Where)
  /** A visit past midnight of which only the second day is held comes to an end, one way or the other. */
  | ({ do: 'give-up'; appointmentId: AppointmentId } & Where)
  | ({ do: 'release' } & Where)
  | { do: 'cancel-visits'; patientId: PatientId; practiceId: PracticeId }
  /** A booking that was under way while its patient was removed. */
  | { do: 'cancel-if-removed'; appointmentId: AppointmentId; patientId: PatientId; practiceId: PracticeId }
  | { do: 'end-waiting'; waitlistEntryId: WaitlistEntryId; practiceId: PracticeId }

type Fact = (ScheduleEvent | AppointmentEvent | PatientEvent) & { metadata: { practiceId: string | null } }

const where = ({ providerId, days, holdId }: Place): Where => ({ providerId, days, holdId })

const waited = (waitlistEntryId: WaitlistEntryId | null, practiceId: PracticeId): Intention[] =>
  waitlistEntryId ? [{ do: 'end-waiting', waitlistEntryId, practiceId }] : []

/** What follows from a fact of the schedule, of a visit, or of a patient. */
export function intentionsOf(event: Fact): Intention[] {
  const practiceId = event.metadata.practiceId as PracticeId
  switch (event.type) {
    case 'SlotHeldForBooking':
    case 'SlotHeldForMove':
      return [{ do: 'carry-on', ...where(event.data.place) }]
    case 'SlotHeldAlong':
      return [{ do: 'give-up', appointmentId: event.data.appointmentId, ...where(event.data.place) }]
    case 'AppointmentBooked': {
      const { appointmentId, patientId, waitlistEntryId } = event.data
      return [{ do: 'cancel-if-removed', appointmentId, patientId, practiceId }, ...waited(waitlistEntryId, practiceId)]
    }
    case 'AppointmentRescheduled':
      return [{ do: 'release', ...where(event.data.from) }, ...waited(event.data.waitlistEntryId, practiceId)]
    case 'AppointmentCancelled':
      return [{ do: 'release', ...where(event.data.place) }]
    case 'PatientRemoved':
      return [{ do: 'cancel-visits', patientId: event.data.patientId, practiceId }]
    default:
      return []
  }
}
