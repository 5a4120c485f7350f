import type { FieldErrors, Resolver } from 'react-hook-form'
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

/** The form as it is typed: a form knows texts only. Date and time are what the practice's clocks show. */
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

/** A form nobody has typed in (spec page 2, section 3.1: status scheduled, no type). */
export const createBlankValues = (over: Partial<AppointmentValues> = {}): AppointmentValues => ({
  patientId: '',
  providerId: '',
  date: '',
  time: '',
  duration: String(defaultDuration),
  type: '',
  status: 'scheduled',
  reason: '',
  notes: '',
  ...over,
})

/** An appointment as the form shows it. */
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

/** What is sent to book an appointment. */
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

const parts: Record<AppointmentField, readonly (keyof AppointmentValues)[]> = {
  providerId: ['providerId'],
  appointmentDate: ['date', 'time'],
  duration: ['duration'],
  type: ['type'],
  status: ['status'],
  reason: ['reason'],
  notes: ['notes'],
}
const fields = Object.keys(parts) as AppointmentField[]

/** The fields of the form in which a field of an appointment is typed. */
export const getFormFields = (field: AppointmentField): readonly (keyof AppointmentValues)[] => parts[field]

/** Fields in which two states of the form differ. */
export const findChangedFields = (before: AppointmentValues, after: AppointmentValues): AppointmentField[] =>
  fields.filter((field) => parts[field].some((part) => before[part].trim() !== after[part].trim()))

/** What is sent for an edit: only what differs from the appointment it began with. */
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

/** Where the form shows what is wrong with a field of the contract. */
export const toFormPath = (path: string): keyof AppointmentValues =>
  path === 'appointmentDate' ? 'time' : (path as keyof AppointmentValues)

const missing: [field: keyof AppointmentValues, message: string][] = [
  ['patientId', 'Please choose a patient'],
  ['date', 'Please enter a date'],
  ['time', 'Please enter a time'],
]

/** What would be sent for what was typed, and how it is checked. */
export type SubmitContext = { schema: z.ZodType; toBody: (values: AppointmentValues) => unknown }

/** Checks what would be sent against the contract, and puts each fault beside the field it was typed in. */
export const appointmentResolver: Resolver<AppointmentValues, SubmitContext> = (values, sending) => {
  const errors: Record<string, { type: string; message: string }> = {}
  for (const [field, message] of missing) if (!values[field]) errors[field] = { type: 'missing', message }
  const checked = sending?.schema.safeParse(sending.toBody(values))
  for (const { path, message, code } of checked?.error?.issues ?? [])
    errors[toFormPath(String(path[0]))] ??= { type: code, message }
  return Object.keys(errors).length === 0
    ? { values, errors: {} }
    : { values: {}, errors: errors as FieldErrors<AppointmentValues> }
}

/** Who has the slot and what is free instead, when that is why the server refused. */
export function parseSlotTaken(error: unknown): SlotTaken | null {
  if (!(error instanceof ApiProblem) || error.code !== 'slot-taken') return null
  return SlotTaken.safeParse(error.problem).data ?? null
}
