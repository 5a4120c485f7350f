import type { PlanRoom } from '#modules/patients/plan-limit.ts'
import type { JudgedRow } from './judged-rows.ts'

/** Lets rows through, in the order of the file. `isThere`: the row became a patient at an earlier try. */
export type WithinPlan = (
  rows: readonly JudgedRow[],
  isThere: (row: number) => Promise<boolean>,
) => Promise<readonly JudgedRow[]>

/** As many new rows as the plan has room for; those after them become no patients, and say why. */
export function withinPlan(found: PlanRoom | null): WithinPlan {
  if (!found) return async (rows) => rows
  let { room } = found
  return async (rows, isThere) => {
    const judged: JudgedRow[] = []
    for (const one of rows) {
      // Whoever is there is counted already.
      const free = one.status !== 'new' || (await isThere(one.row))
      const fits = free || room > 0
      if (!free && fits) room--
      judged.push(fits ? one : { ...one, status: 'invalid', reasons: [found.message] })
    }
    return judged
  }
}
