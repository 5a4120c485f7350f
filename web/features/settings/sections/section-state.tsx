import { makeStyles, Skeleton, SkeletonItem } from '@fluentui/react-components'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'

const useStyles = makeStyles({ lines: { display: 'grid', rowGap: '16px' }, line: { height: '40px' } })

/** A section whose content is on its way, `rows` lines high. */
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

/** A section that could not be fetched; where the server refused, asking again would not help. */
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

/** Somebody who may not see or change it, and who may. */
export function SectionForbidden({ what }: { what: string }) {
  return (
    <Notice tone="plain" icon={LockClosedRegular} title={`${what} are for the owner and administrators`}>
      Ask one of them when something has to be changed.
    </Notice>
  )
}
