import { expect, it } from 'vitest'
import type { ClassifiedRow } from '#modules/patients/import/classify-rows.ts'
import { applyPlanLimit } from '#modules/patients/import/apply-plan-limit.ts'

const row = (number: number, status: ClassifiedRow['status'] = 'new') =>
  ({ row: number, status, reasons: [] }) as unknown as ClassifiedRow
const found = (remaining: number) => ({ maxPatients: 500, remaining, message: 'It is full.' })
const isNotImported = async () => false
const judged = (rows: readonly ClassifiedRow[]) => rows.map(({ row: number, status }) => `${number} ${status}`)

it('keeps new rows while there is capacity, and all rows that need none', async () => {
  const rows = await applyPlanLimit(
    found(2),
    [row(2), row(3, 'duplicate'), row(4, 'invalid'), row(5), row(6)],
    isNotImported,
  )
  expect(judged(rows)).toEqual(['2 new', '3 duplicate', '4 invalid', '5 new', '6 invalid'])
  expect(rows[4]?.reasons).toEqual(['It is full.'])
})

it('counts no patient of an earlier attempt twice', async () => {
  const rows = await applyPlanLimit(found(1), [row(2), row(3), row(4), row(5)], async (number) => number < 4)
  expect(judged(rows)).toEqual(['2 new', '3 new', '4 new', '5 invalid'])
})

it('keeps all rows without a limit', async () => {
  const rows = [row(2), row(3)]
  expect(await applyPlanLimit(null, rows, isNotImported)).toBe(rows)
})
