import { makeStyles, tokens } from '@fluentui/react-components'
import { useState } from 'react'
import { sampleBadges, sampleNotifications } from '#contracts/sample-practice.ts'
import { formatTimeAgo } from '#web/ui/dates.ts'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { NotificationPopover } from './notification-popover.tsx'

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: '0 8px' },
  item: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    columnGap: '12px',
    padding: '8px 0',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
  },
})

/** Interval at which the times of the notifications are updated. */
const refreshIntervalMs = 60_000

/** Notifications of the demo, always as many as the spec says. */
export function SampleBell() {
  const styles = useStyles()
  const [isOpen, setOpen] = useState(false)
  const now = useNow(refreshIntervalMs)
  return (
    <NotificationPopover count={sampleBadges.notifications} isOpen={isOpen} onOpenChange={setOpen}>
      <ul className={styles.list}>
        {sampleNotifications.map(({ title, detail, minutesAgo }) => (
          <li key={title} className={styles.item}>
            <TwoLineCell top={title} bottom={detail} strong wrap />
            <SecondaryText>
              {formatTimeAgo(new Date(now.getTime() - minutesAgo * 60_000).toISOString(), now)}
            </SecondaryText>
          </li>
        ))}
      </ul>
    </NotificationPopover>
  )
}
