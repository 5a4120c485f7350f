import { startOfMinute } from 'date-fns/startOfMinute'
import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { Appointment } from '#contracts/appointments.ts'
import { maxDuration } from '#contracts/values/appointments.ts'
import { createExpiringMap, type ExpiringMap } from '#database/expiring-map.ts'
import { shareQueries } from '#database/group-calls.ts'
import { prepared } from '#database/prepared.ts'
import type { Member } from '#http/session.ts'
import { mayReadInsights } from '#modules/insights/public.ts'
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
type ListQuery = { scope: RecordScope; filter: AppointmentFilter; insightsAt: string | null }

/** A list as it was read. */
type KeptList = {
  appointments: Appointment[]
  version: string
  /** That of the key store before the list was decrypted. */
  generation: number
}

/** Decrypted fields stay in memory no longer than their keys. A hundred lists of this length take some 40 MB. */
const keptListLimits = { maxSize: 100, ttlMs: 5_000 }
const maxKeptRows = 200
const keptLists = new WeakMap<CommonQueryMethods, ExpiringMap<KeptList>>()

function findKeptLists(db: CommonQueryMethods): ExpiringMap<KeptList> {
  const lists = keptLists.get(db) ?? createExpiringMap<KeptList>(keptListLimits)
  keptLists.set(db, lists)
  return lists
}

/**
 * Finds the appointments on a practice's day lists, in order, with the insights that the caller may read. `zone` is the
 * practice's time zone. Returns the same list, which must not be modified, as long as nothing in it has changed (ADR 44).
 */
export async function findAppointments(
  { db, keyStore, clock }: Pick<Services, 'db' | 'keyStore' | 'clock'>,
  caller: Member,
  zone: string,
  filter: AppointmentFilter,
): Promise<Appointment[]> {
  // Appointments begin at whole minutes.
  const insightsAt = mayReadInsights(caller) ? startOfMinute(clock()).toISOString() : null
  const query: ListQuery = { scope: recordScope(caller), filter, insightsAt }
  const lists = findKeptLists(db)
  const name = JSON.stringify([zone, query])
  const kept = lists.get(name)
  const generation = keyStore.getGeneration()
  if (kept?.generation === generation && (await findListVersion(db, query)) === kept.version) return kept.appointments

  const rows = await findListed(db, query)
  const opened = await toAppointments(
    keyStore,
    zone,
    rows.map(({ version: _, missed: __, ...row }) => row),
  )
  const appointments = opened.map((appointment, index) => ({
    ...appointment,
    aiInsights: deriveInsights(rows[index]?.missed ?? null),
  }))
  const version = rows.map((row) => row.version).join(' ')
  if (rows.length <= maxKeptRows) lists.set(name, { appointments, version, generation })
  return appointments
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

const findListVersion = shareQueries(async (db, query: ListQuery) => {
  const { version, rows } = toListSql(query)
  const found = await db.oneFirst(
    prepared(sql.type(VersionRow)`select string_agg(${version}, ' ' order by starts_at, a.id) as version ${rows}`),
  )
  return found ?? ''
})
