import { bodyParser } from '@koa/bodyparser'
import type { Context } from 'koa'
import type { z } from 'zod'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { readWithTimeout } from './body-timeout.ts'
import { invalidRequestFromZod, ProblemError } from './problems.ts'

/** Reads the fields of a plain form. Throws 400 `invalid-form`, 408 and 413. */
export type ReadForm = (ctx: Context) => Promise<Record<string, unknown>>

/** Creates a reader of plain forms, which pages without script and vendors send, of up to `maxBytes`. */
export function createFormReader(maxBytes: number): ReadForm {
  const parse = bodyParser({
    enableTypes: ['form'],
    formLimit: maxBytes,
    encoding: 'utf-8',
    onError: () => {
      throw new ProblemError(400, 'invalid-form', 'The form cannot be read.')
    },
  })
  return async (ctx) => {
    await readWithTimeout(ctx, () => parse(ctx, async () => undefined))
    return (ctx.request.body ?? {}) as Record<string, unknown>
  }
}

/** Returns the fields of a form as a schema has them. Throws 400 with the fields that are not valid. */
export function parseForm<Schema extends z.ZodType>(schema: Schema, fields: unknown): z.infer<Schema> {
  const form = schema.safeParse(fields)
  if (!form.success) throw invalidRequestFromZod(form.error.issues)
  return form.data
}

/** Waits for a write that may be refused: the page that follows shows what is true now. */
export const unlessRefused = (write: Promise<void>): Promise<void> =>
  write.catch((error: unknown) => {
    if (!(error instanceof CommandRejected)) throw error
  })
