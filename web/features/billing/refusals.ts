import { ApiProblem } from '#web/api/call.ts'

/** Returns the reason for which the server or the bank rejected a request; null for errors where a retry may help. */
export const getRefusalMessage = (error: unknown): string | null =>
  error instanceof ApiProblem && (error.status === 402 || error.status === 409) ? error.detail : null
