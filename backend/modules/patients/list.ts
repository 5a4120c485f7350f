import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { Patient } from '#contracts/patients.ts'
import type { Services } from '#modules/module.ts'
import { PatientSort } from '#contracts/values/patient-sort.ts'
import { shareQueries } from '#database/group-calls.ts'
import { prepared } from '#database/prepared.ts'
import type { KeyStore } from '#encryption/key-store.ts'
import { countCharacters, keepLists } from '#modules/kit/kept-lists.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import { noBirthDate } from './projection.ts'
import { type PlacedRow, selectPatients, selectPlacedPatients, storedVersion, toPatients } from './queries.ts'
import { literal, searchConditions } from './search.ts'

const IdAndBytesRow = z.object({ id: z.string(), bytes: z.number() })
const PatientsRow = z.object({ patients: z.number().nullable() })
const VersionRow = z.object({ version: z.string() })

type Fragment = ReturnType<typeof sql.fragment>
/** `match` is best match first. */
type Order = PatientSort | 'match'

/** Text that PostgreSQL accepts. */
const key = z
  .string()
  .max(500)
  .refine((text) => text.isWellFormed() && !text.includes('\0'))

/** The position after which a page starts: the order, and the sort keys of the last row. */
export const Cursor = z.strictObject({
  order: z.enum([...PatientSort.options, 'match']),
  at: z.union([key, z.number().int()]),
  name: key.optional(),
  id: z.uuid(),
})
export type Cursor = z.infer<typeof Cursor>

export type ListRequest = {
  scope: RecordScope
  clinical: boolean
  search: string | undefined
  sort: PatientSort | undefined
  limit: number
  offset: number
  cursor: Cursor | undefined
}

/** `total` is the total number of patients; in a search it is capped at `maxCountedMatches`. */
export type PatientPage = { patients: Patient[]; total: number; next: Cursor | null }

/** Matches beyond this are not counted: users do not page that far, and counting must not cost more than finding. */
const maxCountedMatches = 10_000

/** Returns the order of a list: as requested, otherwise best match first in a search and by name elsewhere. */
export const getOrder = ({ search, sort }: { search?: string | undefined; sort?: PatientSort | undefined }): Order =>
  sort ?? (search ? 'match' : 'name')

/** The date that the list shows as Last Visit. */
const lastVisit = sql.fragment`coalesce(last_visit, updated_at)`

/** The sort key of each order, before the id. Each has an index. */
const keys: Record<Order, { at: Fragment; descending: boolean; type: 'text' | 'date' | 'timestamptz' | 'int4' }> = {
  name: { at: sql.fragment`sort_key`, descending: false, type: 'text' },
  '-name': { at: sql.fragment`sort_key`, descending: true, type: 'text' },
  dateOfBirth: {
    at: sql.fragment`coalesce(date_of_birth, date ${sql.literalValue(noBirthDate.last)})`,
    descending: false,
    type: 'date',
  },
  '-dateOfBirth': {
    at: sql.fragment`coalesce(date_of_birth, date ${sql.literalValue(noBirthDate.first)})`,
    descending: true,
    type: 'date',
  },
  lastVisit: { at: lastVisit, descending: false, type: 'timestamptz' },
  '-lastVisit': { at: lastVisit, descending: true, type: 'timestamptz' },
  updatedAt: { at: sql.fragment`updated_at`, descending: false, type: 'timestamptz' },
  '-updatedAt': { at: sql.fragment`updated_at`, descending: true, type: 'timestamptz' },
  match: { at: sql.fragment`score`, descending: false, type: 'int4' },
}

const sqlTypes = {
  text: sql.fragment`text`,
  date: sql.fragment`date`,
  timestamptz: sql.fragment`timestamptz`,
  int4: sql.fragment`int4`,
}

function afterCursor(cursor: Cursor | undefined): Fragment {
  if (!cursor) return sql.fragment`true`
  const { at, descending, type } = keys[cursor.order]
  const value = sql.fragment`${cursor.at}::${sqlTypes[type]}`
  if (cursor.order === 'match')
    return sql.fragment`(${at}, sort_key, id) > (${value}, ${cursor.name ?? ''}, ${cursor.id}::uuid)`
  return descending
    ? sql.fragment`(${at}, id) < (${value}, ${cursor.id}::uuid)`
    : sql.fragment`(${at}, id) > (${value}, ${cursor.id}::uuid)`
}

function orderBy(order: Order): Fragment {
  const { at, descending } = keys[order]
  if (order === 'match') return sql.fragment`order by ${at}, sort_key, id`
  return descending ? sql.fragment`order by ${at} desc, id desc` : sql.fragment`order by ${at}, id`
}

const Place = z.object({ id: z.string(), at: z.union([z.string(), z.number()]), name: z.string() })
const TotalAndPlacesRow = z.object({ total: z.number(), places: z.array(Place) })
type Place = z.infer<typeof Place>

/**
 * Returns one page of a practice's patients and the total. Returns the same page, which must not be modified, as long as nothing in it
 * has changed; of long pages each time another one.
 */
