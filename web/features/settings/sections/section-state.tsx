import { makeStyles, Skeleton, SkeletonItem } from '@fluentui/react-components'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'

const useStyles = makeStyles({ lines: { display: 'grid', rowGap: '16px' }, line: { height: '40px' } })

/** Placeholder while a section loads, `rows` lines high. */
export function SectionLoading({ rows, subject }: { rows: number; subject: string }) {
  const styles = useStyles()
  return (
    <Skeleton aria-label={`Loading ${subject}`} className={styles.lines}>
      {Array.from({ length: rows }, (_, row) => (
        <SkeletonItem key={row} className={styles.line} />
      ))}
    </Skeleton>
  )
}

/** Section that could not be loaded. A 403 offers no retry, as it would fail again. */
export function SectionError({ subject, error, onRetry }: { subject: string; error: unknown; onRetry: () => void }) {
  if (error instanceof ApiProblem && error.status === 403) return <SectionForbidden subject={subject} />
  return (
    <ErrorState
      title={`${subject} could not be loaded`}
      hint={error instanceof ApiProblem ? error.detail : errorMessage(error)}
      onRetry={onRetry}
    />
  )
}

/** Section that the user has no permission for, with who does. */
export function SectionForbidden({ subject }: { subject: string }) {
  return (
    <Notice tone="neutral" icon={LockClosedRegular} title={`${subject} are for the owner and administrators`}>
      Ask one of them to make changes.
    </Notice>
  )
}
