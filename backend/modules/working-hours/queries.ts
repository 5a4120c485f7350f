import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import { Closure, WorkingHours } from '#contracts/working-hours.ts'
import type { WorkCalendar } from '#contracts/values/working-hours.ts'
import { groupQueries } from '#database/group-calls.ts'
import { listOf, prepared } from '#database/prepared.ts'

const CalendarRow = z.object({
  week: WorkingHours.shape.hours.nullable(),
  revision: z.number().nullable(),
  closures: z.array(Closure),
})

/** The working time of a practice; `revision` is that of its hours, null until they are set. */
export type StoredCalendar = WorkCalendar<Closure> & { revision: number | null }

type LocalDates = { from: string; until: string }

/** Finds the working hours of a practice, with its holidays and days off between two local dates (both included). */
export const findWorkCalendar = (
  db: CommonQueryMethods,
  practiceId: string,
  dates: LocalDates,
): Promise<StoredCalendar> => findCalendar(db, { practiceId, dates })

const findCalendar = groupQueries((db, asked: readonly { practiceId: string; dates: LocalDates }[]) => {
  const practiceIds = asked.map(({ practiceId }) => practiceId)
  const firstDays = asked.map(({ dates }) => dates.from)
  const lastDays = asked.map(({ dates }) => dates.until)
  return db.any(
    prepared(sql.type(CalendarRow)`
      select h.week, h.revision, coalesce((
        select jsonb_agg(jsonb_build_object('id', c.id, 'providerId', c.provider_id, 'name', c.name, 'from', c.first_date,
          'until', c.last_date, 'revision', c.revision) order by c.first_date, c.id)
        from read.closures c
        where c.practice_id = p.id and c.last_date >= p.first_day and c.first_date <= p.last_day), '[]') as closures
      from unnest(${listOf(practiceIds, 'uuid')}, ${listOf(firstDays, 'date')}, ${listOf(lastDays, 'date')})
        with ordinality as p (id, first_day, last_day, number)
      left join read.working_hours h on h.practice_id = p.id
      order by p.number`),
  )
})

/** Finds the holidays and days off of a practice that end on a local date or later, in order of their dates. */
export const findClosures = (db: CommonQueryMethods, practiceId: string, from: string): Promise<readonly Closure[]> =>
  db.any(
    sql.type(Closure)`
      select id, provider_id as "providerId", name, to_char(first_date, 'YYYY-MM-DD') as from,
        to_char(last_date, 'YYYY-MM-DD') as until, revision
      from read.closures where practice_id = ${practiceId} and last_date >= ${from}::date
      order by first_date, last_date, id`,
  )