export const listPatients = async (
  { db, keyStore }: Pick<Services, 'db' | 'keyStore'>,
  request: ListRequest,
): Promise<PatientPage> =>
  request.limit <= minPageRows
    ? await findKeptPage({ db, keyStore }, request)
    : await toPage(keyStore, request, await findLongPage(db, request, getOrder(request)))

type FoundPage = { rows: PlacedRow[]; total: number; hasMore: boolean }

async function toPage(
  keyStore: Pick<KeyStore, 'getMany'>,
  request: ListRequest,
  { rows, total, hasMore }: FoundPage,
): Promise<PatientPage> {
  const order = getOrder(request)
  const last = hasMore ? rows.at(-1) : undefined
  return {
    patients: await toPatients(
      keyStore,
      rows.map(({ at: _at, name: _name, total: _total, version: _version, ...row }) => row),
    ),
    total,
    next: last ? { order, at: last.at, id: last.id, ...(order === 'match' ? { name: last.name } : {}) } : null,
  }
}

/** Finds a page with its rows at once, and the row after it. */
const findPage = shareQueries(
  async (db, request: ListRequest) => await (request.search ? findMatchingRows(db, request) : findRows(db, request)),
)

const findKeptPage = keepLists({
  findVersion: shareQueries((db, request: ListRequest) =>
    request.search ? findMatchingVersion(db, request) : findVersion(db, request),
  ),
  async read({ db, keyStore }, request: ListRequest) {
    const { rows, total } = await findPage(db, request)
    const shown = { rows: rows.slice(0, request.limit), total, hasMore: rows.length > request.limit }
    return {
      list: await toPage(keyStore, request, shown),
      version: joinVersions(total, rows),
      size: countCharacters(rows),
    }
  },
})

/** Returns the clauses of a page in its order, and the row after it. */
function selectPage({ scope, limit, offset, cursor, ...request }: ListRequest): Fragment {
  return sql.fragment`
    from read.patients p where ${inScope(scope, 'p')} and ${afterCursor(cursor)}
    ${orderBy(getOrder(request))} limit ${limit + 1} offset ${offset}`
}

async function findRows(db: CommonQueryMethods, request: ListRequest) {
  const { scope, clinical } = request
  const place = sql.fragment`
    ${keys[getOrder(request)].at} as at, '' as name, ${listedPatients(scope)} as total, ${storedVersion} as version`
  const rows = await db.any(prepared(selectPlacedPatients(clinical, { place, source: selectPage(request) })))
  // Beyond the last page there is no row that knows the total.
  return { rows, total: rows[0] ? (rows[0].total ?? 0) : await countListedPatients(db, scope) }
}

/**
 * Returns SQL that joins versions in an order of their own: that of the rows follows from what the versions stand for. The same as
 * `joinVersions`.
 */
const aggregateVersions = (version: Fragment) =>
  sql.fragment`string_agg(${version}, ' ' order by ${version} collate "C")`

const joinVersions = (total: number, rows: readonly PlacedRow[]) =>
  [total, ...rows.map(({ version }) => version).toSorted()].join(' ')

const findVersion = (db: CommonQueryMethods, request: ListRequest): Promise<string> =>
  db.oneFirst(
    prepared(sql.type(VersionRow)`
      select concat_ws(' ', coalesce(${listedPatients(request.scope)}, 0), (
        select ${aggregateVersions(sql.fragment`version`)}
        from (select ${storedVersion} as version ${selectPage(request)}) page)) as version`),
  )

/** The columns of a page of matches that a row does not have. */
const matchVersion = sql.fragment`concat(page.at, ' ', ${storedVersion})`

async function findMatchingRows(db: CommonQueryMethods, request: ListRequest) {
  const matches = await findMatches(db, request, getOrder(request))
  if (!matches) return { rows: [], total: 0 }
  const query = selectPlacedPatients(request.clinical, {
    common: matches.clauses,
    place: sql.fragment`page.at, page.name, (select count(*)::int4 from found) as total, ${matchVersion} as version`,
    // Joined, so that each row is found by its id.
    source: sql.fragment`from page join read.patients p on p.id = page.id order by page.place`,
  })
  const rows = await db.any(matches.isFrequent ? prepared(query) : query)
  const isFirstPage = request.offset === 0 && !request.cursor
  // Beyond the last page there is no row that knows the total; an empty first page means that there is none.
  const total = rows[0]?.total ?? (isFirstPage ? 0 : (await findMatchingPlaces(db, request, getOrder(request))).total)
  return { rows, total }
}

async function findMatchingVersion(db: CommonQueryMethods, request: ListRequest): Promise<string> {
  const matches = await findMatches(db, request, getOrder(request))
  if (!matches) return '0'
  const query = sql.type(VersionRow)`
    ${matches.clauses} select concat_ws(' ', (select count(*) from found), (
      select ${aggregateVersions(matchVersion)} from page join read.patients p on p.id = page.id)) as version`
  return await db.oneFirst(matches.isFrequent ? prepared(query) : query)
}

