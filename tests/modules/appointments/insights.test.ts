import fc from 'fast-check'
import { sql } from 'slonik'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { countMissedAppointments, missedSql } from '#modules/appointments/insights.ts'
import { appointmentsProjection } from '#modules/appointments/projection.ts'
import { openTables, type Tables } from '#tests/support/open-tables.ts'

const toId = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`
const [practice, other] = [toId(1), toId(2)] as const
const patientIds = [3, 4, 5].map(toId)
const now = new Date('2026-03-10T15:30:00.000Z')
const yearAgo = '2025-03-10T15:30:00.000Z'
const shift = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString()
const starts = [yearAgo, now.toISOString()].flatMap((instant) => [-1, 0, 1].map((ms) => shift(instant, ms)))

const Appointments = fc.array(
  fc.record({
    practice_id: fc.constantFrom(practice, practice, other),
    patient_id: fc.constantFrom(...patientIds),
    starts_at: fc.constantFrom(...starts),
    status: fc.constantFrom('scheduled', 'confirmed', 'no-show', 'no-show', 'cancelled'),
    on_day_list: fc.boolean(),
    sample: fc.boolean(),
  }),
  { maxLength: 12, size: 'max' },
)

const MissedRow = z.object({ id: z.string(), missed: z.number().nullable() })

let tables: Tables
beforeAll(async () => {
  tables = await openTables([appointmentsProjection])
})
afterAll(() => tables.dispose())

it('counts what the patients of a scope missed within a year, also together with their appointments', async () => {
  await fc.assert(
    fc.asyncProperty(Appointments, fc.boolean(), async (appointments, includeSamples) => {
      const rows = appointments.map((appointment, index) => ({ id: toId(100 + index), ...appointment }))
      await tables.fill(appointmentsProjection, rows)
      const scope = { practiceId: practice, includeSamples }
      const inScope = rows.filter((row) => row.practice_id === practice && (includeSamples || !row.sample))
      const countMissed = (patientId: string) =>
        inScope.filter((row) => row.patient_id === patientId && row.status === 'no-show' && row.starts_at > yearAgo)
          .length

      const asked = patientIds.slice(1)
      const counted = await countMissedAppointments(tables.db, { scope, patientIds: asked, now })
      expect(patientIds.map((id) => counted.get(id) ?? 0)).toEqual([0, ...asked.map(countMissed)])

      const { column, join } = missedSql(scope, now.toISOString())
      const read = await tables.db.any(sql.type(MissedRow)`
        select a.id, ${column} as missed from read.appointments a ${join} where a.practice_id = ${practice} order by a.id`)
      const expected = rows.filter(({ practice_id }) => practice_id === practice)
      expect(read).toEqual(
        expected.map(({ id, patient_id, status, starts_at }) => ({
          id,
          missed: status === 'scheduled' && starts_at > now.toISOString() ? countMissed(patient_id) : null,
        })),
      )
    }),
    { numRuns: 60 },
  )
})
