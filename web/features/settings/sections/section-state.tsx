import { makeStyles, Skeleton, SkeletonItem } from '@fluentui/react-components'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'

const useStyles = makeStyles({ lines: { display: 'grid', rowGap: '16px' }, line: { height: '40px' } })

/** Placeholder while a section loads, `rows` lines high. */
export function SectionLoading({ rows, what }: { rows: number; what: string }) {
  const styles = useStyles()
  return (
    <Skeleton aria-label={`Loading ${what}`} className={styles.lines}>
      {Array.from({ length: rows }, (_, row) => (
        <SkeletonItem key={row} className={styles.line} />
      ))}
    </Skeleton>
  )
}

/** Section that could not be loaded. A 403 offers no retry, as it would fail again. */
export function SectionError({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => void }) {
  if (error instanceof ApiProblem && error.status === 403) return <SectionForbidden what={what} />
  return (
    <ErrorState
      title={`${what} could not be loaded`}
      hint={error instanceof ApiProblem ? error.detail : errorMessage(error)}
      onRetry={onRetry}
    />
  )
}

/** Section that the user has no permission for, with who does. */
export function SectionForbidden({ what }: { what: string }) {
  return (
    <Notice tone="plain" icon={LockClosedRegular} title={`${what} are for the owner and administrators`}>
      Ask one of them to make changes.
    </Notice>
  )
}
