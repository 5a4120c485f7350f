import { ApiProblem } from '#web/api/call.ts'

/** Why the server or the bank said no, in its own words; null where trying again may help. */
export const getRefusalMessage = (error: unknown): string | null =>
  error instanceof ApiProblem && (error.status === 402 || error.status === 409) ? error.detail : null
