import type { FluentIcon } from '@fluentui/react-icons'
import type { z } from 'zod'
import type { Endpoint } from '#contracts/endpoint.ts'
import type { RecordHistoryEntry } from '#contracts/values/records.ts'
import type { Permission } from '#contracts/values/roles.ts'
import type { PracticeTimes } from '#web/entities/practices/practice-time.ts'
import type { PickedPatient } from '#web/entities/patients/patient-picker.tsx'
import type { Column } from '#web/ui/data-table.tsx'
import type { Status } from '#web/ui/status-badge.tsx'

/** A record in a list. The fields of its kind follow from its contract. */
export type RecordRow = Readonly<Record<string, unknown>> & {
  id: string
  patientId?: string | null
  patientName?: string | null
  createdAt: string
  updatedAt: string
  revision: number
}

/** A record with its history, newest first. */
export type RecordDetails = RecordRow & { history: readonly RecordHistoryEntry[] }

/**
 * An input of a record's forms. `lines` and `codes` are lists: one to a line, or separated by commas; `items` are those of an
 * order; a `price` is stored in cents; `provider` is chosen from the practice's own, `appointment` from those of the patient. A
 * `measure` and a `moment`, a date and a time of the practice, are typed in another unit than they are stored (`conversion`).
 */
export type RecordField = {
  /** The name of the input: that of the contract's field, or of a part of the object `of`. */
  name: string
  of?: string
  label: string
  kind:
    | 'line'
    | 'text'
    | 'date'
    | 'number'
    | 'price'
    | 'choice'
    | 'flag'
    | 'codes'
    | 'lines'
    | 'items'
    | 'provider'
    | 'appointment'
    | 'measure'
    | 'moment'
  /** The ways in which a `measure` or a `moment` is typed and shown. */
  conversion?: {
    toText: (stored: unknown) => string
    toStored: (text: string) => unknown
    format: (stored: unknown) => string
  }
  choices?: Readonly<Record<string, string>>
  /** Codes that can be picked from a list, with their meaning. */
  suggestions?: readonly (readonly [code: string, meaning: string])[]
  required?: boolean
  hint?: string
  maxLength?: number
  /** The value of a new record as it is typed. */
  initial?: string
  /** Returns what the record of the chosen patient proposes for a new record; empty without anything. */
  fromPatient?: (patient: PickedPatient) => string
  /** Shown to users who may read clinical data only. */
  isClinical?: true
  /** Returns whether a form shows it; null for a new record. By default it does. */
  isShown?: (row: RecordRow | null) => boolean
}

/** A step to another status, which a button offers. With `fields`, a dialog asks for them first. */
export type RecordMove = {
  status: string
  from: readonly string[]
  label: string
  icon: FluentIcon
  fields?: readonly string[]
  danger?: true
  permission?: Permission
  isOffered?: (row: RecordRow) => boolean
}

/** A choice above the list. */
export type RecordFilter = { name: string; label: string; choices: Readonly<Record<string, string>> }

/** A kind of record: its calls, its words and its columns. Everything else is the same for all kinds. */
export type RecordKind = {
  /** The name in addresses and query keys. */
  key: string
  title: string
  /** The record in a sentence, such as "prior authorization". */
  singular: string
  plural: string
  add: string
  icon: FluentIcon
  emptyHint: string
  searchHint: string
  endpoints: Readonly<Record<'list' | 'exportCsv' | 'get' | 'add' | 'change', Endpoint>>
  schemas: { add: z.ZodType; change: z.ZodType }
  patient: 'required' | 'optional' | 'none'
  permissions: { read: Permission; write: Permission }
  statusField: string
  statuses: Readonly<Record<string, { label: string; badge: Status }>>
  filters: readonly RecordFilter[]
  fields: readonly RecordField[]
  moves: readonly RecordMove[]
  /** Returns the name of a record without its patient. */
  describe: (row: RecordRow) => string
  /** Returns a detail below the name. */
  detail: (row: RecordRow, times: PracticeTimes) => string
  columns: readonly Column<RecordRow>[]
  /** Returns facts that follow from other fields, for the details. */
  facts?: (row: RecordRow, times: PracticeTimes) => readonly (readonly [label: string, value: string | null])[]
  /** Returns false for records that can no longer be edited. */
  isEditable?: (row: RecordRow) => boolean
}

/** Returns the status of a record. */
export const getStatus = ({ statusField }: RecordKind, row: RecordRow): string => String(row[statusField])

/** Returns the name of a record with its patient. */
export const formatRecordName = (kind: RecordKind, row: RecordRow): string =>
  row.patientName ? `${kind.describe(row)} of ${row.patientName}` : kind.describe(row)