/** Finds a page of which the bytes are limited before its rows are read. */
async function findLongPage(db: CommonQueryMethods, request: ListRequest, order: Order): Promise<FoundPage> {
  const { places, total } = request.search
    ? await findMatchingPlaces(db, request, order)
    : await findPlaces(db, request, order)
  const shown = await limitBytes(db, places.slice(0, request.limit))
  // Joined, so that each row is found by its id: with `= any`, PostgreSQL also scans all ids of the practice.
  const found = await db.any(
    selectPatients(
      request.clinical,
      sql.fragment`
      join unnest(${sql.array(
        shown.map(({ id }) => id),
        'uuid',
      )}) as requested (requested_id) on p.id = requested_id
      where ${inScope(request.scope, 'p')}`,
    ),
  )
  const byId = new Map(found.map((row) => [row.id as string, row]))
  const rows = shown.flatMap(({ id, at, name }) => {
    const row = byId.get(id)
    return row ? [{ ...row, at, name, total: null, version: '' }] : []
  })
  return { rows, total, hasMore: places.length > shown.length }
}

/** Pages up to this size are not checked for their bytes. */
const minPageRows = 50
const maxPageBytes = 2 * 1024 * 1024

/**
 * Shortens a page of long records, because a reply is held in memory until the client has received it. Never shorter
 * than `minPageRows`.
 */
async function limitBytes(db: CommonQueryMethods, places: readonly Place[]): Promise<readonly Place[]> {
  if (places.length <= minPageRows) return places
  const ids = places.map(({ id }) => id)
  const rows = await db.any(sql.type(IdAndBytesRow)`
    select id, coalesce(octet_length(notes), 0) + coalesce(octet_length(medical_history), 0)
      + coalesce(octet_length(allergies), 0) + coalesce(octet_length(medications), 0) as bytes
    from read.patients where id = any(${sql.array(ids, 'uuid')})`)
  const bytesById = new Map(rows.map(({ id, bytes }) => [id, bytes]))
  let bytes = 0
  const end = places.findIndex(({ id }, index) => {
    bytes += bytesById.get(id) ?? 0
    return index >= minPageRows && bytes > maxPageBytes
  })
  return end < 0 ? places : places.slice(0, end)
}

async function findPlaces(db: CommonQueryMethods, { scope, limit, offset, cursor }: ListRequest, order: Order) {
  const [places, total] = await Promise.all([
    db.any(sql.type(Place)`
      select id, ${keys[order].at} as at, '' as name from read.patients p
      where ${inScope(scope, 'p')} and ${afterCursor(cursor)}
      ${orderBy(order)} limit ${limit + 1} offset ${offset}`),
    countListedPatients(db, scope),
  ])
  return { places, total }
}

/** The number of patients of a scope; null in a practice that never had one. */
const listedPatients = ({ practiceId, includeSamples }: RecordScope): Fragment => sql.fragment`(
  select patients + case when ${includeSamples} then cardinality(sample_ids) else 0 end
  from read.patient_counts where practice_id = ${practiceId}
)`

/** Counts the patients of a scope. */
export async function countListedPatients(db: CommonQueryMethods, scope: RecordScope): Promise<number> {
  const { patients } = await db.one(prepared(sql.type(PatientsRow)`select ${listedPatients(scope)} as patients`))
  return patients ?? 0
}

/** `isFrequent` is true when the text of the clauses is one of a few dozen. */
type Matches = { clauses: Fragment; isFrequent: boolean }

/**
 * Returns the clauses `found`, all matches, and `page`, those of the page, in their order by `place`; undefined when nothing can match.
 * Matches are found through the indexes of words first and ordered afterwards: the other way round is slow.
 */
async function findMatches(db: CommonQueryMethods, request: ListRequest, order: Order): Promise<Matches | undefined> {
  const { scope, limit, offset, cursor } = request
  const conditions = await searchConditions(db, scope.practiceId, request.search ?? '')
  if (!conditions) return undefined
  return {
    isFrequent: conditions.isFrequent && order === 'match' && !cursor,
    clauses: sql.fragment`
    with found as materialized (
      select id, sort_key, date_of_birth, updated_at, last_visit, ${conditions.score} as score from read.patients p
      where ${inScope(scope, 'p')} and ${conditions.where}
      limit ${literal(maxCountedMatches)}
    ), page as (
      select id, ${keys[order].at} as at, sort_key as name, row_number() over (${orderBy(order)}) as place
      from found where ${afterCursor(cursor)}
      ${orderBy(order)} limit ${limit + 1} offset ${offset}
    )`,
  }
}

async function findMatchingPlaces(db: CommonQueryMethods, request: ListRequest, order: Order) {
  const matches = await findMatches(db, request, order)
  if (!matches) return { places: [], total: 0 }
  return await db.one(sql.type(TotalAndPlacesRow)`
    ${matches.clauses}
    select (select count(*) from found) as total,
           coalesce((select jsonb_agg(jsonb_build_object('id', id, 'at', at, 'name', name) order by place) from page), '[]')
             as places`)
}
