import type { z } from 'zod'
import { invalidRequestFromZod, ProblemError } from './problems.ts'

/**
 * Parses one part of a request, and returns it under its name; nothing without a schema. Throws 422 with the path within the part
 * (`email`), as forms need it; 404 for an invalid parameter of the path.
 */
export function parsePart(part: 'params' | 'query' | 'body', schema: z.ZodType | undefined, value: unknown) {
  if (!schema) return {}
  const result = schema.safeParse(value)
  if (result.success) return { [part]: result.data }
  // An invalid id gets the same reply as an id of another practice.
  if (part === 'params') throw new ProblemError(404, 'not-found', 'There is nothing here.')
  throw invalidRequestFromZod(result.error.issues)
}
