import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { callsProjection } from '#modules/call-logs/projection.ts'
import { countCalls } from '#modules/call-logs/queries.ts'
import { documentsProjection } from '#modules/clinical-documentation/projection.ts'
import { countDocuments } from '#modules/clinical-documentation/queries.ts'
import { ordersProjection } from '#modules/supply-orders/projection.ts'
import { countOrders, findOpenOrders } from '#modules/supply-orders/queries.ts'
import { openTables, type Tables } from '#tests/support/open-tables.ts'

/** Compares what SQL counts with a recount in TypeScript, in two practices, with and without their sample records. */
const [practice, other] = [crypto.randomUUID(), crypto.randomUUID()]
const inPractice = {
  id: fc.uuid(),
  practice_id: fc.constantFrom(practice, practice, other),
  sample: fc.boolean(),
}
const many = { maxLength: 20, size: 'max' } as const

let tables: Tables
beforeAll(async () => {
  tables = await openTables([callsProjection, documentsProjection, ordersProjection])
})
afterAll(() => tables.dispose())

const scopes = [true, false].map((includeSamples) => ({ practiceId: practice, includeSamples }))
const shown = <Row extends { practice_id: string; sample: boolean }>(rows: readonly Row[], includeSamples: boolean) =>
  rows.filter(({ practice_id, sample }) => practice_id === practice && (includeSamples || !sample))
const count = <Row>(rows: readonly Row[], isCounted: (row: Row) => boolean) => rows.filter(isCounted).length

it('counts calls, and takes the mean length of those that were completed', async () => {
  const calls = fc.array(
    fc.record({
      ...inPractice,
      handled_by_ai: fc.boolean(),
      transferred_to_human: fc.boolean(),
      call_status: fc.constantFrom('completed', 'missed'),
      call_duration: fc.option(fc.nat(600)),
      follow_up_required: fc.boolean(),
      status: fc.constantFrom('open', 'closed'),
    }),
    many,
  )
  await fc.assert(
    fc.asyncProperty(calls, async (rows) => {
      await tables.fill(callsProjection, rows)
      for (const scope of scopes) {
        const own = shown(rows, scope.includeSamples)
        const lengths = own.flatMap(({ call_status, call_duration }) =>
          call_status === 'completed' && call_duration !== null ? [call_duration] : [],
        )
        expect(await countCalls(tables.db, scope)).toEqual({
          total: own.length,
          aiHandled: count(own, ({ handled_by_ai }) => handled_by_ai),
          transferredToHuman: count(own, ({ transferred_to_human }) => transferred_to_human),
          averageDuration: Math.round(lengths.reduce((sum, each) => sum + each, 0) / Math.max(lengths.length, 1)),
          followUps: count(own, ({ follow_up_required, status }) => follow_up_required && status === 'open'),
        })
      }
    }),
    { numRuns: 20 },
  )
})

it('counts clinical documents, approved and not', async () => {
  const documents = fc.array(
    fc.record({ ...inPractice, ai_generated: fc.boolean(), status: fc.constantFrom('draft', 'review', 'approved') }),
    many,
  )
  await fc.assert(
    fc.asyncProperty(documents, async (rows) => {
      await tables.fill(documentsProjection, rows)
      for (const scope of scopes) {
        const own = shown(rows, scope.includeSamples)
        expect(await countDocuments(tables.db, scope)).toEqual({
          total: own.length,
          aiGenerated: count(own, ({ ai_generated }) => ai_generated),
          providerApproved: count(own, ({ status }) => status === 'approved'),
          pending: count(own, ({ status }) => status !== 'approved'),
          inReview: count(own, ({ status }) => status === 'review'),
        })
      }
    }),
    { numRuns: 20 },
  )
})

it('counts orders, and finds those that have not arrived, the newest first', async () => {
  const orders = fc.array(
    fc.record({
      ...inPractice,
      is_automatic: fc.boolean(),
      status: fc.constantFrom('pending', 'ordered', 'delivered', 'cancelled'),
      supplier_name: fc.constant('Northwind Medical'),
      order_items: fc.subarray([{ name: 'Gauze' }, { name: 'Gloves' }]),
      created_at: fc.constantFrom('2026-03-01T09:00:00.000Z', '2026-03-02T09:00:00.000Z', '2026-03-03T09:00:00.000Z'),
    }),
    many,
  )
  await fc.assert(
    fc.asyncProperty(orders, async (rows) => {
      await tables.fill(ordersProjection, rows)
      const isOpen = ({ status }: { status: string }) => status === 'pending' || status === 'ordered'
      for (const scope of scopes) {
        const own = shown(rows, scope.includeSamples)
        expect(await countOrders(tables.db, scope)).toEqual({
          total: own.length,
          autoOrdered: count(own, ({ is_automatic }) => is_automatic),
          pending: count(own, isOpen),
          delivered: count(own, ({ status }) => status === 'delivered'),
          proposed: count(own, ({ is_automatic, status }) => is_automatic && status === 'pending'),
        })
      }
      const open = shown(rows, true)
        .filter(isOpen)
        .toSorted((one, two) => two.created_at.localeCompare(one.created_at) || one.id.localeCompare(two.id))
      expect(await findOpenOrders(tables.db, practice)).toEqual(
        open.map(({ id, status, supplier_name, is_automatic, order_items }) => ({
          id,
          status,
          supplierName: supplier_name,
          isAutomatic: is_automatic,
          itemNames: order_items.map(({ name }) => name),
        })),
      )
    }),
    { numRuns: 20 },
  )
})
