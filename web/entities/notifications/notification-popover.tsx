import { Button, CounterBadge, makeStyles } from '@fluentui/react-components'
import { AlertRegular } from '@fluentui/react-icons/svg/alert'
import { useState } from 'react'
import { createLate } from '#web/ui/late.tsx'
import type { NotificationContents } from './notification-surface.tsx'

const NotificationSurface = createLate(() =>
  import('./notification-surface.tsx').then(({ NotificationSurface: it }) => it),
)

const useStyles = makeStyles({
  visuallyHidden: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  bell: { position: 'relative', display: 'inline-flex', flexShrink: 0 },
  badge: { position: 'absolute', pointerEvents: 'none', top: '-2px', right: '-2px' },
})

type NotificationPopoverProps = NotificationContents & {
  /** The number of unread notifications. */
  count: number
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** Bell with the number of unread notifications; opens their list, which is rendered only from then on. */
export function NotificationPopover({ count, isOpen, onOpenChange, ...contents }: NotificationPopoverProps) {
  const styles = useStyles()
  const [opener, setOpener] = useState<HTMLButtonElement | null>(null)
  const [announced, setAnnounced] = useState({ count, text: '' })
  if (announced.count !== count)
    setAnnounced({ count, text: count > announced.count ? `Notifications, ${count} new` : '' })
  return (
    <span className={styles.bell}>
      <span className={styles.visuallyHidden} role="status">
        {announced.text}
      </span>
      <Button
        appearance="subtle"
        icon={<AlertRegular />}
        aria-label={count > 0 ? `Notifications, ${count} new` : 'Notifications'}
        aria-expanded={isOpen}
        onClick={({ currentTarget }) => {
          setOpener(currentTarget)
          onOpenChange(!isOpen)
        }}
      />
      {opener && <NotificationSurface {...contents} opener={opener} isOpen={isOpen} onOpenChange={onOpenChange} />}
      {count > 0 && (
        <CounterBadge
          className={styles.badge}
          count={count}
          overflowCount={99}
          size="small"
          color="danger"
          aria-hidden
        />
      )}
    </span>
  )
}
