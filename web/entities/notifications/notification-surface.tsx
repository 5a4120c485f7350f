import { makeStyles, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import { ButtonPopover } from '#web/ui/button-popover.tsx'

const useStyles = makeStyles({
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

/** The contents of the popover with notifications. */
export type NotificationContents = {
  /** A button beside the title. */
  action?: ReactNode
  footer?: ReactNode
  children: ReactNode
}

type NotificationSurfaceProps = NotificationContents & {
  opener: HTMLButtonElement
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
}

/** The popover with notifications, below the bell that opens it. */
export function NotificationSurface({ action, footer, children, ...popover }: NotificationSurfaceProps) {
  const styles = useStyles()
  return (
    // Takes the focus when it opens: the sample has no control, and the list may be loading.
    <ButtonPopover
      {...popover}
      positioning={{ offset: { mainAxis: 6 }, overflowBoundaryPadding: 12 }}
      className={styles.surface}
      aria-label="Notifications"
      tabIndex={-1}
    >
      <div className={styles.head}>
        <h2 className={styles.title}>Notifications</h2>
        {action}
      </div>
      <div className={styles.content}>{children}</div>
      {footer && <div className={styles.foot}>{footer}</div>}
    </ButtonPopover>
  )
}
