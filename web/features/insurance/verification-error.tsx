import { ShieldProhibitedRegular } from '@fluentui/react-icons/svg/shield-prohibited'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'

/** Explains why a verification cannot be shown: it does not exist, or it could not be loaded. */
export function VerificationError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (error instanceof ApiProblem && [404, 422].includes(error.status))
    return (
      <EmptyState
        icon={ShieldProhibitedRegular}
        title="Verification not found"
        hint="Its patient may have been deleted, or the link may be incomplete."
      />
    )
  return <ErrorState title="Failed to fetch verification" hint={errorMessage(error)} onRetry={onRetry} />
}
