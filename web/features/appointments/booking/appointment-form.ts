import { formatTime } from '#web/ui/dates.ts'
import type { z } from 'zod'
import {
  type Appointment,
  type AppointmentChange,
  type AppointmentField,
  NewAppointment,
  SlotTaken,
} from '#contracts/appointments.ts'
import type { AppointmentStatus, AppointmentType } from '#contracts/values/appointments.ts'
import { defaultDuration } from '#contracts/values/appointments.ts'
import { ApiProblem } from '#web/api/call.ts'
import { findChangedFields as findChangedInForm, type FormFields } from '#web/forms/three-way-merge.ts'
import { formatMediumDate } from '../calendar-dates.ts'

/** The values of the form, all of them texts. Date and time are in the practice's time zone. */
export type AppointmentValues = {
  patientId: string
  providerId: string
  date: string
  time: string
  duration: string
  type: string
  status: string
  reason: string
  notes: string
}

/** Returns the values of an empty form (spec page 2, section 3.1: status scheduled, no type). */
export const createBlankValues = (overrides: Partial<AppointmentValues> = {}): AppointmentValues => ({
  patientId: '',
  providerId: '',
  date: '',
  time: '',
  duration: String(defaultDuration),
  type: '',
  status: 'scheduled',
  reason: '',
  notes: '',
  ...overrides,
})

/** Returns an appointment as form values. */
export const toAppointmentValues = (appointment: Appointment): AppointmentValues => ({
  patientId: appointment.patientId,
  providerId: appointment.providerId,
  date: appointment.localDate,
  time: appointment.localTime,
  duration: String(appointment.duration),
  type: appointment.type,
  status: appointment.status,
  reason: appointment.reason ?? '',
  notes: appointment.notes ?? '',
})

/** Returns the request body that books an appointment. */
export const toNewAppointment = (values: AppointmentValues): z.input<typeof NewAppointment> => ({
  patientId: values.patientId,
  ...(values.providerId ? { providerId: values.providerId } : {}),
  appointmentDate: `${values.date}T${values.time}`,
  duration: Number(values.duration),
  type: values.type as AppointmentType,
  status: values.status as 'scheduled',
  reason: values.reason,
  notes: values.notes,
})

/** The fields of an appointment in the form; date and time are two inputs of one field. */
export const appointmentFormFields: FormFields<AppointmentValues, AppointmentField> = {
  inputs: {
    providerId: ['providerId'],
    appointmentDate: ['date', 'time'],
    duration: ['duration'],
    type: ['type'],
    status: ['status'],
    reason: ['reason'],
    notes: ['notes'],
  },
  normalize: (values) =>
    Object.fromEntries(Object.entries(values).map(([input, text]) => [input, text.trim()])) as AppointmentValues,
}

/** Returns the fields in which two states of the form differ. */
export const findChangedFields = (before: AppointmentValues, after: AppointmentValues): AppointmentField[] =>
  findChangedInForm(appointmentFormFields, before, after)

/** Returns the fields of an edit that differ from the appointment it began with. */
export function toAppointmentChange(
  before: AppointmentValues,
  after: AppointmentValues,
): z.input<typeof AppointmentChange> {
  const all: Required<Pick<z.input<typeof AppointmentChange>, AppointmentField>> = {
    providerId: after.providerId,
    appointmentDate: `${after.date}T${after.time}`,
    duration: Number(after.duration),
    type: after.type as AppointmentType,
    status: after.status as AppointmentStatus,
    reason: after.reason,
    notes: after.notes,
  }
  return Object.fromEntries(findChangedFields(before, after).map((field) => [field, all[field]]))
}

/** Returns the input that shows an error in a field of the contract. */
const toInput = (path: string): keyof AppointmentValues =>
  path === 'appointmentDate' ? 'time' : (path as keyof AppointmentValues)

const required = [
  ['patientId', 'Please choose a patient'],
  ['date', 'Please enter a date'],
  ['time', 'Please enter a time'],
] as const

/** Explains a local time that a daylight-saving change skips, with the next valid one. */
function explain(error: unknown): { input: 'time'; message: string } | null {
  const next = error instanceof ApiProblem ? error.problem['nextValid'] : undefined
  const [, date, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)/.exec(String(next ?? '')) ?? []
  if (!date || !time) return null
  return {
    input: 'time',
    message: `This time does not exist on ${formatMediumDate(date)}, because of daylight saving time. The next valid time is ${formatTime(time)}.`,
  }
}

/** Options that every form about an appointment passes to `useContractForm` or `useConflictForm`. */
export const appointmentFormOptions = { toInput, required, explain }

/** Returns a key of the slot that the form asks for: a refusal holds for this slot only. */
export const getSlotKey = ({ date, time, duration, providerId }: AppointmentValues): string =>
  [date, time, duration, providerId].join()

/** Returns who has the slot and which slots are free instead, when the server refused for that reason. */
export function parseSlotTaken(error: unknown): SlotTaken | null {
  if (!(error instanceof ApiProblem) || error.code !== 'slot-taken') return null
  return SlotTaken.safeParse(error.problem).data ?? null
}
