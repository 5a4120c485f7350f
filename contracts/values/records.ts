import { z } from 'zod'

/**
 * An entry in the history of a record. `by` is null for a change by the application itself, `status` null when it stayed the
 * same; `changedFields` are the fields of the record that changed.
 */
export const RecordHistoryEntry = z.object({
  at: z.string(),
  by: z.string().nullable(),
  status: z.string().nullable(),
  changedFields: z.array(z.string()),
})
export type RecordHistoryEntry = z.infer<typeof RecordHistoryEntry>
