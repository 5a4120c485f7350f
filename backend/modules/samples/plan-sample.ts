import { TZDate } from '@date-fns/tz'
import type { PatientFields } from '#contracts/patients.ts'
import { sampleEmail, samplePeople, type SamplePerson, samplePhone } from '#contracts/sample-people.ts'
import { sampleActivity } from '#contracts/sample-practice.ts'
import { type SampleAppointment, sampleSchedule } from '#contracts/sample-schedule.ts'
import { AppointmentId, ReservationId, PatientId, type PracticeId } from '#contracts/values/ids.ts'
import { deriveId } from '#eventstore/command-bus.ts'
import type { PlannedAppointment, SamplePlan } from '#modules/module.ts'
import type { SampleParameters } from './decider.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** All of a sample practice: who the patients are, when they came, and what their appointments came to, with ids of their own. */
export function planSample(practiceId: PracticeId, { at, timezone, seed }: SampleParameters): SamplePlan {
  const now = Date.parse(at)
  const here = new TZDate(now, timezone).toISOString()
  const [today, time] = [here.slice(0, 10), here.slice(11, 16)]
  const idOf = (what: string) => deriveId(`sample ${what} of ${practiceId}`)
  const patientIds = samplePeople.map((_, person) => PatientId.parse(idOf(`patient ${person}`)))
  const appointments = sampleSchedule(today, time, seed).map((appointment, index) => ({
    ...appointment,
    ...computeInstants(appointment, index, now, timezone),
    appointmentId: AppointmentId.parse(idOf(`appointment ${index}`)),
    holdId: ReservationId.parse(idOf(`place ${index}`)),
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

/** One after the other in the months before the sample's weeks, at the latest with the first booking. */
function registrationInstant(appointments: Appointments, person: number, now: number): string {
  const booked = appointments
    .filter((appointment) => appointment.person === person)
    .map(({ bookedAt }) => Date.parse(bookedAt))
  const came = now - (70 + 4 * (samplePeople.length - person)) * dayMs
  return new Date(Math.min(came, ...booked.map((time) => time - 5 * minuteMs))).toISOString()
}

/** At the end of the last visit; of the five who were seen to most recently, just now. */
function historyInstant(appointments: Appointments, person: number, now: number): string {
  const recent = sampleActivity.find((activity) => activity.person === person)
  const ended = appointments.filter(
    (appointment) => appointment.person === person && appointment.status === 'completed',
  )
  const last = Math.max(now - 60 * dayMs, ...ended.map(({ statusAt }) => Date.parse(statusAt)))
  return new Date(recent ? now - recent.minutesAgo * minuteMs : last).toISOString()
}

/** When an appointment begins, when it was booked (one to nine days ahead), and when it came to what it is; never after `now`. */
function computeInstants(
  { localDate, localTime, duration, status }: SampleAppointment,
  index: number,
  now: number,
  zone: string,
) {
  const starts = toInstant(localDate, localTime, zone)
  const ends = starts + duration * minuteMs
  const booked = Math.min(starts, now) - (1 + ((index * 7) % 9)) * dayMs - ((index * 37) % 300) * minuteMs
  const came: Record<SampleAppointment['status'], number> = {
    scheduled: booked,
    confirmed: booked + 2 * hourMs,
    waiting: now - 9 * minuteMs,
    'in-progress': starts,
    completed: ends,
    'no-show': ends,
    cancelled: Math.min(starts, now) - 18 * hourMs,
  }
  const iso = (time: number) => new Date(time).toISOString()
  return { startsAt: iso(starts), bookedAt: iso(booked), statusAt: iso(Math.min(came[status], now)) }
}

/** When the clocks of a place show a time; where they skip it, the time they show instead. */
function toInstant(localDate: string, localTime: string, zone: string): number {
  const [year = 0, month = 1, date = 1] = localDate.split('-').map(Number)
  const [hours = 0, minutes = 0] = localTime.split(':').map(Number)
  return TZDate.tz(zone, year, month - 1, date, hours, minutes).getTime()
}

const toPatientFields = (person: SamplePerson, index: number): PatientFields => {
  const { firstName, lastName, dateOfBirth, gender, medicalHistory, allergies, medications } = person
  return {
    firstName,
    lastName,
    dateOfBirth,
    gender,
    email: sampleEmail(person),
    phone: samplePhone(index),
    address: null,
    emergencyContact: null,
    insuranceInfo: null,
    medicalHistory,
    allergies: [...allergies],
    medications: [...medications],
    notes: null,
    deceasedOn: null,
  }
}
