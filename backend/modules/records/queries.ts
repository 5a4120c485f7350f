import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { PatientId } from '#contracts/values/ids.ts'
import { fieldError } from '#http/problems.ts'
import type { Services } from '#modules/module.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { openFields } from '#projections/sealed-columns.ts'
import type { Data, FieldsOf, PatientOf, RecordDefinition, RecordEvents, RecordId, StatusOf } from './events.ts'
import { fieldsOfRow, toColumn } from './projection.ts'

const TotalRow = z.object({ total: z.number() })
const StatusAndTotalRow = z.object({ status: z.string(), total: z.number() })

type Readers = Pick<Services, 'db' | 'keyStore'>
type Fragment = ReturnType<typeof sql.fragment>

type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void ? I : never
/** The data of all transitions together. */
type MovedFields<D extends RecordDefinition> = Intersection<
  { [T in keyof D['transitions']]: Data<D['transitions'][T]['data']> }[keyof D['transitions']]
>

type NameOf<D extends RecordDefinition> = D['patient'] extends 'required' ? string : string | null

/** A record as it is read, with its patient. The data of a transition is null before the first one of its kind. */
export type StoredRecord<D extends RecordDefinition> = {
  id: RecordId<D>
  patientId: PatientOf<D>
  firstName: NameOf<D>
  lastName: NameOf<D>
  status: StatusOf<D>
  revision: number
  createdAt: string
  updatedAt: string
} & FieldsOf<D> & { [F in Exclude<keyof MovedFields<D>, keyof FieldsOf<D>>]: MovedFields<D>[F] | null }

export type RecordListRequest = {
  scope: RecordScope
  limit: number
  status?: string | undefined
  patientId?: PatientId | undefined
  search?: string | undefined
  cursor?: string | undefined
  /** A further SQL condition for the records `r`. */
  also?: Fragment | undefined
  /** Values that other fields of the record must have; they are not sealed. */
  values?: Readonly<Record<string, string | boolean | undefined>>
}

/** A page of records, newest first, with the number of all that match. `next` is the cursor of the next page. */
export type RecordPage<D extends RecordDefinition> = {
  records: StoredRecord<D>[]
  total: number
  next: string | null
}

export type RecordReader<D extends RecordDefinition> = {
  /** The fields of the records that are read, in the order of the definition. */
  readonly fields: readonly string[]
  /** Finds a record; null when the scope has none, or its patient was removed. */
  find(readers: Readers, scope: RecordScope, id: string): Promise<StoredRecord<D> | null>
  findPage(readers: Readers, request: RecordListRequest): Promise<RecordPage<D>>
  /** Counts the records by status. Statuses without records are missing. */
  countByStatus(db: CommonQueryMethods, scope: RecordScope): Promise<ReadonlyMap<string, number>>
}

/** The place after which a page starts. */
const Cursor = z.strictObject({ at: z.iso.datetime({ offset: true }), id: z.uuid() })
type Cursor = z.infer<typeof Cursor>

const encodeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

/** Throws 422 for a text that is no cursor. */
function decodeCursor(text: string): Cursor {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    throw fieldError('cursor', 'This page cannot be found. Start again from the first.')
  }
}

/** Matches a text literally within `like`. */
const toPattern = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

/** The SQL condition for records `r` of a patient who was not removed. */
export const ofPresentPatient: Fragment = sql.fragment`
  exists (select from read.record_patients p where p.id = r.patient_id and not p.removed)`

const column = (name: string) => sql.identifier(['r', name])

const StoredRow = z.looseObject({
  id: z.string(),
  patientId: z.string().nullable(),
  createdAt: z.string(),
})

