import { makeStyles } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { errorMessage } from '#web/api/call.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { ActivityPanel } from './activity-panel.tsx'
import { activityQuery, statsQuery } from './api.ts'
import { type OverviewGroup, toActivityEntry, toConfirmationGroup, toRecordGroups, toWaiting } from './hub-model.ts'
import { OverviewCard } from './overview-card.tsx'
import { WaitingPanel } from './waiting-panel.tsx'

const useStyles = makeStyles({
  grid: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) minmax(0, 400px)',
    columnGap: '16px',
    rowGap: '16px',
    alignItems: 'start',
    '@media (max-width: 1151px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
  main: { display: 'grid', rowGap: '16px', minWidth: 0 },
  cards: {
    display: 'grid',
    gridTemplateColumns: 'repeat(2, minmax(0, 1fr))',
    columnGap: '16px',
    rowGap: '16px',
    '& > :last-child:nth-child(odd)': { gridColumn: '1 / -1' },
    '@media (max-width: 640px)': { gridTemplateColumns: 'minmax(0, 1fr)' },
  },
})

type OverviewFrameProps = { groups: readonly OverviewGroup[]; waiting?: ReactNode; activity: ReactNode }

/** The cards of the overview, beside the log. */
export function OverviewFrame({ groups, waiting, activity }: OverviewFrameProps) {
  const styles = useStyles()
  return (
    <div className={styles.grid}>
      <div className={styles.main}>
        {groups.length > 0 && (
          <div className={styles.cards}>
            {groups.map((group) => (
              <OverviewCard key={group.title} group={group} />
            ))}
          </div>
        )}
        {waiting}
      </div>
      {activity}
    </div>
  )
}

/** The overview of a practice. */
export function Overview() {
  const stats = useQuery(statsQuery)
  const activity = useQuery(activityQuery)
  const formatInstant = useFormatInstant()
  const mayApprove = useHasPermission('prescribing')
  if (stats.isError && activity.isError)
    return (
      <ErrorState
        title="Failed to fetch automation"
        hint={errorMessage(stats.error)}
        onRetry={() => void Promise.all([stats.refetch(), activity.refetch()])}
      />
    )
  return (
    <OverviewFrame
      groups={
        stats.data ? [toConfirmationGroup(stats.data.appointmentConfirmations), ...toRecordGroups(stats.data)] : []
      }
      waiting={stats.data && <WaitingPanel entries={toWaiting(stats.data, mayApprove)} />}
      activity={
        <ActivityPanel entries={activity.data?.map((action) => toActivityEntry(action, formatInstant))}>
          {activity.isError ? (
            <ErrorState
              title="Failed to fetch activity"
              hint={errorMessage(activity.error)}
              onRetry={() => void activity.refetch()}
            />
          ) : undefined}
        </ActivityPanel>
      }
    />
  )
}
