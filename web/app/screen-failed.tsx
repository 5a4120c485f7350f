import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ApiProblem } from './call.ts'
import { ErrorState } from './error-state.tsx'

/** A screen that could not be shown: what is safe, and Try again. */
export function ScreenFailed({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const boundary = useQueryErrorResetBoundary()
  useEffect(() => boundary.reset(), [boundary])
  return (
    <ErrorState
      title="This screen could not be shown"
      hint={error instanceof ApiProblem ? error.detail : 'Nothing you saved is lost.'}
      onRetry={() => {
        reset()
        void router.invalidate()
      }}
    />
  )
}
