import { z } from 'zod'
import { event, eventAbout, phi } from '#eventstore/event.ts'

const Count = z.number().int().min(0)
/** As a spreadsheet counts: the heading is row 1. */
const RowNumber = z.number().int().min(2)

/** A row that brought no patient, and why. The reasons speak of columns and dates, never of names. */
const RowNote = z.strictObject({ row: RowNumber, reasons: phi(z.array(z.string())) })

/** Neighbouring rows, first and last of them. */
const RowRun = z.strictObject({ from: RowNumber, to: RowNumber })

/** The fields a column of the old system's file can become, as they were when the import was asked for. */
const Field = z.enum([
  'firstName',
  'lastName',
  'fullName',
  'dateOfBirth',
  'gender',
  'email',
  'phone',
  'address',
  'city',
  'state',
  'postalCode',
  'country',
  'emergencyContact',
  'insuranceProvider',
  'policyNumber',
  'groupNumber',
  'medicalHistory',
  'allergies',
  'medications',
  'notes',
  'deceasedOn',
])

/** Somebody chose a file, looked at the preview and asked for its patients. The file itself is no fact. */
export const ImportRequested = event('ImportRequested', {
  importId: z.uuid(),
  practiceId: z.uuid(),
  /** Rows with content, without the heading. */
  total: Count,
  /** What each column of the file becomes, in the file's order; null is left out. */
  columns: z.array(Field.nullable()),
  dateFormat: z.enum(['iso', 'mdy', 'dmy']),
  includeDuplicates: z.boolean(),
})

/** A few hundred rows later. What follows from the rows up to here stands in the patients' own records. */
export const ImportProgressed = eventAbout('importId')('ImportProgressed', {
  importId: z.uuid(),
  /** Rows looked at since the beginning. */
  done: Count,
  /** The rows since the last progress that became patients. */
  created: z.array(RowRun),
  /** Rows that look like a patient already there, or like an earlier row. */
  skipped: z.array(RowNote),
  failed: z.array(RowNote),
})

export const ImportFinished = event('ImportFinished', { importId: z.uuid() })

/**
 * Nothing more is tried by itself: what it was about, carrying out or taking back, ended too often in an error. `reason`
 * is the kind of error.
 */
export const ImportGivenUp = event('ImportGivenUp', {
  importId: z.uuid(),
  reason: z.enum(['file-gone', 'no-more-tries']),
})

/** Somebody, or an operator's retry, has what was given up tried again. */
export const ImportResumed = event('ImportResumed', { importId: z.uuid() })

export const ImportUndoRequested = event('ImportUndoRequested', { importId: z.uuid() })

/** Everything that could be taken back is: `kept` patients were worked on since and stay. */
export const ImportUndone = event('ImportUndone', { importId: z.uuid(), removed: Count, kept: Count })

export const ImportEvent = z.discriminatedUnion('type', [
  ImportRequested,
  ImportProgressed,
  ImportFinished,
  ImportUndoRequested,
  ImportUndone,
  ImportGivenUp,
  ImportResumed,
])
export type ImportEvent = z.infer<typeof ImportEvent>
export type ImportRequested = z.infer<typeof ImportRequested>
export type ImportProgressed = z.infer<typeof ImportProgressed>
