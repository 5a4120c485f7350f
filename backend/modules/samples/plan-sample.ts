import { emptyPatientFields, type PatientFields } from '#contracts/patients.ts'
import { sampleEmail, samplePeople, type SamplePerson, samplePhone } from '#contracts/sample-people.ts'
import { sampleActivity } from '#contracts/sample-practice.ts'
import { type SampleAppointment, sampleSchedule } from '#contracts/sample-schedule.ts'
import { toInstant, toLocalDateTime } from '#contracts/values/calendar.ts'
import { AppointmentId, ReservationId, PatientId, type PracticeId } from '#contracts/values/ids.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import type { SampleParameters } from './decider.ts'
import type { PlannedAppointment, SamplePlan } from './public.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** Plans a sample practice: patients, registration dates, appointments and their outcomes, with derived ids. */
export function planSample(practiceId: PracticeId, { at, timezone, seed }: SampleParameters): SamplePlan {
  const now = Date.parse(at)
  const { date: today, time } = toLocalDateTime(at, timezone)
  const deriveSampleId = (what: string) => deriveId(`sample ${what} of ${practiceId}`)
  const patientIds = samplePeople.map((_, person) => PatientId.parse(deriveSampleId(`patient ${person}`)))
  const appointments = sampleSchedule(today, time, seed).map((appointment, index) => ({
    ...appointment,
    ...computeInstants(appointment, index, now, timezone),
    appointmentId: AppointmentId.parse(deriveSampleId(`appointment ${index}`)),
    reservationId: ReservationId.parse(deriveSampleId(`reservation ${index}`)),
    patientId: patientIds[appointment.person] as PatientId,
  }))
  return {
    practiceId,
    today,
    at,
    patients: samplePeople.map((person, index) => ({
      patientId: patientIds[index] as PatientId,
      registeredAt: registrationInstant(appointments, index, now),
      fields: toPatientFields(person, index),
      historyRecordedAt: historyInstant(appointments, index, now),
    })),
    appointments: appointments.map(({ person: _, localDate: _date, localTime: _time, ...appointment }) => appointment),
  }
}

type Appointments = readonly (PlannedAppointment & { person: number })[]

/** Registers one patient after the other in the months before the sample's weeks, at the latest at the first booking. */
function registrationInstant(appointments: Appointments, person: number, now: number): string {
  const booked = appointments
    .filter((appointment) => appointment.person === person)
    .map(({ bookedAt }) => Date.parse(bookedAt))
  const registered = now - (70 + 4 * (samplePeople.length - person)) * dayMs
  return new Date(Math.min(registered, ...booked.map((time) => time - 5 * minuteMs))).toISOString()
}

/** Returns the end of the patient's last appointment, or, for the five most recent patients, minutes ago. */
function historyInstant(appointments: Appointments, person: number, now: number): string {
  const recent = sampleActivity.find((activity) => activity.person === person)
  const ended = appointments.filter(
    (appointment) => appointment.person === person && appointment.status === 'completed',
  )
  const last = Math.max(now - 60 * dayMs, ...ended.map(({ statusAt }) => Date.parse(statusAt)))
  return new Date(recent ? now - recent.minutesAgo * minuteMs : last).toISOString()
}

/** Returns when an appointment starts, was booked (one to nine days ahead) and reached its status; neither is after `now`. */
function computeInstants(
  { localDate, localTime, duration, status }: SampleAppointment,
  index: number,
  now: number,
  zone: string,
) {
  const starts = Date.parse(toInstant(localDate, localTime, zone))
  const ends = starts + duration * minuteMs
  const booked = Math.min(starts, now) - (1 + ((index * 7) % 9)) * dayMs - ((index * 37) % 300) * minuteMs
  const reached: Record<SampleAppointment['status'], number> = {
    scheduled: booked,
    confirmed: booked + 2 * hourMs,
    waiting: now - 9 * minuteMs,
    'in-progress': starts,
    completed: ends,
    'no-show': ends,
    cancelled: Math.min(starts, now) - 18 * hourMs,
  }
  const iso = (time: number) => new Date(time).toISOString()
  return { startsAt: iso(starts), bookedAt: iso(booked), statusAt: iso(Math.min(reached[status], now)) }
}

const toPatientFields = (person: SamplePerson, index: number): PatientFields => {
  const { firstName, lastName, dateOfBirth, gender, medicalHistory, allergies, medications } = person
  return {
    ...emptyPatientFields,
    firstName,
    lastName,
    dateOfBirth,
    gender,
    email: sampleEmail(person),
    phone: samplePhone(index),
    medicalHistory,
    allergies: [...allergies],
    allergiesStatus: allergies.length > 0 ? 'listed' : medicalHistory === null ? 'unknown' : 'none-known',
    medications: [...medications],
  }
}
