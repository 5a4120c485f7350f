import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TrendPeriod } from '#contracts/dashboard.ts'
import { analyticsAppointments, analyticsPatients } from '#modules/analytics/projection.ts'
import { patientCountsProjection } from '#modules/patients/projection.ts'
import { findCountedAppointments, findStats, findTrends } from '#modules/dashboard/queries.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { buildStatements } from '#projections/tables.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { cases } from '#tests/support/long.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.dispose())

const hour = 3_600_000
const day = 24 * hour

/** Current instants around changes of daylight saving: at midnight, at two, by half an hour, or none. */
const places = [
  ['America/Havana', '2025-11-02T12:00:00Z'],
  ['America/Havana', '2025-03-09T12:00:00Z'],
  ['Atlantic/Azores', '2025-10-26T12:00:00Z'],
  ['America/New_York', '2025-03-31T12:00:00Z'],
  ['Australia/Lord_Howe', '2025-04-06T12:00:00Z'],
  ['Asia/Kathmandu', '2024-02-29T12:00:00Z'],
] as const

const quarters = (min: number, max: number) => fc.integer({ min, max }).map((count) => count * (hour / 4))

/** Offsets from noon UTC of that day: the night of the change, the days around it, half a year. */
const moment = fc.oneof(quarters(-52, -20), quarters(-9 * 96, 3 * 96), quarters(-190 * 96, 20 * 96))

const appointment = fc.record({
  startsAt: moment,
  state: fc.constantFrom('open' as const, 'completed' as const, 'cancelled' as const),
  completedAfter: fc.integer({ min: 0, max: 30 * 24 }),
  fee: fc.integer({ min: 1, max: 50_000 }),
  sample: fc.boolean(),
})

const save = async (projection: AnyProjection, rows: readonly object[]) =>
  void (await app.services.pool.query(buildStatements(projection).save, [JSON.stringify(rows)]))

const before = (date: string, days: number) => new Date(Date.parse(date) - days * day).toISOString().slice(0, 10)
const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0)

it('equals a naive count in every time zone, around daylight saving changes, with and without samples', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...places),
      fc.integer({ min: -30, max: 30 }),
      fc.array(appointment, { maxLength: 60 }),
      fc.array(fc.tuple(moment, fc.boolean()), { maxLength: 20 }),
      fc.boolean(),
      async ([zone, around], hours, appointments, patients, includeSamples) => {
        const now = new Date(Date.parse(around) + hours * hour)
        const shown = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
        const dayOf = (instant: string | null) => (instant === null ? '' : shown.format(new Date(instant)))
        const at = (offset: number) => new Date(Date.parse(around) + offset).toISOString()
        const practice_id = randomUUID()
        const scope = { practiceId: practice_id, includeSamples }
        const isShown = ({ sample }: { sample: boolean }) => includeSamples || !sample
        const allRows = appointments.map(({ startsAt, state, completedAfter, fee, sample }) => ({
          appointment_id: randomUUID(),
          practice_id,
          patient_id: randomUUID(),
          provider_id: randomUUID(),
          type: 'check-up',
          starts_at: at(startsAt),
          booked_at: at(startsAt),
          minutes: 30,
          status: state === 'open' ? 'confirmed' : state,
          completed_at: state === 'completed' ? at(startsAt + completedAfter * hour) : null,
          fee_cents: state === 'completed' ? fee : null,
          sample,
        }))
        const rows = allRows.filter(isShown)
        const allPatients = patients.map(([registered, sample]) => ({
          patient_id: randomUUID(),
          practice_id,
          date_of_birth: null,
          gender: null,
          // No patient is registered in the future.
          registered_at: at(Math.min(registered, hours * hour)),
          sample,
        }))
        const came = allPatients.filter(isShown)
        const samples = allPatients.filter(({ sample }) => sample).map(({ patient_id }) => patient_id)
        await save(analyticsAppointments, allRows)
        await save(analyticsPatients, allPatients)
        await save(patientCountsProjection, [
          { practice_id, patients: allPatients.length - samples.length, sample_ids: samples },
        ])

        const today = dayOf(now.toISOString())
        const kept = (date: string) =>
          rows.filter(({ status, starts_at }) => status !== 'cancelled' && dayOf(starts_at) === date).length
        const paid = (from: string, until: string) =>
          sum(
            rows
              .filter(({ completed_at }) => dayOf(completed_at) >= from && dayOf(completed_at) < until)
              .map(({ fee_cents }) => fee_cents ?? 0),
          )
        const month = `${today.slice(0, 8)}01`
        const lastMonth = `${before(month, 1).slice(0, 8)}01`
        const sameDay = before(lastMonth, -Number(today.slice(8)))
        const tomorrow = before(today, -1)
        const week = [6, 5, 4, 3, 2, 1, 0].map((ago) => before(today, ago))
        const { db } = app.services
        expect(await findStats(db, { scope, moment: { now, zone } })).toEqual({
          today,
          // No appointment is in the read model of insights.
          aiInsights: 0,
          todaysAppointments: kept(today),
          totalPatients: came.length,
          revenue: paid(month, tomorrow) / 100,
          revenueCents: paid(month, tomorrow),
          compared: {
            yesterdaysAppointments: kept(before(today, 1)),
            newPatientsThisWeek: came.filter(({ registered_at }) => dayOf(registered_at) >= (week[0] ?? '')).length,
            lastMonthsRevenue: { cents: paid(lastMonth, sameDay < month ? sameDay : month), currency: 'USD' },
          },
          histories: {
            appointments: week.map(kept),
            patients: week.map((date) => came.filter(({ registered_at }) => dayOf(registered_at) <= date).length),
            revenue: week.map((date) => paid(date, before(date, -1))),
          },
        })

        const counts = (from: string, to: string) => {
          const then = rows.filter(({ starts_at }) => dayOf(starts_at) >= from && dayOf(starts_at) <= to)
          const of = (state: string) => then.filter(({ status }) => status === state).length
          return { scheduled: then.length, completed: of('completed'), cancelled: of('cancelled') }
        }
        const periods: [TrendPeriod, number, number][] = [
          ['7days', 7, 1],
          ['30days', 30, 1],
          ['3months', 13, 7],
        ]
        for (const [period, points, days] of periods) {
          const expected = Array.from({ length: points }, (_, index) => {
            const to = before(today, (points - 1 - index) * days)
            const from = before(to, days - 1)
            return { from, to, ...counts(from, to) }
          })
          const first = expected[0]?.from ?? ''
          expect(await findTrends(db, { scope, period, moment: { now, zone } })).toEqual({
            points: expected,
            before: counts(before(first, points * days), before(first, 1)),
          })
        }

        const behind = await findCountedAppointments(
          db,
          scope,
          { from: today, to: today, by: 'start', counted: 'kept' },
          zone,
        )
        expect(behind).toHaveLength(kept(today))
      },
    ),
    { numRuns: cases(25, 300) },
  )
}, 120_000)
