import { makeStyles, Skeleton, SkeletonItem } from '@fluentui/react-components'
import { LockClosedRegular } from '@fluentui/react-icons/svg/lock-closed'
import type { ReactNode } from 'react'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Notice } from '#web/ui/notice.tsx'

const useStyles = makeStyles({ lines: { display: 'grid', rowGap: '16px' }, line: { height: '40px' } })

type LoadedSectionProps<Data> = {
  query: { data: Data | undefined; error: unknown; refetch: () => unknown }
  /** Names the content in an error: "Fees"; `loadingSubject` names it in the label of the placeholder: "the fees". */
  subject: string
  loadingSubject: string
  /** Lines of the placeholder. */
  rows: number
  children: (data: Data) => ReactNode
}

/** Renders the content of a section once its data is loaded, until then a placeholder or an error. */
export function LoadedSection<Data>({ query, subject, loadingSubject, rows, children }: LoadedSectionProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <SectionError subject={subject} error={query.error} onRetry={() => void query.refetch()} />
  return <SectionLoading rows={rows} subject={loadingSubject} />
}

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
