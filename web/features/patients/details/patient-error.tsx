import { PersonProhibitedRegular } from '@fluentui/react-icons/svg/person-prohibited'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'

const isNotFound = (error: unknown) => error instanceof ApiProblem && [404, 422].includes(error.status)

/** Explains why a record cannot be shown: it does not exist, or it could not be loaded. */
export function PatientError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (isNotFound(error))
    return (
      <EmptyState
        icon={PersonProhibitedRegular}
        title="Patient not found"
        hint="The record may have been deleted, or the link may be incomplete."
      />
    )
  return <ErrorState title="Failed to fetch patient" hint={errorMessage(error)} onRetry={onRetry} />
}
