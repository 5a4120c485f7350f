import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AppointmentInsight } from './insights.ts'
import {
  AppointmentId,
  InsuranceVerificationId,
  PatientId,
  PracticeId,
  ProviderId,
  SeriesId,
  WaitlistEntryId,
} from './values/ids.ts'
import { Money } from './values/money.ts'
import { PersonName } from './values/person-name.ts'
import type { Permission } from './values/roles.ts'
import { optionalText, text } from './values/text.ts'
import {
  AppointmentStatus,
  AppointmentType,
  BookingConcern,
  ConfirmedConcerns,
  Duration,
  defaultDuration,
  Instant,
  maxRangeDays,
  AppointmentTime,
  CalendarDay,
  CalendarDays,
} from './values/appointments.ts'

/** One appointment. Instants are UTC; `localDate` and `localTime` are in the practice's time zone. */
export const Appointment = z.object({
  id: AppointmentId,
  practiceId: PracticeId,
  providerId: ProviderId,
  patientId: PatientId,
  patient: PersonName,
  /** True when the patient is recorded as deceased. */
  patientDeceased: z.boolean(),
  appointmentDate: z.string(),
  endsAt: z.string(),
  localDate: z.string(),
  /** HH:mm. */
  localTime: z.string(),
  /** Minutes. */
  duration: z.number(),
  type: AppointmentType,
  status: AppointmentStatus,
  /** The instant of the last status change; shows how long a patient has been waiting. */
  statusSince: z.string(),
  reason: z.string().nullable(),
  notes: z.string().nullable(),
  /** True when it knowingly overlapped another appointment of the provider. */
  overlap: z.boolean(),
  /** The series of recurring appointments it belongs to. */
  seriesId: SeriesId.nullable(),
  /** The fee fixed at completion; null before, and for callers without the permission `billing`. */
  fee: Money.nullable(),
  /** Insights about an upcoming appointment; null without any, and for callers who may not read insights. */
  aiInsights: z.array(AppointmentInsight).nullable(),
  /** True for an appointment of the sample practice. */
  sample: z.boolean(),
  revision: z.number(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type Appointment = z.infer<typeof Appointment>

/**
 * The insurance of a patient on the date of an appointment: `not-covered` only where a verification says so, `unknown` while one
 * waits for the insurer, and without any (`verificationId` is null). `isOtherPolicy` where the verification is about another policy
 * than the record of the patient has.
 */
export const Coverage = z.object({
  status: z.enum(['covered', 'not-covered', 'unknown']),
  verificationId: InsuranceVerificationId.nullable(),
  isOtherPolicy: z.boolean(),
})
export type Coverage = z.infer<typeof Coverage>

/** An appointment with its coverage, which is null for callers without the permission `insurance`. */
export const AppointmentDetails = Appointment.extend({ coverage: Coverage.nullable() })
export type AppointmentDetails = z.infer<typeof AppointmentDetails>

type May = (permission: Permission) => boolean

/** Withholds fees from callers who have nothing to do with money. */
export const withholdFee = <Priced extends { fee: unknown }>(appointment: Priced, may: May): Priced =>
  may('billing') ? appointment : { ...appointment, fee: null }
export const withholdFees = <Priced extends { fee: unknown }>(appointments: readonly Priced[], may: May): Priced[] =>
  appointments.map((appointment) => withholdFee(appointment, may))

/** A slot in which the provider has no appointment. */
export const FreeSlot = z.object({
  providerId: ProviderId,
  start: z.string(),
  end: z.string(),
  localDate: z.string(),
  /** HH:mm. */
  localTime: z.string(),
})
export type FreeSlot = z.infer<typeof FreeSlot>

/** The appointment that holds a requested slot. `patientName` is null for users without access to patients. */
export const SlotConflict = z.object({
  appointmentId: AppointmentId,
  providerId: ProviderId,
  providerName: z.string().nullable(),
  patientName: z.string().nullable(),
  from: z.string(),
  until: z.string(),
})
export type SlotConflict = z.infer<typeof SlotConflict>

/** The members of the problem `slot-taken`, besides its message. */
export const SlotTaken = z.object({ conflict: SlotConflict, freeSlots: z.array(FreeSlot) })
export type SlotTaken = z.infer<typeof SlotTaken>

/**
 * The members of the problem `confirm-appointment`, besides its message: what the user has not confirmed, with the starts (ISO
 * instants) it concerns. `reasons`, one for each start, are the name of the holiday, the reason for the day off, or the local
 * times of the working hours or the break ("12:00-13:00"); null or missing where there is none.
 */
export const ConfirmationRequired = z.object({
  concerns: z.array(
    z.object({
      concern: BookingConcern,
      starts: z.array(z.string()),
      reasons: z.array(z.string().nullable()).optional(),
    }),
  ),
})
export type ConfirmationRequired = z.infer<typeof ConfirmationRequired>

const placement = {
  providerId: ProviderId,
  appointmentDate: AppointmentTime,
  duration: Duration,
}
const details = {
  type: AppointmentType,
  /** The reason for the appointment; the print view shows it. */
  reason: optionalText(500),
  notes: optionalText(5_000),
}

/** A booking. The default provider is the caller, if they are an active provider; else the first active one. */
export const NewAppointment = z.strictObject({
  patientId: PatientId,
  providerId: placement.providerId.optional(),
  appointmentDate: placement.appointmentDate,
  duration: Duration.default(defaultDuration),
  type: details.type,
  status: AppointmentStatus.default('scheduled'),
  reason: details.reason.default(null),
  notes: details.notes.default(null),
  /** Books a slot that another appointment holds, and records the overlap. */
  allowOverlap: z.boolean().default(false),
  confirmed: ConfirmedConcerns,
  /** The patient's waitlist entry, which the booking removes. */
  waitlistEntryId: WaitlistEntryId.optional(),
})
export type NewAppointment = z.output<typeof NewAppointment>

/** The fields to change. `revision` is the one that the user saw. */
export const AppointmentChange = z
  .strictObject({ ...placement, ...details, status: AppointmentStatus })
  .partial()
  .extend({
    /** Accepted when it is the appointment's own: forms send all their fields. */
    patientId: PatientId.optional(),
    allowOverlap: z.boolean().default(false),
    confirmed: ConfirmedConcerns,
    /** The patient's waitlist entry, which the change removes. */
    waitlistEntryId: WaitlistEntryId.optional(),
    revision: z.number().int().min(0).optional(),
  })
export type AppointmentChange = z.output<typeof AppointmentChange>

/** The fields that `changes` of the problem `changed-meanwhile` can name. */
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

/**
 * Lists the appointments of a range of at most 62 days, also cancelled ones that the day list still shows. One that begins at
 * `endDate` is not in the range: the end of a day is the start of the next.
 */
export const listAppointments = endpoint({
  method: 'GET',
  path: '/api/appointments',
  access: { permission: 'scheduling' },
  query: z
    .object({
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
    // Plus an hour: the range may contain the end of daylight saving time.
    .refine(
      ({ startDate, endDate }) => Date.parse(endDate) - Date.parse(startDate) <= maxRangeDays * dayLength + 3_600_000,
      { path: ['endDate'], error: `At most ${maxRangeDays} days at once` },
    ),
  reply: z.array(Appointment),
  withhold: withholdFees,
})

/** The times of a day at which a provider is busy, in order. `date` and `localTime` (HH:mm) are those of the practice, durations minutes. */
export const BusyDay = z.object({
  date: z.string(),
  providerId: ProviderId,
  times: z.array(z.object({ localTime: z.string(), duration: z.number() })),
})
export type BusyDay = z.infer<typeof BusyDay>

/**
 * Lists when each provider is busy on some days, by the appointments on their day lists that are not cancelled. It says how full a
 * month is in a twentieth of the bytes of its appointments.
 */
export const listBusyDays = endpoint({
  method: 'GET',
  path: '/api/appointments/busy-days',
  access: { permission: 'scheduling' },
  query: CalendarDays,
  reply: z.array(BusyDay),
})

/** Lists today's appointments, in the practice's time zone. */
export const todaysAppointments = endpoint({
  method: 'GET',
  path: '/api/appointments/today',
  access: { permission: 'scheduling' },
  reply: z.array(Appointment),
  withhold: withholdFees,
})

/**
 * Lists the appointments of a patient: `upcoming` are open and not over, next first; `past` are all others, newest first,
 * cancelled ones included. The total is in `X-Total-Count`. Throws 404.
 */
export const listPatientAppointments = endpoint({
  method: 'GET',
  path: '/api/patients/:patientId/appointments',
  access: { permission: 'scheduling' },
  params: z.object({ patientId: PatientId }),
  query: z.object({
    period: z.enum(['upcoming', 'past'], { error: 'Please choose upcoming or past' }),
    limit: z.coerce.number().int().min(1, 'From 1 to 100').max(100, 'From 1 to 100').default(10),
    offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  }),
  reply: z.array(Appointment),
  withhold: withholdFees,
})

/** The appointments that a request cancelled, and those that it could not cancel; a repetition cancels the rest. */
export const Cancellations = z.object({ cancelled: z.array(AppointmentId), notCancelled: z.array(AppointmentId) })
export type Cancellations = z.infer<typeof Cancellations>

/** Cancels the upcoming appointments of a patient, as `listPatientAppointments` lists them. Throws 404. */
export const cancelPatientAppointments = endpoint({
  method: 'POST',
  path: '/api/patients/:patientId/appointments/cancel',
  access: { permission: 'scheduling' },
  params: z.object({ patientId: PatientId }),
  reply: Cancellations,
})

/** Lists the next free slots within the working hours, in order: the thirteen of each working day until hours are set. `excluding` is an appointment that will be moved. */
export const freeSlots = endpoint({
  method: 'GET',
  path: '/api/appointments/free-slots',
  access: { permission: 'scheduling' },
  query: z.object({
    providerId: ProviderId.optional(),
    /** The earliest start, or a day of the practice, which is asked for as a date: not every day has a midnight. Default is now. */
    from: z.union([CalendarDay, AppointmentTime], { error: 'Please enter a date, or a date and time' }).optional(),
    duration: z.coerce.number().pipe(Duration).default(defaultDuration),
    days: z.coerce.number().int().min(1).max(maxRangeDays).default(14),
    limit: z.coerce.number().int().min(1).max(100).default(3),
    excluding: AppointmentId.optional(),
  }),
  reply: z.array(FreeSlot),
})

/**
 * Searches by patient (as `listPatients` does), date ("Feb 3", "2/3/2027", "tomorrow"), type, and the first eight characters
 * of the id of an appointment or a patient. Several conditions must all match. Upcoming appointments come first, the next one
 * at the top, then past ones, the latest first.
 */
export const searchAppointments = endpoint({
  method: 'GET',
  path: '/api/appointments/search',
  access: { permission: 'scheduling' },
  query: z.object({
    search: text(200),
    limit: z.coerce.number().int().min(1, 'From 1 to 50').max(50, 'From 1 to 50').default(10),
  }),
  reply: z.array(Appointment),
  withhold: withholdFees,
})

/** Gets an appointment, whether its day list shows it or not. */
export const getAppointment = endpoint({
  method: 'GET',
  path: '/api/appointments/:appointmentId',
  access: { permission: 'scheduling' },
  params: z.object({ appointmentId: AppointmentId }),
  reply: AppointmentDetails,
  withhold: (appointment: AppointmentDetails, may): AppointmentDetails =>
    withholdFee(may('insurance') ? appointment : { ...appointment, coverage: null }, may),
})

/**
 * Books an appointment. 409 `confirm-appointment` (see ConfirmationRequired) if `confirmed` leaves out a concern; 409
 * `slot-taken` (see SlotTaken) unless `allowOverlap`; 422 with `nextValid` (an AppointmentTime) for
 * a local time that a clock change skips; 404 for a patient or provider of another practice; 409 `provider-inactive`;
 * 409 `already-booked` for the same patient, provider, time and type again, also with `allowOverlap`.
 */
export const bookAppointment = endpoint({
  method: 'POST',
  path: '/api/appointments',
  access: { permission: 'scheduling' },
  body: NewAppointment,
  reply: Appointment,
  withhold: withholdFee,
  status: 201,
})

/**
 * Changes the time, length, provider, details or status. Problems as for bookAppointment; also 409 `appointment-cancelled`
 * (a cancelled appointment accepts only changes of type, reason and notes) and 409 `changed-meanwhile` with `changes`.
 */
export const changeAppointment = endpoint({
  method: 'PATCH',
  path: '/api/appointments/:appointmentId',
  access: { permission: 'scheduling' },
  params: z.object({ appointmentId: AppointmentId }),
  body: AppointmentChange,
  reply: Appointment,
  withhold: withholdFee,
})

/** Cancels an appointment and hides it from the day list; its history stays. A repetition has no effect. */
export const cancelAppointment = endpoint({
  method: 'DELETE',
  path: '/api/appointments/:appointmentId',
  access: { permission: 'scheduling' },
  params: z.object({ appointmentId: AppointmentId }),
  reply: z.null(),
})
