import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleEmail, samplePeople, samplePhone } from '#contracts/sample-people.ts'
import { sampleBadges, sampleForms } from '#contracts/sample-practice.ts'
import { sampleSchedule, type SampleAppointment } from '#contracts/sample-schedule.ts'
import { NewPatient } from '#contracts/patients.ts'
import { AppointmentStatus, daySlots } from '#contracts/values/appointments.ts'

const start = ({ localTime }: SampleAppointment) => Number(localTime.slice(0, 2)) * 60 + Number(localTime.slice(3))
const days = fc.date({ min: new Date('2024-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
const moment = fc.record({
  today: days.map((day) => day.toISOString().slice(0, 10)),
  now: fc.constantFrom('00:00', '08:59', '09:00', '10:42', '12:30', '14:15', '17:30', '23:59'),
  seed: fc.integer(),
})

describe('the people of the sample practice', () => {
  it('are forty, each with an address and a number of their own that no other one has', () => {
    expect(samplePeople).toHaveLength(40)
    expect(new Set(samplePeople.map(sampleEmail)).size).toBe(40)
    expect(samplePeople.map((_, index) => samplePhone(index))).toSatisfy((phones: string[]) =>
      phones.every((phone) => /^\+16175550[1]\d\d$/.test(phone)),
    )
  })

  it.each(samplePeople.map((person, index) => [sampleEmail(person), person, index] as const))(
    '%s could have been entered by hand',
    (email, person, index) => {
      const { medicalHistory, allergies, medications, ...rest } = person
      expect(
        NewPatient.safeParse({
          ...rest,
          email,
          phone: samplePhone(index),
          medicalHistory,
          allergies: [...allergies],
          medications: [...medications],
        }).error,
      ).toBeUndefined()
    },
  )

  it('are those whom the sample forms name', () => {
    for (const { person } of sampleForms) expect(samplePeople[person]).toBeDefined()
  })
})

describe('the appointments of the sample practice', () => {
  it('follow from the day, the time and the seed alone', () => {
    fc.assert(
      fc.property(moment, ({ today, now, seed }) => {
        expect(sampleSchedule(today, now, seed)).toEqual(sampleSchedule(today, now, seed))
      }),
      { numRuns: 20 },
    )
    expect(sampleSchedule('2026-11-20', '10:42', 1)).not.toEqual(sampleSchedule('2026-11-20', '10:42', 2))
  })

  it('never overlap, begin at one of the thirteen times, and keep to the hours of the practice', () => {
    fc.assert(
      fc.property(moment, ({ today, now, seed }) => {
        const appointments = sampleSchedule(today, now, seed)
        appointments.forEach((appointment, index) => {
          expect(daySlots).toContain(appointment.localTime)
          expect(start(appointment) + appointment.duration).toBeLessThanOrEqual(17 * 60 + 30)
          const before = appointments[index - 1]
          if (before?.localDate === appointment.localDate)
            expect(start(before) + before.duration).toBeLessThanOrEqual(start(appointment))
          else if (before) expect(before.localDate < appointment.localDate).toBe(true)
        })
      }),
      { numRuns: 50 },
    )
  })

  it('fill today, leave weekends free otherwise, and have no patient twice in a day', () => {
    fc.assert(
      fc.property(moment, ({ today, now, seed }) => {
        const appointments = sampleSchedule(today, now, seed)
        // What the badge beside Appointments says, and what the dashboard counts.
        const kept = appointments.filter(({ localDate, status }) => localDate === today && status !== 'cancelled')
        expect(kept).toHaveLength(sampleBadges.appointments)
        for (const { localDate } of appointments) {
          const weekday = new Date(`${localDate}T12:00:00Z`).getUTCDay()
          expect(localDate === today || (weekday > 0 && weekday < 6)).toBe(true)
        }
        const seen = appointments.map(({ localDate, person }) => `${localDate} ${person}`)
        expect(new Set(seen).size).toBe(seen.length)
        expect(appointments.length).toBeGreaterThan(200)
        expect(new Set(appointments.map(({ person }) => person)).size).toBe(40)
      }),
      { numRuns: 50 },
    )
  })

  it('have a status that fits the time', () => {
    fc.assert(
      fc.property(moment, ({ today, now, seed }) => {
        for (const appointment of sampleSchedule(today, now, seed)) {
          expect(AppointmentStatus.options).toContain(appointment.status)
          if (appointment.localDate > today)
            expect(['scheduled', 'confirmed', 'cancelled']).toContain(appointment.status)
          if (appointment.localDate < today) expect(['completed', 'cancelled', 'no-show']).toContain(appointment.status)
        }
        const busy = sampleSchedule(today, now, seed).filter(({ status }) => status === 'in-progress')
        expect(busy.length).toBeLessThanOrEqual(1)
      }),
      { numRuns: 50 },
    )
  })
})
