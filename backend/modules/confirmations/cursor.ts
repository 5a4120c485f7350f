import { z } from 'zod'
import { fieldError } from '#http/problems.ts'

/** The place after which a page starts: an instant (ISO) and an id. */
const Cursor = z.strictObject({ at: z.iso.datetime({ offset: true }), id: z.uuid() })

/** Returns the cursor of a page that starts after a record. */
export const encodeCursor = (at: string, id: string): string =>
  Buffer.from(JSON.stringify({ at, id })).toString('base64url')

/** Throws 422 for a text that is no cursor. */
export function decodeCursor(text: string): z.infer<typeof Cursor> {
  try {
    return Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    throw fieldError('cursor', 'This page cannot be found. Start again from the first.')
  }
}
