import { ProblemError } from '#http/problems.ts'

/** The refusal of a sign-in, or a check of a password, whose attempts cannot be counted. */
export const signInUnavailable = (): ProblemError =>
  new ProblemError(503, 'sign-in-unavailable', 'Signing in is not possible right now. Please try again soon.', {
    headers: { 'Retry-After': '5' },
  })
