import { Button } from '@fluentui/react-components'
import { ErrorCircleRegular } from '@fluentui/react-icons/svg/error-circle'
import type { UseMutationResult } from '@tanstack/react-query'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { Notice } from '#web/ui/notice.tsx'

/** Returns whether a link was refused because it is unknown, used, replaced or too old. */
export const isLinkInvalid = (error: unknown): boolean =>
  error instanceof ApiProblem && (error.status === 410 || error.status === 404)

type ConfirmByLinkProps = {
  action: string
  confirm: Pick<UseMutationResult, 'error' | 'isPending'> & { mutate(): void }
}

/** Button of a page behind a link, which programs that look at messages do not press, and why it failed. */
export function ConfirmByLink({ action, confirm }: ConfirmByLinkProps) {
  const { error, isPending } = confirm
  return (
    <>
      {error && (
        <Notice
          tone="error"
          icon={ErrorCircleRegular}
          title={error instanceof ApiProblem ? error.detail : errorMessage(error)}
          role="alert"
        />
      )}
      <Button
        appearance="primary"
        size="large"
        disabledFocusable={isPending}
        onClick={() => {
          if (!isPending) confirm.mutate()
        }}
      >
        {isPending ? 'Confirming...' : action}
      </Button>
    </>
  )
}
