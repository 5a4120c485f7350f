import { addHours } from 'date-fns/addHours'
import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { PracticeId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import type { Decider } from '#eventstore/decider.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { processContext } from '#modules/kit/process-context.ts'
import type { AnyProjection } from '#projections/projection.ts'
import type { RecordCommand, RecordState } from './decider.ts'
import type { Move, RecordDefinition, RecordEvent, RecordEvents } from './events.ts'
import { toColumn } from './projection.ts'

const pageSize = 500

/** The end of a record by a date. */
export type Expiry<D extends RecordDefinition> = {
  /** The name of the job. */
  name: string
  events: RecordEvents<D>
  decider: Decider<RecordCommand<D>, RecordEvent<D>, RecordState<D>>
  projection: Pick<AnyProjection, 'name'>
  /** The field with the last day, YYYY-MM-DD, which the event repeats. */
  dateField: keyof D['fields'] & string
  event: Move<D>['event']
}

/**
 * Declares the job that expires records at the midnight of their practice after a last day. Every quarter of an hour, because each
 * time zone has its midnight at one; the dates are compared again each time, so a changed time zone or clock needs nothing.
 */
export const defineExpiryJob = <D extends RecordDefinition>(expiry: Expiry<D>) =>
  defineJob({
    name: expiry.name,
    data: z.strictObject({}),
    schedule: '*/15 * * * *',
    run: (services, _, { id, signal }) => expireRecords(services, expiry, id, signal),
  })

/** Expires all records whose last day is over, page by page. Throws when `signal` is aborted. */
export async function expireRecords<D extends RecordDefinition>(
  services: Services,
  expiry: Expiry<D>,
  jobId: string,
  signal: AbortSignal,
): Promise<void> {
  const { db, clock } = services
  const now = clock()
  // The latest date on earth.
  const latestToday = toLocalDate(addHours(now, 14), 'UTC')
  const dates = new Map<string, string>()
  for (let after: string | null = null; ;) {
    signal.throwIfAborted()
    const page: readonly Expiring[] = await findExpiring(db, expiry, latestToday, after)
    for (const record of page) {
      const { practiceId, lastDay } = record
      const today = dates.get(practiceId) ?? toLocalDate(now, await findTimeZone(db, practiceId))
      dates.set(practiceId, today)
      if (lastDay < today) await expire(services, expiry, record, today, jobId)
    }
    after = page.at(-1)?.id ?? null
    if (page.length < pageSize) return
  }
}

const Expiring = z.object({ id: z.string(), practiceId: PracticeId, lastDay: z.string() })
type Expiring = z.infer<typeof Expiring>

/** Finds the next records after an id that may have expired: their last day is over where the date is `latestToday`. */
function findExpiring<D extends RecordDefinition>(
  db: CommonQueryMethods,
  { projection, events: { definition }, dateField, event }: Expiry<D>,
  latestToday: string,
  after: string | null,
): Promise<readonly Expiring[]> {
  const column = sql.identifier([toColumn(dateField)])
  const { from } = definition.transitions[event] as RecordDefinition['transitions'][string]
  // Literals, because an index on open records is found by them.
  const open = sql.join(
    from.map((status) => sql.literalValue(status)),
    sql.fragment`, `,
  )
  return db.any(sql.type(Expiring)`
    select id, practice_id as "practiceId", ${column} as "lastDay" from ${sql.identifier(['read', projection.name])}
    where status in (${open}) and ${column} < ${latestToday}::date
      ${after === null ? sql.fragment`` : sql.fragment`and id > ${after}::uuid`}
    order by id limit ${pageSize}`)
}

async function expire<D extends RecordDefinition>(
  { bus }: Services,
  { name, decider, dateField, event }: Expiry<D>,
  { id, practiceId, lastDay }: Expiring,
  today: string,
  jobId: string,
) {
  const context = processContext(name, practiceId, { correlationId: jobId, causationId: jobId })
  const move = { type: 'Move', event, data: { [dateField]: lastDay }, practiceId, today } as unknown as RecordCommand<D>
  try {
    await bus.execute(decider, id, move, context)
  } catch (error) {
    // A user has changed it since it was read.
    if (!(error instanceof CommandRejected)) throw error
  }
}
