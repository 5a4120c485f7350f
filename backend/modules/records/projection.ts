import { z } from 'zod'
import { isPhi, type Recorded } from '#eventstore/event.ts'
import { type PatientNameRow, patientNameFolds } from '#modules/patients/names/public.ts'
import type { PatientEvent } from '#modules/patients/events.ts'
import { type ColumnType, defineProjection, type Projection } from '#projections/projection.ts'
import type { RecordDefinition, RecordEvent, RecordEvents, Shape } from './events.ts'

type Row = Record<string, unknown>

/** Returns the column of a field. */
export const toColumn = (field: string): string => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Returns the fields of a record's row: its own, and the data of its transitions. */
export const fieldsOfRow = ({ fields, transitions }: RecordDefinition): Shape =>
  Object.assign({}, fields, ...Object.values(transitions).map(({ data }) => data))

function toColumnType(schema: z.ZodType): ColumnType {
  if (schema instanceof z.ZodNullable) return toColumnType(schema.unwrap() as z.ZodType)
  if (schema instanceof z.ZodUUID) return 'uuid'
  if (schema instanceof z.ZodISODate) return 'date'
  if (schema instanceof z.ZodISODateTime) return 'timestamptz'
  if (schema instanceof z.ZodString || schema instanceof z.ZodEnum) return 'text'
  if (schema instanceof z.ZodBoolean) return 'bool'
  if (schema instanceof z.ZodNumber) return 'int4'
  if (schema instanceof z.ZodArray || schema instanceof z.ZodObject) return 'jsonb'
  throw new TypeError(
    'A field of a record is an id, a date, an instant, a text, a choice, a number, a list or an object',
  )
}

type Options = {
  name: string
  version: number
  /** PHI fields that lists search or sort by: stored in clear. The others are sealed with the patient's data key. */
  clear?: readonly string[]
  indexes?: readonly string[]
}

/** Returns the projection of a record: one row each, with a column for every field and the present status. */
export function recordProjection<D extends RecordDefinition>(
  { definition }: RecordEvents<D>,
  { name, version, clear = [], indexes = [] }: Options,
): Projection<RecordEvent<D>, Row> {
  const { names, id, patient, initialStatus, transitions } = definition
  const fields = Object.entries(fieldsOfRow(definition))
  const isSealed = ([field, schema]: [string, z.ZodType]) => isPhi(schema) && !clear.includes(field)
  const toColumns = (data: Row): Row =>
    Object.fromEntries(fields.flatMap(([field]) => (field in data ? [[toColumn(field), data[field]]] : [])))
  const update = (row: Row | null, { revision, metadata }: Recorded, changes: Row): Row | null =>
    row && { ...row, ...changes, revision: Number(revision), updated_at: metadata.at }
  const create = (_: Row | null, { data, metadata, revision }: Recorded): Row => ({
    ...Object.fromEntries(fields.map(([field]) => [toColumn(field), null])),
    ...toColumns(data),
    id: data[id.field],
    practice_id: data['practiceId'],
    ...(patient === 'none' ? {} : { patient_id: data['patientId'] }),
    ...(patient === 'optional' ? { subject_id: data['subjectId'] } : {}),
    status: initialStatus,
    sample: metadata.sample,
    revision: Number(revision),
    created_at: metadata.at,
    updated_at: metadata.at,
  })
  const change = (row: Row | null, event: Recorded) => update(row, event, toColumns(event.data['to'] as Row))
  const moves = Object.entries(transitions).map(([type, { to }]) => [
    type,
    (row: Row | null, event: Recorded) => update(row, event, { ...toColumns(event.data), status: to }),
  ])
  const projection = defineProjection<Recorded, Row>({
    name,
    version,
    columns: {
      id: 'uuid',
      practice_id: 'uuid',
      ...(patient === 'none' ? {} : { patient_id: 'uuid' as const }),
      ...(patient === 'optional' ? { subject_id: 'uuid' as const } : {}),
      status: 'text',
      ...Object.fromEntries(fields.map(([field, schema]) => [toColumn(field), toColumnType(schema)])),
      // Ciphertext, whatever the type of the field.
      ...Object.fromEntries(fields.filter(isSealed).map(([field]) => [toColumn(field), 'text' as const])),
      sample: 'bool',
      revision: 'int8',
      created_at: 'timestamptz',
      updated_at: 'timestamptz',
    },
    key: 'id',
    ...(patient === 'none'
      ? {}
      : {
          sealed: {
            subject: patient === 'optional' ? 'subject_id' : 'patient_id',
            columns: fields.filter(isSealed).map(([field]) => toColumn(field)),
          },
        }),
    indexes: [
      '(practice_id, created_at, id)',
      '(practice_id, status, created_at, id)',
      ...(patient === 'none' ? [] : ['(patient_id)']),
      ...indexes,
    ],
    rowOf: ({ data }) => String(data[id.field]),
    on: { [names.created]: create, [names.changed]: change, ...Object.fromEntries(moves) },
  })
  // The compiler does not follow names that are computed: the type is that of the definition.
  return projection as unknown as Projection<RecordEvent<D>, Row>
}

type PatientRow = PatientNameRow & {
  id: string
}

/** The names of all patients, removed ones included, whose records are not shown any more. */
export const recordPatientsProjection = defineProjection<PatientEvent, PatientRow>({
  name: 'record_patients',
  version: 1,
  columns: { id: 'uuid', first_name: 'text', last_name: 'text', removed: 'bool' },
  key: 'id',
  rowOf: ({ data }) => data.patientId,
  on: {
    ...patientNameFolds,
    PatientRegistered: (_, { data: { patientId, firstName, lastName } }) => ({
      id: patientId,
      first_name: firstName,
      last_name: lastName,
      removed: false,
    }),
  },
})
