import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { SwitchableAutomation } from '#contracts/values/automation.ts'
import { findUserNames } from '#modules/accounts/public.ts'

const StoredSwitch = z.object({
  automation: SwitchableAutomation,
  isOn: z.boolean(),
  changedAt: z.string(),
  userId: z.string(),
})

/** The automations that a practice has switched, each with its last change. */
export type KnownSwitches = ReadonlyMap<
  SwitchableAutomation,
  { isOn: boolean; changedAt: string; changedBy: string | null }
>

/** Finds what a practice has switched on or off. */
export async function findSwitches(db: CommonQueryMethods, practiceId: string): Promise<KnownSwitches> {
  const rows = await db.any(sql.type(StoredSwitch)`
    select s.automation, s.is_on as "isOn", s.switched_at as "changedAt", s.switched_by as "userId"
    from read.automation_switches s where s.practice_id = ${practiceId}`)
  const names = await findUserNames(db, [...new Set(rows.map(({ userId }) => userId))])
  return new Map(
    rows.map(({ automation, userId, isOn, changedAt }) => [
      automation,
      { isOn, changedAt, changedBy: names.get(userId) ?? null },
    ]),
  )
}
