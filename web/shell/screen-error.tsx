import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiProblem } from '#web/api/call.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { useShell } from '#web/ui/shell-context.ts'

/** Replaces a screen that failed, with a retry button and, inside the shell, the navigation. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const boundary = useQueryErrorResetBoundary()
  const { Frame } = useShell()
  useEffect(() => boundary.reset(), [boundary])
  return (
    <Frame title="Something went wrong">
      <ErrorState
        title="This screen could not be shown"
        hint={error instanceof ApiProblem ? error.detail : 'Nothing you saved is lost.'}
        onRetry={() => {
          reset()
          void router.invalidate()
        }}
      />
    </Frame>
  )
}
