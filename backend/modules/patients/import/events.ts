import { z } from 'zod'
import { event, eventAbout, phi } from '#eventstore/event.ts'

const Count = z.number().int().min(0)
/** The number of a row in a spreadsheet: the heading is row 1. */
const RowNumber = z.number().int().min(2)

/** A row that created no patient, with the reasons, which name columns and dates but never people. */
const RowNote = z.strictObject({ row: RowNumber, reasons: phi(z.array(z.string())) })

/** The first and last of consecutive rows. */
const RowRun = z.strictObject({ from: RowNumber, to: RowNumber })

/** The fields that a column can become, as they were when the import was requested. */
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
  'otherPhone',
  'otherEmail',
])

/** A user requested the import of a file after its preview. The file itself is not part of the event. */
export const ImportRequested = event('ImportRequested', {
  importId: z.uuid(),
  practiceId: z.uuid(),
  /** The number of rows with content, without the heading. */
  total: Count,
  /** The field of each column, in the order of the file; columns that are not imported are missing. */
  columns: z.array(Field.nullable()),
  dateFormat: z.enum(['iso', 'mdy', 'dmy']),
  includeDuplicates: z.boolean(),
  /** Restores leading zeros of US postal codes; missing in older events, which kept the codes as they were. */
  restorePostalCodes: z.boolean().optional(),
  /** The rows that may be known patients, and are added as others because the user said so; missing in older events. */
  addedRows: z.array(RowNumber).optional(),
})

/** The columns of the requested file that are not imported, by their headings. */
export const ImportColumnsLeftOut = eventAbout('importId')('ImportColumnsLeftOut', {
  importId: z.uuid(),
  headings: phi(z.array(z.string())),
})

/** Progress after a few hundred rows. The patients are in their own streams. */
export const ImportProgressed = eventAbout('importId')('ImportProgressed', {
  importId: z.uuid(),
  /** The number of rows processed since the start. */
  done: Count,
  /** The rows since the last progress that became patients. */
  created: z.array(RowRun),
  /** Rows that look like an existing patient or an earlier row. */
  skipped: z.array(RowNote),
  failed: z.array(RowNote),
})

export const ImportFinished = event('ImportFinished', { importId: z.uuid() })

/** The import or its undo failed too often and is not retried automatically. `reason` is the kind of error. */
export const ImportGivenUp = event('ImportGivenUp', {
  importId: z.uuid(),
  reason: z.enum(['file-gone', 'no-more-tries']),
})

/** A user, or an operator's retry, resumed a failed import. */
export const ImportResumed = event('ImportResumed', { importId: z.uuid() })

export const ImportUndoRequested = event('ImportUndoRequested', { importId: z.uuid() })

/** The undo finished. `kept` patients were edited after the import and stay. */
export const ImportUndone = event('ImportUndone', { importId: z.uuid(), removed: Count, kept: Count })

export const ImportEvent = z.discriminatedUnion('type', [
  ImportRequested,
  ImportColumnsLeftOut,
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