/** Returns the queries of a record. A search matches the patient's name and the fields `searched`, which are not sealed. */
export function recordReader<D extends RecordDefinition>(
  { definition }: RecordEvents<D>,
  { name, sealed }: AnyProjection,
  searched: readonly (keyof FieldsOf<D> & string)[],
): RecordReader<D> {
  const hasPatient = definition.patient !== 'none'
  const fields = [
    'id',
    ...(hasPatient ? ['patientId'] : []),
    'status',
    ...Object.keys(fieldsOfRow(definition)),
    'revision',
    'createdAt',
    'updatedAt',
  ]
  const selected = sql.join(
    fields.map((field) => sql.fragment`${column(toColumn(field))} as ${sql.identifier([field])}`),
    sql.fragment`, `,
  )
  const sealedFields = fields.filter((field) => sealed?.columns.includes(toColumn(field)))
  const sealedColumns = Object.fromEntries(sealedFields.map((field) => [field, toColumn(field)]))
  const table = sql.fragment`from ${sql.identifier(['read', name])} r`
  const tables = !hasPatient
    ? table
    : definition.patient === 'required'
      ? sql.fragment`${table} join read.record_patients p on p.id = r.patient_id`
      : sql.fragment`${table} left join read.record_patients p on p.id = r.patient_id`
  const patient = hasPatient
    ? sql.fragment`p.first_name as "firstName", p.last_name as "lastName"`
    : sql.fragment`null as "patientId", null as "firstName", null as "lastName"`
  const searchedText = sql.fragment`concat_ws(' ', ${sql.join(
    [
      ...(hasPatient ? [sql.fragment`p.first_name`, sql.fragment`p.last_name`] : []),
      ...searched.map((field) => sql.fragment`${column(toColumn(field))}`),
    ],
    sql.fragment`, `,
  )})`

  async function select({ db, keyStore }: Readers, rest: Fragment): Promise<StoredRecord<D>[]> {
    const rows = await db.any(sql.type(StoredRow)`select ${selected}, ${patient} ${tables} ${rest}`)
    const findPlace = ({ id, patientId }: z.infer<typeof StoredRow>) => ({ key: id, subject: patientId ?? id })
    return (await openFields(keyStore, rows, sealedColumns, findPlace)) as StoredRecord<D>[]
  }

  function matches({
    scope,
    status,
    patientId,
    also,
    search = '',
    values = {},
  }: Omit<RecordListRequest, 'limit'>): Fragment {
    const words = search.split(/\s+/u).filter((word) => word !== '')
    const conditions = [
      inScope(scope, 'r'),
      ...(hasPatient ? [sql.fragment`p.removed is not true`] : []),
      ...(status ? [sql.fragment`r.status = ${status}`] : []),
      ...(also ? [also] : []),
      ...(patientId && hasPatient ? [sql.fragment`r.patient_id = ${patientId}`] : []),
      ...Object.entries(values).flatMap(([field, value]) =>
        value === undefined ? [] : [sql.fragment`${column(toColumn(field))} = ${value}`],
      ),
      ...words.map((word) => sql.fragment`${searchedText} ilike ${toPattern(word)}`),
    ]
    return sql.join(conditions, sql.fragment` and `) as unknown as Fragment
  }

  return {
    fields,

    async find(readers, scope, id) {
      const [found] = await select(readers, sql.fragment`where r.id = ${id} and ${matches({ scope })}`)
      return found ?? null
    },

    async findPage(readers, request) {
      const { limit } = request
      const cursor = request.cursor === undefined ? null : decodeCursor(request.cursor)
      const where = matches(request)
      const after = cursor
        ? sql.fragment`and (r.created_at, r.id) < (${cursor.at}::timestamptz, ${cursor.id}::uuid)`
        : sql.fragment``
      const [found, total] = await Promise.all([
        select(readers, sql.fragment`where ${where} ${after} order by r.created_at desc, r.id desc limit ${limit + 1}`),
        readers.db.oneFirst(sql.type(TotalRow)`select count(*)::int4 as total ${tables} where ${where}`),
      ])
      const records = found.slice(0, limit)
      const last = found.length > limit ? records.at(-1) : undefined
      return { records, total, next: last ? encodeCursor({ at: last.createdAt, id: String(last.id) }) : null }
    },

    async countByStatus(db, scope) {
      const rows = await db.any(
        sql.type(StatusAndTotalRow)`
          select r.status, count(*)::int4 as total ${tables} where ${matches({ scope })} group by r.status`,
      )
      return new Map(rows.map(({ status, total }) => [status, total]))
    },
  }
}
