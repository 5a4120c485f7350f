import { startOfMinute } from 'date-fns/startOfMinute'
import { sql } from 'slonik'
import { z } from 'zod'
import type { Appointment } from '#contracts/appointments.ts'
import { maxDuration } from '#contracts/values/appointments.ts'
import { shareQueries } from '#database/group-calls.ts'
import { prepared } from '#database/prepared.ts'
import type { Member } from '#http/session.ts'
import { mayReadInsights } from '#modules/insights/public.ts'
import { countCharacters, keepLists } from '#modules/kit/kept-lists.ts'
import type { Services } from '#modules/module.ts'
import { inScope, recordScope, type RecordScope } from '#modules/samples/public.ts'
import { deriveInsights, missedSql } from './insights.ts'
import { columns, Row, tables, toAppointments } from './queries.ts'

/**
 * The filter of a list. `from` and `until` are ISO instants; appointments in progress at `from` are included, and those that begin at
 * `until` belong to the next day.
 */
export type AppointmentFilter = {
  from: string
  until: string
  providerId?: string | undefined
  type?: string | undefined
  status?: string | undefined
  patientId?: string | undefined
}

const equals = (column: ReturnType<typeof sql.fragment>, value: string | undefined) =>
  value === undefined ? sql.fragment`true` : sql.fragment`${column} = ${value}`

/** The rows of a day list; `insightsAt` is null for callers who may not read insights. */
type ListQuery = { zone: string; scope: RecordScope; filter: AppointmentFilter; insightsAt: string | null }

/**
 * Finds the appointments on a practice's day lists, in order, with the insights that the caller may read. `zone` is the
 * practice's time zone. Returns the same list, which must not be modified, as long as nothing in it has changed.
 */
export async function findAppointments(
  services: Pick<Services, 'db' | 'keyStore' | 'clock'>,
  caller: Member,
  zone: string,
  filter: AppointmentFilter,
): Promise<Appointment[]> {
  // Appointments begin at whole minutes.
  const insightsAt = mayReadInsights(caller) ? startOfMinute(services.clock()).toISOString() : null
  return await findKept(services, { zone, scope: recordScope(caller), filter, insightsAt })
}

const ListedRow = Row.extend({ missed: z.number().nullable(), version: z.string() })
const VersionRow = z.object({ version: z.string().nullable() })

/** Returns the columns that only a day list has, its tables and its rows. */
function toListSql({ scope, filter, insightsAt }: ListQuery) {
  const { from, until, providerId, type, status, patientId } = filter
  const startsBeforeEnd = from === until ? sql.fragment`starts_at <= ${from}` : sql.fragment`starts_at < ${until}`
  const noInsights = { column: sql.fragment`null::int4`, join: sql.fragment`` }
  const missed = insightsAt === null ? noInsights : missedSql(scope, insightsAt)
  return {
    missed: missed.column,
    // An update writes another row in the place of the old one: these identify what is stored.
    version: sql.fragment`concat(a.xmin, a.ctid, p.version, ${missed.column})`,
    rows: sql.fragment`
      ${tables} ${missed.join}
      where ${inScope(scope, 'a')} and on_day_list and ends_at > ${from} and ${startsBeforeEnd}
        and starts_at > ${from}::timestamptz - make_interval(mins => ${maxDuration})
        and ${equals(sql.fragment`provider_id`, providerId)} and ${equals(sql.fragment`type`, type)}
        and ${equals(sql.fragment`status`, status)} and ${equals(sql.fragment`a.patient_id`, patientId)}`,
  }
}

const findListed = shareQueries((db, query: ListQuery) => {
  const { missed, version, rows } = toListSql(query)
  return db.any(
    prepared(sql.type(ListedRow)`
      select ${columns}, ${missed} as missed, ${version} as version ${rows} order by starts_at, a.id`),
  )
})

const findVersion = shareQueries(async (db, query: ListQuery) => {
  const { version, rows } = toListSql(query)
  const found = await db.oneFirst(
    prepared(sql.type(VersionRow)`select string_agg(${version}, ' ' order by starts_at, a.id) as version ${rows}`),
  )
  return found ?? ''
})

const findKept = keepLists({
  findVersion,
  async read({ db, keyStore }, query: ListQuery) {
    const rows = await findListed(db, query)
    const opened = await toAppointments(
      keyStore,
      query.zone,
      rows.map(({ version: _version, missed: _missed, ...row }) => row),
    )
    const list = opened.map((appointment, index) => ({
      ...appointment,
      aiInsights: appointment.patientDeceased ? null : deriveInsights(rows[index]?.missed ?? null),
    }))
    return { list, version: rows.map(({ version }) => version).join(' '), size: countCharacters(list) }
  },
})
