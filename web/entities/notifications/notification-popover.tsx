import {
  Button,
  CounterBadge,
  makeStyles,
  Popover,
  PopoverSurface,
  PopoverTrigger,
  tokens,
} from '@fluentui/react-components'
import { AlertRegular } from '@fluentui/react-icons/svg/alert'
import { type ReactNode, useState } from 'react'

const useStyles = makeStyles({
  visuallyHidden: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
  bell: { position: 'relative', display: 'inline-flex', flexShrink: 0 },
  badge: { position: 'absolute', pointerEvents: 'none', top: '-2px', right: '-2px' },
  surface: {
    width: '420px',
    maxWidth: 'calc(100vw - 24px)',
    maxHeight: 'min(640px, calc(100dvh - 88px))',
    boxSizing: 'border-box',
    display: 'flex',
    flexDirection: 'column',
    padding: 0,
    borderRadius: tokens.borderRadiusXLarge,
    ':focus': { outline: 'none' },
  },
  head: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    minHeight: '44px',
    boxSizing: 'border-box',
    padding: '8px 8px 4px 16px',
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  content: { overflowY: 'auto', minHeight: 0, padding: '0 8px 8px' },
  foot: { padding: '8px 16px 12px', borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
})

type NotificationPopoverProps = {
  /** The number of unread notifications. */
  count: number
  open?: boolean
  onOpenChange?: (open: boolean) => void
  /** A button beside the title. */
  action?: ReactNode
  footer?: ReactNode
  children: ReactNode
}

/** Bell with the number of unread notifications; opens their list. */
export function NotificationPopover({ count, open, onOpenChange, action, footer, children }: NotificationPopoverProps) {
  const styles = useStyles()
  const [announced, setAnnounced] = useState({ count, text: '' })
  if (announced.count !== count)
    setAnnounced({ count, text: count > announced.count ? `Notifications, ${count} new` : '' })
  return (
    <span className={styles.bell}>
      <span className={styles.visuallyHidden} role="status">
        {announced.text}
      </span>
      <Popover
        positioning={{ position: 'below', align: 'end', offset: { mainAxis: 6 }, overflowBoundaryPadding: 12 }}
        trapFocus
        {...(open === undefined ? {} : { open })}
        onOpenChange={(_, { open: isOpen }) => onOpenChange?.(isOpen)}
      >
        <PopoverTrigger disableButtonEnhancement>
          <Button
            appearance="subtle"
            icon={<AlertRegular />}
            aria-label={count > 0 ? `Notifications, ${count} new` : 'Notifications'}
          />
        </PopoverTrigger>
        {/* Takes the focus when it opens: the sample has no control, and the list may be loading. */}
        <PopoverSurface className={styles.surface} aria-label="Notifications" tabIndex={-1}>
          <div className={styles.head}>
            <h2 className={styles.title}>Notifications</h2>
            {action}
          </div>
          <div className={styles.content}>{children}</div>
          {footer && <div className={styles.foot}>{footer}</div>}
        </PopoverSurface>
      </Popover>
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
