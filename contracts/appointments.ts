import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AppointmentId, PatientId, PracticeId, ProviderId, SeriesId, WaitlistEntryId } from './values/ids.ts'
import { Money } from './values/money.ts'
import { optionalText } from './values/text.ts'
import {
  AppointmentStatus,
  AppointmentType,
  Duration,
  defaultDuration,
  FirstStatus,
  Instant,
  maxRangeDays,
  AppointmentTime,
} from './values/appointments.ts'

/** One appointment. Instants are UTC; `localDate` and `localTime` are what the practice's clocks show then. */
export const Appointment = z.object({
  id: AppointmentId,
  practiceId: PracticeId,
  providerId: ProviderId,
  patientId: PatientId,
  patient: z.object({ firstName: z.string(), lastName: z.string() }),
  appointmentDate: z.string(),
  endsAt: z.string(),
  localDate: z.string(),
  /** HH:mm. */
  localTime: z.string(),
  /** Minutes. */
  duration: z.number(),
  type: AppointmentType,
  status: AppointmentStatus,
  /** When the status became what it is: how long somebody has been waiting. */
  statusSince: z.string(),
  reason: z.string().nullable(),
  notes: z.string().nullable(),
  /** Whether it was booked although the provider had another appointment then. */
  overlap: z.boolean(),
  /** The row of recurring appointments it belongs to. */
  seriesId: SeriesId.nullable(),
  /** Fixed when it was completed; null otherwise. */
  fee: Money.nullable(),
  /** Whether it belongs to the sample practice. */
  sample: z.boolean(),
  revision: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Appointment = z.infer<typeof Appointment>

/** A time at which nobody is with the provider yet. */
export const FreeSlot = z.object({
  providerId: ProviderId,
  start: z.string(),
  end: z.string(),
  localDate: z.string(),
  /** HH:mm. */
  localTime: z.string(),
})
export type FreeSlot = z.infer<typeof FreeSlot>

/** Who has the slot that was asked for. `patientName` is null for those who may not see patients. */
export const SlotConflict = z.object({
  appointmentId: AppointmentId,
  providerId: ProviderId,
  providerName: z.string().nullable(),
  patientName: z.string().nullable(),
  from: z.string(),
  until: z.string(),
})
export type SlotConflict = z.infer<typeof SlotConflict>

/** What the problem `slot-taken` carries beside its message. */
export const SlotTaken = z.object({ takenBy: SlotConflict, freeSlots: z.array(FreeSlot) })
export type SlotTaken = z.infer<typeof SlotTaken>

const placement = {
  providerId: ProviderId,
  appointmentDate: AppointmentTime,
  duration: Duration,
}
const details = {
  type: AppointmentType,
  /** Why the patient comes; the print view shows it. */
  reason: optionalText(500),
  notes: optionalText(5_000),
}

/** Without a provider: the caller when they see patients themselves, else the practice's first. */
export const NewAppointment = z.strictObject({
  patientId: PatientId,
  providerId: placement.providerId.optional(),
  appointmentDate: placement.appointmentDate,
  duration: Duration.default(defaultDuration),
  type: details.type,
  status: FirstStatus.default('scheduled'),
  reason: details.reason.default(null),
  notes: details.notes.default(null),
  /** Books although somebody else has the slot, and records that. */
  allowOverlap: z.boolean().default(false),
  /** Ends the patient's waiting with this booking. */
  waitlistEntryId: WaitlistEntryId.optional(),
})
export type NewAppointment = z.output<typeof NewAppointment>

/** Only what changes; `revision` is the one the change was made on. */
export const AppointmentChange = z
  .strictObject({ ...placement, ...details, status: AppointmentStatus })
  .partial()
  .extend({
    allowOverlap: z.boolean().default(false),
    /** Ends the patient's waiting with this change. */
    waitlistEntryId: WaitlistEntryId.optional(),
    revision: z.number().int().min(0).optional(),
  })
export type AppointmentChange = z.output<typeof AppointmentChange>

/** What can have changed since somebody looked, in the problem `changed-meanwhile` as `changes`. */
export const AppointmentField = z.enum([
  'providerId',
  'appointmentDate',
  'duration',
  'type',
  'status',
  'reason',
  'notes',
])
export type AppointmentField = z.infer<typeof AppointmentField>

export const AppointmentFieldConflict = z.object({
  field: AppointmentField,
  value: z.unknown(),
  by: z.string().nullable(),
  at: z.string(),
})
export type AppointmentFieldConflict = z.infer<typeof AppointmentFieldConflict>

const dayLength = 24 * 3_600_000

/** Appointments that are under way within the range, at most 62 days. Cancelled ones too, unless they were taken off the list. */
export const listAppointments = endpoint({
  method: 'GET',
  path: '/api/appointments',
  access: { permission: 'scheduling' },
  query: z
    .strictObject({
      startDate: Instant,
      endDate: Instant,
      providerId: ProviderId.optional(),
      type: AppointmentType.optional(),
      status: AppointmentStatus.optional(),
      patientId: PatientId.optional(),
    })
    .refine(({ startDate, endDate }) => startDate <= endDate, {
      path: ['endDate'],
      error: 'Must not be before the start',
    })
    // An hour more: 62 days may hold the one at which clocks go back.
    .refine(
      ({ startDate, endDate }) => Date.parse(endDate) - Date.parse(startDate) <= maxRangeDays * dayLength + 3_600_000,
      { path: ['endDate'], error: `At most ${maxRangeDays} days at once` },
    ),
  reply: z.array(Appointment),
})

/** Today on the practice's own calendar. */
export const todaysAppointments = endpoint({
  method: 'GET',
  path: '/api/appointments/today',
  access: { permission: 'scheduling' },
  reply: z.array(Appointment),
})

/** The next times that are free, in order, from the thirteen slots of each day. `excluding` is an appointment that is to be moved. */
export const freeSlots = endpoint({
  method: 'GET',
  path: '/api/appointments/free-slots',
  access: { permission: 'scheduling' },
  query: z.strictObject({
    providerId: ProviderId.optional(),
    /** From when on; now when not given. */
    from: AppointmentTime.optional(),
    duration: z.coerce.number().pipe(Duration).default(defaultDuration),
    days: z.coerce.number().int().min(1).max(maxRangeDays).default(14),
    limit: z.coerce.number().int().min(1).max(100).default(3),
    excluding: AppointmentId.optional(),
  }),
  reply: z.array(FreeSlot),
})

/** Also one that was taken off the day list. */
export const getAppointment = endpoint({
  method: 'GET',
  path: '/api/appointments/:appointmentId',
  access: { permission: 'scheduling' },
  params: z.object({ appointmentId: AppointmentId }),
  reply: Appointment,
})

/**
 * 409 `slot-taken` (see SlotTaken) unless `allowOverlap`; 422 with `nextValid` (an AppointmentTime) for a local time that the clocks
 * skip; 404 for a patient or provider of another practice; 409 `provider-inactive`.
 */
export const bookAppointment = endpoint({
  method: 'POST',
  path: '/api/appointments',
  access: { permission: 'scheduling' },
  body: NewAppointment,
  reply: Appointment,
  status: 201,
})

/**
 * Moves, lengthens, hands over, describes, and sets the status. As bookAppointment; further 409 `appointment-cancelled` (only
 * the words about a cancelled appointment can change: book it anew), 409 `changed-meanwhile` with `changes`.
 */
export const changeAppointment = endpoint({
  method: 'PATCH',
  path: '/api/appointments/:appointmentId',
  access: { permission: 'scheduling' },
  params: z.object({ appointmentId: AppointmentId }),
  body: AppointmentChange,
  reply: Appointment,
})

/** Cancels it and takes it off the day list; its history stays. Once more is fine. */
export const cancelAppointment = endpoint({
  method: 'DELETE',
  path: '/api/appointments/:appointmentId',
  access: { permission: 'scheduling' },
  params: z.object({ appointmentId: AppointmentId }),
  reply: z.null(),
})
