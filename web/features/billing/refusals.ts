import { ApiProblem } from '#web/api/call.ts'
import type { Notification } from '#web/ui/notification.ts'

/** Returns the reason for which the server or the bank rejected a request; null for errors where a retry may help. */
export const getRefusalMessage = (error: unknown): string | null =>
  error instanceof ApiProblem && (error.status === 402 || error.status === 409) ? error.detail : null

/** Returns whether the payment service did not confirm a change: it may have happened. */
export const isUnconfirmed = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && error.code === 'outcome-unknown'

/** Returns the toast for a change that failed, or that was not confirmed; `body` is the text of a failure. */
export const describeFailure = (error: unknown, body: string): Notification =>
  isUnconfirmed(error)
    ? { title: 'Not Confirmed', body: error.detail, intent: 'error' }
    : { title: 'Error', body, intent: 'error' }
