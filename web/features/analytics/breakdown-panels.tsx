import { makeStyles, Skeleton, SkeletonItem } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#web/api/call.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { notEnoughData } from '#web/ui/format.ts'
import { type SharesModel, toBusyHours, toSharePanels } from './analytics-model.ts'
import { type AnalyticsQuery, breakdownsQuery } from './api.ts'
import { BarList } from './bar-list.tsx'
import { BusyHours } from './busy-hours.tsx'

const useStyles = makeStyles({
  grid: {
    display: 'grid',
    gridTemplateColumns: 'repeat(3, minmax(0, 1fr))',
    columnGap: '16px',
    rowGap: '16px',
    '@media (max-width: 1023px)': { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))' },
    '@media (max-width: 639px)': { gridTemplateColumns: 'minmax(0, 1fr)', rowGap: '12px' },
  },
})

type BreakdownPanelsProps = {
  query: AnalyticsQuery
  /** The panel beside the charts, or those below them. */
  place: 'beside' | 'below'
}

/** The parts of the practice's work: by type, hour, provider, insurer and patients, its revenue, analyses and no-shows. */
export function BreakdownPanels({ query, place }: BreakdownPanelsProps) {
  const styles = useStyles()
  const { data, error, refetch } = useQuery(breakdownsQuery(query))
  if (data) {
    const [first, ...others] = toSharePanels(data)
    if (place === 'beside') return first && <SharePanel panel={first} />
    return (
      <>
        <BusyHours busy={toBusyHours(data)} />
        <div className={styles.grid}>
          {others.map((panel) => (
            <SharePanel key={panel.title} panel={panel} />
          ))}
        </div>
      </>
    )
  }
  // Said once, below the charts.
  if (place === 'beside') return null
  if (error)
    return (
      <Panel title="Advanced Analytics">
        <ErrorState
          isCompact
          title="Unable to load these figures"
          hint={errorMessage(error)}
          onRetry={() => void refetch()}
        />
      </Panel>
    )
  return (
    <Skeleton aria-label="Loading advanced analytics">
      <SkeletonItem size={128} />
    </Skeleton>
  )
}

const SharePanel = ({ panel: { title, shares } }: { panel: SharesModel }) => (
  <Panel title={title}>
    {shares.length > 0 ? <BarList shares={shares} /> : <SecondaryText as="p">{notEnoughData}</SecondaryText>}
  </Panel>
)
