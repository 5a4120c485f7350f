import { PersonProhibitedRegular } from '@fluentui/react-icons'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'

const isNotFound = (error: unknown) => error instanceof ApiProblem && [404, 422].includes(error.status)

/** Why a record is not shown: it is not there (any more), or it could not be fetched. */
export function PatientError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (isNotFound(error))
    return (
      <EmptyState
        icon={PersonProhibitedRegular}
        title="There is no such patient"
        hint="The record may have been deleted, or the link is not complete."
      />
    )
  return <ErrorState title="Failed to fetch patient" hint={errorMessage(error)} onRetry={onRetry} />
}
