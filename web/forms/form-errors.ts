import type { FieldPath, FieldValues, UseFormSetError } from 'react-hook-form'
import { ApiProblem } from '#web/api/call.ts'

/**
 * Puts what the server refused next to the fields it refused, and the focus on the first. Answers false when it named
 * none, so that the caller says it in another place.
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
