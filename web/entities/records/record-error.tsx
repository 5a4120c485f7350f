import { DocumentDismissRegular } from '@fluentui/react-icons/svg/document-dismiss'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import type { RecordKind } from './record-kind.ts'

/** Explains why a record cannot be shown: it does not exist, or it could not be loaded. */
export function RecordError({ kind, error, onRetry }: { kind: RecordKind; error: unknown; onRetry: () => void }) {
  if (error instanceof ApiProblem && [404, 422].includes(error.status))
    return (
      <EmptyState
        icon={DocumentDismissRegular}
        title={`There is no such ${kind.singular}`}
        hint="Its patient may have been deleted, or the link may be incomplete."
      />
    )
  return <ErrorState title={`Failed to fetch ${kind.singular}`} hint={errorMessage(error)} onRetry={onRetry} />
}
