import { z } from 'zod'

/** The status of a clinical document. */
export const DocumentStatus = z.enum(['draft', 'review', 'approved'], { error: 'Please choose a status' })
export type DocumentStatus = z.infer<typeof DocumentStatus>

/** The kind of a clinical document. An addendum belongs to an approved document, which never changes. */
export const DocumentType = z.enum(['soap-note', 'progress-note', 'procedure-note', 'addendum'], {
  error: 'Please choose a kind of document',
})
export type DocumentType = z.infer<typeof DocumentType>
