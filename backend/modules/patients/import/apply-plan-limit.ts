import type { PlanCapacity } from '#modules/patients/plan-limit.ts'
import type { ClassifiedRow } from './classify-rows.ts'

/**
 * As many new rows, in the order of the file, as the plan has room for; those after them become no patients, and say why.
 * `isThere`: the row became a patient at an earlier try, and is counted already.
 */
export async function applyPlanLimit(
  found: PlanCapacity | null,
  rows: readonly ClassifiedRow[],
  isThere: (row: number) => Promise<boolean>,
): Promise<readonly ClassifiedRow[]> {
  if (!found) return rows
  let { room } = found
  const judged: ClassifiedRow[] = []
  for (const one of rows) {
    const free = one.status !== 'new' || (await isThere(one.row))
    const fits = free || room > 0
    if (!free && fits) room--
    judged.push(fits ? one : { ...one, status: 'invalid', reasons: [found.message] })
  }
  return judged
}
