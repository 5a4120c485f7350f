import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { prepared } from '#database/prepared.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import type { Span } from './period.ts'
import * as queries from './queries.ts'

const PatientsRow = z.object({ patients: z.number() })

/**
 * Counts appointments and their revenue for each span of instants, in the order of the spans: `scheduled` are all that start in it,
 * revenue is that of those completed in it.
 */
export const countAppointments = (db: CommonQueryMethods, scope: RecordScope, spans: readonly Span[], now: Date) =>
  queries.countPoints(db, scope, spans, { now: now.toISOString() })

/** Counts the patients who were registered in each span of instants, in the order of the spans. */
export async function countRegistrations(
  db: CommonQueryMethods,
  scope: RecordScope,
  spans: readonly Span[],
): Promise<number[]> {
  const bounds = (side: keyof Span) =>
    sql.array(
      spans.map((span) => span[side]),
      'timestamptz',
    )
  const rows = await db.any(
    prepared(sql.type(PatientsRow)`
      select (select count(*)::int4 from read.analytics_patients p
              where ${inScope(scope, 'p')} and p.registered_at >= lower and p.registered_at < upper) as patients
      from unnest(${bounds('from')}, ${bounds('until')}) with ordinality as span (lower, upper, place)
      order by place`),
  )
  return rows.map(({ patients }) => patients)
}

/** Finds the appointments that start, or that were completed, in a span, newest first, at most a thousand. */
export const findAppointments = queries.findCountedAppointments
