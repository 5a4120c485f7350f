import { expect, it } from 'vitest'
import type { JudgedRow } from '#modules/patients/import/judged-rows.ts'
import { withinPlan } from '#modules/patients/import/within-plan.ts'

const row = (number: number, status: JudgedRow['status'] = 'new') =>
  ({ row: number, status, reasons: [] }) as unknown as JudgedRow
const found = (room: number) => ({ limit: 500, room, message: 'It is full.' })
const nobody = async () => false
const judged = (rows: readonly JudgedRow[]) => rows.map(({ row: number, status }) => `${number} ${status}`)

it('counts across the pages of a file, and only what is new', async () => {
  const fitting = withinPlan(found(2))
  expect(judged(await fitting([row(2), row(3, 'duplicate'), row(4, 'invalid')], nobody))).toEqual([
    '2 new',
    '3 duplicate',
    '4 invalid',
  ])
  expect(judged(await fitting([row(5), row(6)], nobody))).toEqual(['5 new', '6 invalid'])
})

it('counts nobody twice whom an earlier try had brought', async () => {
  const fitting = withinPlan(found(1))
  const rows = await fitting([row(2), row(3), row(4), row(5)], async (number) => number < 4)
  expect(judged(rows)).toEqual(['2 new', '3 new', '4 new', '5 invalid'])
  expect(rows[3]?.reasons).toEqual(['It is full.'])
})

it('lets everything through without a limit', async () => {
  const rows = [row(2), row(3)]
  expect(await withinPlan(null)(rows, nobody)).toBe(rows)
})
