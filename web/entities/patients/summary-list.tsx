import { Button, makeStyles, Skeleton, SkeletonItem, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import { errorMessage } from '#web/api/call.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { SecondaryText } from '#web/ui/text.tsx'

const useStyles = makeStyles({
  root: { display: 'grid', rowGap: '4px', justifyItems: 'start' },
  list: { listStyleType: 'none', margin: 0, padding: 0, justifySelf: 'stretch' },
  row: {
    position: 'relative',
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    columnGap: '8px',
    alignItems: 'center',
    padding: '6px 8px',
    margin: '0 -8px',
    borderRadius: tokens.borderRadiusMedium,
    ':hover': { backgroundColor: tokens.colorSubtleBackgroundHover },
  },
  text: { display: 'grid', minWidth: 0, overflowWrap: 'anywhere' },
  actions: { display: 'flex', flexWrap: 'wrap', columnGap: '8px', rowGap: '4px', marginTop: '4px' },
  loading: { display: 'grid', rowGap: '8px', justifySelf: 'stretch' },
})

/** One row: a link as large as the row, a detail below it, and what stands at its end. */
export function SummaryRow({ link, detail, end }: { link: ReactNode; detail: ReactNode; end: ReactNode }) {
  const styles = useStyles()
  return (
    <li className={styles.row}>
      <span className={styles.text}>
        {link}
        <SecondaryText>{detail}</SecondaryText>
      </span>
      {end}
    </li>
  )
}

type SummaryListProps<Item> = {
  source: { data: { items: readonly Item[]; total: number } | undefined; error: Error | null; refetch: () => unknown }
  loadingLabel: string
  errorTitle: string
  emptyText: string
  /** Renders a `SummaryRow`. */
  renderItem: (item: Item) => ReactNode
  /** Shows all items, of which the list has only the first; null once it was called. */
  onAll: (() => void) | null
  /** Buttons below the list. */
  actions?: ReactNode
}

/** The first items of a list within a record, with its states loading, failed and empty. */
export function SummaryList<Item>(props: SummaryListProps<Item>) {
  const { source, loadingLabel, errorTitle, emptyText, renderItem, onAll, actions } = props
  const styles = useStyles()
  const { data, error, refetch } = source
  const isPartial = data !== undefined && data.total > data.items.length
  return (
    <div className={styles.root}>
      {!data && !error && (
        <Skeleton className={styles.loading} aria-label={loadingLabel}>
          <SkeletonItem size={40} />
        </Skeleton>
      )}
      {!data && error && (
        <ErrorState isCompact title={errorTitle} hint={errorMessage(error)} onRetry={() => void refetch()} />
      )}
      {data?.items.length === 0 && <SecondaryText>{emptyText}</SecondaryText>}
      {data && data.items.length > 0 && <ul className={styles.list}>{data.items.map(renderItem)}</ul>}
      {(isPartial || actions) && (
        <div className={styles.actions}>
          {isPartial && onAll && <Button onClick={onAll}>{`Show all ${data.total}`}</Button>}
          {/* A page has 200 at most. */}
          {isPartial && !onAll && <SecondaryText>{`The first ${data.items.length} of ${data.total}`}</SecondaryText>}
          {actions}
        </div>
      )}
    </div>
  )
}
