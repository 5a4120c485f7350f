import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { ImportId } from './values/ids.ts'

/** The largest file accepted: 20 MB of text, 50,000 rows, 500 columns. JSON escapes quotes and line breaks, so a body may be larger. */
export const importLimits = { bytes: 20 * 1024 * 1024, rows: 50_000, columns: 500 }

/**
 * The fields that a column of the file can become. The parts of a name, an address, a contact and an insurance are
 * joined into their field. A further phone number or e-mail address is kept in the notes.
 */
export const ImportField = z.enum([
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
export type ImportField = z.infer<typeof ImportField>

/** The date formats of a file: 2024-03-04, 3/4/2024 (March 4), 4/3/2024 (March 4). */
export const DateFormat = z.enum(['iso', 'mdy', 'dmy'])
export type DateFormat = z.infer<typeof DateFormat>

/** The field that a column becomes, null for "do not import". A list of these, because no text of a file is a JSON key. */
const ColumnChoice = z.strictObject({ heading: z.string().max(500), field: ImportField.nullable() })

/** Counts the entries before any is validated: a million of them would block all other requests. */
const isSmall = (sent: unknown) => Array.isArray(sent) && sent.length <= importLimits.columns

export const ImportRequest = z.strictObject({
  csv: z.string({ error: 'Please choose a file' }).min(1, 'The file is empty'),
  /** Headings that are left out keep the recognized field. */
  mapping: z
    .custom<z.infer<typeof ColumnChoice>[]>(isSmall, 'The file has no such columns')
    .pipe(z.array(ColumnChoice))
    .optional(),
  dateFormat: DateFormat.optional(),
  /** Restores the leading zeros that a spreadsheet removed from US postal codes: 2139 becomes 02139. */
  restorePostalCodes: z.boolean().default(false),
  includeDuplicates: z.boolean().default(false),
  /** The rows of the preview with the status `question` that are other people: they are added. Without it, none of them is. */
  addedRows: z
    .array(z.int().min(2), { error: 'Please send the numbers of the rows' })
    .max(importLimits.rows, 'The file has no such rows')
    .default([]),
})
export type ImportRequest = z.output<typeof ImportRequest>

/** `row` counts as a spreadsheet does: the heading is row 1. */
const RowNote = z.object({ row: z.number(), reasons: z.array(z.string()) })
export type RowNote = z.infer<typeof RowNote>

/** The values of a row as the preview shows them. */
export const PreviewPatient = z.object({
  firstName: z.string(),
  lastName: z.string(),
  dateOfBirth: z.string().nullable(),
  gender: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  address: z.string().nullable(),
  deceasedOn: z.string().nullable(),
})

export const PreviewRow = RowNote.extend({
  /** `question`: perhaps a patient who is already here, or an earlier row. It is left out unless `addedRows` names it. */
  status: z.enum(['new', 'duplicate', 'question', 'invalid']),
  patient: PreviewPatient,
})
export type PreviewRow = z.infer<typeof PreviewRow>

export const ImportPreview = z.object({
  /** `sample` is the first value of the column that is not empty; `isCertain` is false for a guess from the values. */
  columns: z.array(
    z.object({ heading: z.string(), field: ImportField.nullable(), sample: z.string(), isCertain: z.boolean() }),
  ),
  /** Null when the user has to choose. */
  dateFormat: DateFormat.nullable(),
  /** At most five dates that are valid in both orders; the import needs a choice first. */
  ambiguousDates: z.array(z.object({ row: z.number(), value: z.string() })),
  /**
   * US postal codes without their leading zeros; null when there are none. `isLikely` when the state or country of each such
   * row fits. `row` counts as a spreadsheet does.
   */
  shortPostalCodes: z
    .object({
      count: z.number(),
      isLikely: z.boolean(),
      example: z.object({ row: z.number(), value: z.string(), restored: z.string() }),
    })
    .nullable(),
  total: z.number(),
  new: z.number(),
  duplicate: z.number(),
  question: z.number(),
  invalid: z.number(),
  /**
   * The number of patients that the plan still has room for; new rows beyond it are not imported. Null without a limit.
   */
  remainingPatients: z.number().nullable(),
  /** The first 20 rows. */
  rows: z.array(PreviewRow),
  /** The first 200 rows of each status but `new`, anywhere in the file. */
  exceptions: z.array(PreviewRow),
})
export type ImportPreview = z.infer<typeof ImportPreview>

export const ImportStatus = z.object({
  importId: ImportId,
  /** `failed`: the import or its undo failed too often and is not retried automatically. */
  state: z.enum(['queued', 'running', 'done', 'undoing', 'undone', 'failed']),
  /** The operation that failed. */
  failedWhile: z.enum(['running', 'undoing']).nullable(),
  total: z.number(),
  /** Rows processed so far. */
  done: z.number(),
  created: z.number(),
  /** Rows that look like an existing patient or an earlier row. */
  skipped: z.number(),
  skippedRows: z.array(RowNote),
  /** The headings of the columns that were not imported, in the order of the file. */
  leftOutColumns: z.array(z.string()),
  failed: z.array(RowNote),
  /** The result of an undo: patients removed, and patients kept because they were edited after the import. */
  removed: z.number(),
  kept: z.number(),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
})
export type ImportStatus = z.infer<typeof ImportStatus>

const access = { permission: 'patients:write' } as const
const bodyLimit = 2 * importLimits.bytes
const params = z.object({ importId: ImportId })

export const previewImport = endpoint({
  method: 'POST',
  path: '/api/patients/import/preview',
  access,
  readsOnly: true,
  body: ImportRequest,
  bodyLimit,
  reply: ImportPreview,
})

/** 202: the import runs in the background. 409 `too-many-imports` while the practice has five running; 402 `plan-limit`. */
export const startImport = endpoint({
  method: 'POST',
  path: '/api/patients/import',
  access,
  body: ImportRequest,
  bodyLimit,
  reply: z.object({ importId: ImportId }),
  status: 202,
})

/** The practice's last twenty imports, newest first, and every older one that is running or has failed. */
export const listImports = endpoint({
  method: 'GET',
  path: '/api/patients/import',
  access,
  reply: z.array(ImportStatus.omit({ skippedRows: true, failed: true, leftOutColumns: true })),
})

export const getImport = endpoint({
  method: 'GET',
  path: '/api/patients/import/:importId',
  access,
  params,
  reply: ImportStatus,
})

/** Removes exactly the patients of this import that were not edited since. 202: runs in the background. */
export const undoImport = endpoint({
  method: 'POST',
  path: '/api/patients/import/:importId/undo',
  access,
  params,
  reply: z.object({ importId: ImportId }),
  status: 202,
})

/** Resumes a failed import where it stopped. 202: runs in the background. */
export const resumeImport = endpoint({
  method: 'POST',
  path: '/api/patients/import/:importId/resume',
  access,
  params,
  reply: z.object({ importId: ImportId }),
  status: 202,
})
