import type { PlanCapacity } from '#modules/patients/plan-limit.ts'
import type { ClassifiedRow } from './classify-rows.ts'

/**
 * Returns the rows with as many new ones, in the order of the file, as the plan has room for; the others become invalid
 * with the reason. `isImported`: an earlier attempt created the patient of this row, who is counted already.
 */
export async function applyPlanLimit(
  capacity: PlanCapacity | null,
  rows: readonly ClassifiedRow[],
  isImported: (row: number) => Promise<boolean>,
): Promise<readonly ClassifiedRow[]> {
  if (!capacity) return rows
  let { remaining } = capacity
  const limited: ClassifiedRow[] = []
  for (const row of rows) {
    const needsRoom = row.status === 'new' && !(await isImported(row.row))
    if (needsRoom && remaining === 0) limited.push({ ...row, status: 'invalid', reasons: [capacity.message] })
    else limited.push(row)
    if (needsRoom && remaining > 0) remaining--
  }
  return limited
}
