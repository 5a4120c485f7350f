import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { AutomationKind, AutomationOutcome } from '#contracts/values/automation.ts'
import { automationActionsProjection } from '#modules/automation/projection.ts'
import { countActions, findActions, type StoredAction } from '#modules/automation/queries.ts'
import { openTables, type Tables } from '#tests/support/open-tables.ts'

/** Compares what SQL counts and pages through with a recount in TypeScript, in two practices, with and without their samples. */
const [practice, other] = [crypto.randomUUID(), crypto.randomUUID()]
const since = '2026-03-10T12:00:00.000Z'
const actions = fc.array(
  fc.record({
    id: fc.uuid(),
    practice_id: fc.constantFrom(practice, practice, practice, other),
    sample: fc.boolean(),
    patient_id: fc.uuid(),
    record_id: fc.uuid(),
    kind: fc.constantFrom(...AutomationKind.options),
    outcome: fc.constantFrom(...AutomationOutcome.options),
    at: fc.constantFrom('2026-03-10T11:59:59.999Z', since, '2026-03-10T12:00:00.001Z'),
  }),
  { maxLength: 40, size: 'max' },
)

let tables: Tables
beforeAll(async () => {
  tables = await openTables([automationActionsProjection])
})
afterAll(() => tables.dispose())

it('counts the actions since an instant by kind, and those that succeeded', async () => {
  await fc.assert(
    fc.asyncProperty(actions, fc.boolean(), async (rows, includeSamples) => {
      await tables.fill(automationActionsProjection, rows)
      const own = rows.filter(
        (row) => row.practice_id === practice && (includeSamples || !row.sample) && row.at >= since,
      )
      const count = (kinds: readonly AutomationKind[], outcomes: readonly AutomationOutcome[]) =>
        own.filter(({ kind, outcome }) => kinds.includes(kind) && outcomes.includes(outcome)).length
      expect(await countActions(tables.db, { practiceId: practice, includeSamples }, since)).toEqual({
        actions: own.length,
        failed: count(AutomationKind.options, ['failed']),
        messages: count(['message', 'offer'], ['sent']),
        answers: count(['answer', 'offer'], ['confirmed', 'declined']),
        analyses: count(['analysis'], ['completed']),
        expiries: count(['expiry'], AutomationOutcome.options),
      })
    }),
    { numRuns: 40 },
  )
})

it('pages through the actions, newest first, without leaving one out or repeating one', async () => {
  await fc.assert(
    fc.asyncProperty(actions, fc.boolean(), fc.integer({ min: 1, max: 9 }), async (rows, includeSamples, limit) => {
      await tables.fill(automationActionsProjection, rows)
      const scope = { practiceId: practice, includeSamples }
      const found: StoredAction[] = []
      for (let cursor: string | undefined; ;) {
        const page = await findActions(tables.db, scope, { limit, cursor })
        found.push(...page.actions)
        expect(page.actions.length === limit || page.next === null).toBe(true)
        if (page.next === null) break
        cursor = page.next
      }
      const own = rows.filter((row) => row.practice_id === practice && (includeSamples || !row.sample))
      const sorted = own.toSorted((one, two) => two.at.localeCompare(one.at) || two.id.localeCompare(one.id))
      expect(found).toEqual(
        sorted.map(({ id, at, kind, outcome, record_id, patient_id }) => ({
          id,
          at,
          kind,
          outcome,
          recordId: record_id,
          patientId: patient_id,
        })),
      )
    }),
    { numRuns: 30 },
  )
})
