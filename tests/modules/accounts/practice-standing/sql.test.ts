import { afterAll, beforeAll, expect, it } from 'vitest'
import { practiceStanding } from '#modules/accounts/practice-standing/projection.ts'
import { joinStanding, requiresTwoFactorSql, sessionTimeoutSql } from '#modules/accounts/practice-standing/sql.ts'
import { defaultSessionTimeout } from '#contracts/values/session-timeout.ts'
import { openTables, type Tables } from '#tests/support/open-tables.ts'

const now = '2026-03-10T12:00:00.000Z'
const around = ['2026-03-10T11:59:59.000Z', now, '2026-03-10T12:00:01.000Z']

let tables: Tables
beforeAll(async () => {
  tables = await openTables([practiceStanding])
})
afterAll(() => tables.dispose())

/** Every combination of what a subscription can say, with its access ending and its last message before, at and after now. */
const standings = [null, 'trial', 'active'].flatMap((access_kind) =>
  ['active', 'past_due', 'canceled', null].flatMap((subscription_status) =>
    [...around, null].flatMap((access_until) =>
      [...around, null].map((last_update_at, index) => ({
        access_kind,
        access_plan: access_kind && (index % 2 === 0 ? 'starter' : 'enterprise'),
        subscription_status,
        access_until,
        last_update_at,
      })),
    ),
  ),
)

const readStandings = async (practiceIds: readonly string[]) =>
  (
    await tables.pool.query<{ practice_id: string; access: object; minutes: number; two_factor: boolean }>(
      `select u.practice_id, to_jsonb(access) as access, ${sessionTimeoutSql} as minutes, ${requiresTwoFactorSql} as two_factor
       from unnest($1::uuid[]) with ordinality as u (practice_id, place) ${joinStanding('$2::timestamptz')} order by u.place`,
      [practiceIds, now],
    )
  ).rows

it('gives what a subscription grants at an instant, until the later of our clock and the last message', async () => {
  const rows = standings.map((standing) => ({
    ...standing,
    practice_id: crypto.randomUUID(),
    require_two_factor: true,
    session_timeout: 45,
  }))
  await tables.fill(practiceStanding, rows)
  const found = await readStandings(rows.map(({ practice_id }) => practice_id))
  const expected = rows.map(({ practice_id, access_kind, access_plan, ...row }) => {
    const latest = row.last_update_at !== null && row.last_update_at > now ? row.last_update_at : now
    const isCurrent = row.access_until === null || row.access_until > latest
    const isPastDue = row.subscription_status === 'past_due'
    const pastDueUntil = isCurrent && isPastDue ? row.access_until?.replace('.000Z', '+00:00') : undefined
    const access = {
      status: isCurrent ? access_kind : null,
      plan: isCurrent ? access_plan : null,
      has_lapsed: !isCurrent && access_kind !== null,
      past_due_until: pastDueUntil ?? null,
      has_open_invoice: isPastDue,
    }
    return { practice_id, access, minutes: 45, two_factor: true }
  })
  expect(found).toEqual(expected)
})

it('gives a practice without a row nothing, and the defaults', async () => {
  const practice_id = crypto.randomUUID()
  const access = { status: null, plan: null, has_lapsed: false, past_due_until: null, has_open_invoice: false }
  expect(await readStandings([practice_id])).toEqual([
    { practice_id, access, minutes: defaultSessionTimeout, two_factor: false },
  ])
})
