import type { QueryClient } from '@tanstack/react-query'
import { ApiProblem } from '#web/api/call.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { isScreenLocked } from '#web/api/screen-lock.ts'

/**
 * Forgets the user, and calls `onEnded`, at the next 401 of a query, except while a form is open: its input would be lost. The
 * form itself reports the expired session when it is submitted. A locked window stays as it is.
 */
export function leaveWhenSessionEnds(queries: QueryClient, onEnded: () => void): void {
  queries.getQueryCache().subscribe((event) => {
    // Only the end of a fetch: a refetch begins with the error of the one before, and the user may have signed in since.
    if (event.type !== 'updated' || event.action.type !== 'error') return
    const { error } = event.query.state
    if (!(error instanceof ApiProblem) || error.status !== 401) return
    if (
      isScreenLocked() ||
      !queries.getQueryData(currentUserQuery.queryKey) ||
      document.querySelector('[role=dialog] form, form[data-unsaved]')
    )
      return
    queries.setQueryData(currentUserQuery.queryKey, null)
    onEnded()
  })
}
