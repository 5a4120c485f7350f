import { toNestErrors } from '@hookform/resolvers'
import type { FieldErrors, Resolver } from 'react-hook-form'
import type { z } from 'zod'
import { toFormPath, type PatientValues } from './form-values.ts'

/** What would be sent for what was typed; another thing after each change of the record underneath. */
export type SubmitContext = { toBody: (values: PatientValues) => unknown }

/** Checks what would be sent against the contract, and puts each fault beside the field it was typed in. */
export const patientResolver =
  (schema: z.ZodType): Resolver<PatientValues, SubmitContext> =>
  (values, sending, options) => {
    const checked = schema.safeParse(sending?.toBody(values))
    if (checked.success) return { values, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const { path, message, code } of checked.error.issues)
      errors[toFormPath(path.join('.'), values)] ??= { type: code, message }
    return { values: {}, errors: toNestErrors<PatientValues>(errors as FieldErrors, options) }
  }
