import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { ApiProblem } from '#web/api/call.ts'

/**
 * Shows the field errors of an API problem beside their fields and focuses the first. Returns false when there are none, so
 * that the caller can show the error elsewhere.
 */
export const showFieldErrors =
  <Values extends FieldValues>(setError: UseFormSetError<Values>) =>
  (error: unknown): boolean => {
    if (!(error instanceof ApiProblem)) return false
    const { errors } = error.problem
    for (const [index, { path, message }] of errors.entries())
      setError(path as FieldPath<Values>, { type: 'server', message }, { shouldFocus: index === 0 })
    return errors.length > 0
  }
