import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { CalendarFeedId } from '#contracts/values/ids.ts'
import { users } from '#modules/accounts/projection.ts'
import { subscriptionsProjection } from '#modules/billing/projection.ts'
import { calendarFeedsProjection } from '#modules/calendar-feeds/projection.ts'
import {
  findCalendarFeeds,
  findFeedBySecret,
  findOpenFeeds,
  findOpenFeedsAfter,
  type OpenFeed,
} from '#modules/calendar-feeds/queries.ts'
import { openTables, type Tables } from '#tests/support/open-tables.ts'

/** Compares which feeds SQL finds with the rules in TypeScript: in two practices, and just before and after a year. */
const [practice, other] = [crypto.randomUUID(), crypto.randomUUID()]
const [known, unknown] = [crypto.randomUUID(), crypto.randomUUID()]
const now = new Date('2026-03-10T12:00:00.000Z')
const yearAgo = '2025-03-10T12:00:00.000Z'
const feeds = fc.array(
  fc
    .record({
      id: fc.uuid(),
      practice_id: fc.constantFrom(practice, practice, other),
      provider_id: fc.uuid(),
      label: fc.constantFrom('Phone', 'Outlook at home'),
      created_by: fc.constantFrom(known, unknown),
      created_at: fc.constantFrom('2025-03-10T11:59:59.999Z', yearAgo, '2025-03-10T12:00:00.001Z', now.toISOString()),
      ended_at: fc.option(fc.constant(now.toISOString())),
    })
    .map((row) => ({ ...row, secret_hash: `hash of ${row.id}`, end_reason: row.ended_at && 'creator-left' })),
  { maxLength: 16, size: 'max' },
)

let tables: Tables
beforeAll(async () => {
  tables = await openTables([calendarFeedsProjection, users, subscriptionsProjection])
  await tables.fill(users, [{ user_id: known, first_name: 'Ada', last_name: 'Okafor' }])
  await tables.fill(subscriptionsProjection, [{ practice_id: other, access_kind: 'active' }])
})
afterAll(() => tables.dispose())

it('finds the feeds that have neither ended nor expired, and lists those that ended', async () => {
  await fc.assert(
    fc.asyncProperty(feeds, async (rows) => {
      await tables.fill(calendarFeedsProjection, rows)
      const { db } = tables
      const current = rows.filter(({ created_at }) => created_at > yearAgo)
      const open = current.filter(({ ended_at }) => ended_at === null)
      const byId = (one: { id: string }, two: { id: string }) => one.id.localeCompare(two.id)
      const toOpen = ({ id, practice_id, created_by }: (typeof rows)[number]) => ({
        id,
        practiceId: practice_id,
        createdBy: created_by,
      })

      const ofPractice = open.filter(({ practice_id }) => practice_id === practice)
      const found = await findOpenFeeds(db, now, practice)
      expect(found.toSorted(byId)).toEqual(ofPractice.map(toOpen).toSorted(byId))

      const paged: OpenFeed[] = []
      for (let after: CalendarFeedId | null = null; ;) {
        const page: readonly OpenFeed[] = await findOpenFeedsAfter(db, now, after, 3)
        paged.push(...page)
        after = page.at(-1)?.id ?? null
        if (page.length < 3) break
      }
      expect(paged).toEqual(open.map(toOpen).toSorted(byId))

      const listed = current
        .filter(({ practice_id }) => practice_id === practice)
        .toSorted((one, two) => one.created_at.localeCompare(two.created_at) || byId(one, two))
      expect(await findCalendarFeeds(db, practice, now)).toMatchObject(
        listed.map(({ id, label, created_by, ended_at }) => ({
          id,
          label,
          createdBy: created_by === known ? 'Ada Okafor' : null,
          ended: ended_at === null ? null : { reason: 'creator-left' },
        })),
      )
      for (const row of rows)
        expect(await findFeedBySecret(db, row.secret_hash, now)).toEqual(
          open.includes(row)
            ? { ...toOpen(row), providerId: row.provider_id, includeSamples: row.practice_id === practice }
            : null,
        )
    }),
    { numRuns: 30 },
  )
})
