import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { recordReader } from '#modules/records/requests/public.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import { callEvents } from './events.ts'
import { callsProjection } from './projection.ts'

/** The queries of calls. */
export const callReader = recordReader(callEvents, callsProjection, ['callerPhone'])

const CallCounts = z.object({
  total: z.number(),
  aiHandled: z.number(),
  transferredToHuman: z.number(),
  averageDuration: z.number(),
  followUps: z.number(),
})

/** Counts the calls of a scope. `averageDuration` is in whole seconds, of completed calls; `followUps` are those that are open. */
export const countCalls = (db: CommonQueryMethods, scope: RecordScope): Promise<z.infer<typeof CallCounts>> =>
  db.one(sql.type(CallCounts)`
    select count(*)::int4 as total,
      count(*) filter (where c.handled_by_ai)::int4 as "aiHandled",
      count(*) filter (where c.transferred_to_human)::int4 as "transferredToHuman",
      coalesce(round(avg(c.call_duration) filter (where c.call_status = 'completed')), 0)::int4 as "averageDuration",
      count(*) filter (where c.follow_up_required and c.status = 'open')::int4 as "followUps"
    from read.call_logs c where ${inScope(scope, 'c')}`)
