import type { Totals } from '#projections/projection.ts'

/** The value of `provider` and `type` in the totals of all providers or types. */
export const all = ''

/** The table with the daily totals of appointments. */
export const dailyTotals = 'analytics_appointments_totals'

/**
 * The addends of an appointment in the totals of days in UTC: those of its start, and its fee to those of the day on which it was
 * completed; each for all providers and types, for its provider, for its type, and for both. Days are in UTC because the practice's
 * time zone may change: the ends of a span within a day are counted from the appointments themselves.
 */
export const appointmentTotals: Totals = {
  key: { practice_id: 'uuid', provider: 'text', type: 'text', day: 'date', sample: 'bool' },
  sums: ['scheduled', 'completed', 'cancelled', 'no_shows', 'minutes', 'paid', 'fee_cents'],
  select: (rows) => `
    select a.practice_id, a.sample, part.provider, part.type, counted.day, counted.scheduled, counted.completed,
      counted.cancelled, counted.no_shows, counted.minutes, counted.paid, counted.fee_cents
    from ${rows} a
    cross join lateral (values ('${all}', '${all}'), (a.provider_id::text, '${all}'),
      ('${all}', coalesce(a.type, 'unknown')), (a.provider_id::text, coalesce(a.type, 'unknown'))) as part (provider, type)
    cross join lateral (
      select (a.starts_at at time zone 'UTC')::date as day, 1 as scheduled, (a.status = 'completed')::int as completed,
        (a.status = 'cancelled')::int as cancelled, (a.status = 'no-show')::int as no_shows,
        case when a.status = 'cancelled' then 0 else a.minutes end as minutes, 0 as paid, 0 as fee_cents
      union all
      select (a.completed_at at time zone 'UTC')::date, 0, 0, 0, 0, 0, 1, coalesce(a.fee_cents, 0)
      where a.completed_at is not null) as counted`,
}
