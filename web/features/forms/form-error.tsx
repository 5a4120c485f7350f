import { DocumentProhibitedRegular } from '@fluentui/react-icons/svg/document-prohibited'
import { useNavigate } from '@tanstack/react-router'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useTableStyles } from '#web/ui/table-styles.ts'

const isNotFound = (error: unknown) => error instanceof ApiProblem && [404, 422].includes(error.status)

/** Explains why a form cannot be shown: it or its template does not exist, or it could not be loaded. */
export function FormError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { surface } = useTableStyles()
  const navigate = useNavigate()
  return (
    <div className={surface}>
      {error && !isNotFound(error) ? (
        <ErrorState title="Failed to fetch the form" hint={errorMessage(error)} onRetry={onRetry} />
      ) : (
        <EmptyState
          icon={DocumentProhibitedRegular}
          title="Form not found"
          hint="The link may be incomplete, or it belongs to another practice."
          action="Open all forms"
          onAction={() => void navigate({ to: '/forms' })}
        />
      )}
    </div>
  )
}
