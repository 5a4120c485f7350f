import { Button, makeStyles, mergeClasses, Skeleton, SkeletonItem, Text, tokens } from '@fluentui/react-components'
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise'
import { CloudErrorRegular } from '@fluentui/react-icons/svg/cloud-error'
import type { FluentIcon } from '@fluentui/react-icons'
import type { ReactNode } from 'react'
import { errorMessage } from '#web/api/call.ts'
import type { Loadable } from './loadable.ts'

const useStyles = makeStyles({
  state: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'center',
    textAlign: 'center',
    rowGap: tokens.spacingVerticalS,
    padding: '24px 20px 28px',
  },
  icon: { fontSize: '28px', color: tokens.colorBrandForeground1 },
  failed: { color: tokens.colorStatusDangerForeground1 },
  text: { display: 'grid', rowGap: '2px', maxWidth: '420px' },
  hint: { color: tokens.colorNeutralForeground3 },
  rows: { display: 'grid', rowGap: '16px', padding: '8px 20px 20px' },
})

type PanelEmptyProps = { icon: FluentIcon; title: string; hint?: string; action?: ReactNode }

/** Empty panel, with the reason and an optional action. */
export function PanelEmpty({ icon: Icon, title, hint, action }: PanelEmptyProps) {
  const styles = useStyles()
  return (
    <div className={styles.state}>
      <Icon className={styles.icon} aria-hidden />
      <span className={styles.text}>
        <Text weight="semibold" align="center">
          {title}
        </Text>
        {hint && (
          <Text className={styles.hint} align="center">
            {hint}
          </Text>
        )}
      </span>
      {action}
    </div>
  )
}

/** Panel whose data could not be loaded. */
export function PanelError({
  title,
  hint,
  onRetry,
}: {
  title: string
  hint: string
  onRetry?: (() => unknown) | undefined
}) {
  const styles = useStyles()
  return (
    <div className={styles.state} role="alert">
      <CloudErrorRegular className={mergeClasses(styles.icon, styles.failed)} aria-hidden />
      <span className={styles.text}>
        <Text weight="semibold" align="center">
          {title}
        </Text>
        <Text className={styles.hint} align="center">
          {hint}
        </Text>
      </span>
      {onRetry && (
        <Button size="small" icon={<ArrowClockwiseRegular />} onClick={() => void onRetry()}>
          Try again
        </Button>
      )}
    </div>
  )
}

type LoadablePanelProps<Data> = {
  source: Loadable<Data>
  /** Label of the placeholder for screen readers. */
  loadingLabel: string
  /** Rows of the placeholder. */
  rows: number
  errorTitle: string
  hint?: string
  children: (data: Data) => ReactNode
}

/** Renders the data once it is loaded, until then a placeholder or an error. */
export function LoadablePanel<Data>({
  source,
  loadingLabel,
  rows,
  errorTitle,
  hint,
  children,
}: LoadablePanelProps<Data>) {
  const styles = useStyles()
  if (source.data !== undefined) return children(source.data)
  if (source.error)
    return <PanelError title={errorTitle} hint={hint ?? errorMessage(source.error)} onRetry={source.refetch} />
  return (
    <Skeleton className={styles.rows} aria-label={loadingLabel}>
      {Array.from({ length: rows }, (_, index) => (
        <SkeletonItem key={index} size={32} />
      ))}
    </Skeleton>
  )
}
