import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { ArrowClockwise16Filled } from '@fluentui/react-icons/svg/arrow-clockwise'
import { CheckmarkCircle16Filled, CheckmarkCircle16Regular } from '@fluentui/react-icons/svg/checkmark-circle'
import { Circle16Regular } from '@fluentui/react-icons/svg/circle'
import { Clock16Regular } from '@fluentui/react-icons/svg/clock'
import { DismissCircle16Regular } from '@fluentui/react-icons/svg/dismiss-circle'
import { Eye16Regular } from '@fluentui/react-icons/svg/eye'
import { PauseCircle16Regular } from '@fluentui/react-icons/svg/pause-circle'
import { Send16Regular } from '@fluentui/react-icons/svg/send'
import { Warning16Filled } from '@fluentui/react-icons/svg/warning'
import type { FluentIcon } from '@fluentui/react-icons'

/** One of the five colors of statuses. */
export type StatusTone = 'success' | 'warning' | 'error' | 'info' | 'neutral'

const statuses = {
  scheduled: ['Scheduled', 'neutral', Circle16Regular],
  confirmed: ['Confirmed', 'success', CheckmarkCircle16Regular],
  completed: ['Completed', 'success', CheckmarkCircle16Filled],
  verified: ['Verified', 'success', CheckmarkCircle16Filled],
  active: ['Active', 'success', CheckmarkCircle16Regular],
  covered: ['Covered', 'success', CheckmarkCircle16Regular],
  approved: ['Approved', 'success', CheckmarkCircle16Filled],
  connected: ['Connected', 'success', CheckmarkCircle16Regular],
  operational: ['Operational', 'success', CheckmarkCircle16Regular],
  waiting: ['Waiting', 'warning', Clock16Regular],
  pending: ['Pending', 'warning', Clock16Regular],
  'action-needed': ['Action needed', 'warning', Warning16Filled],
  'rate-limited': ['Rate Limited', 'warning', PauseCircle16Regular],
  urgent: ['Urgent', 'error', Warning16Filled],
  denied: ['Denied', 'error', DismissCircle16Regular],
  declined: ['Declined', 'error', DismissCircle16Regular],
  'not-covered': ['Not covered', 'error', DismissCircle16Regular],
  failed: ['Failed', 'error', DismissCircle16Regular],
  'no-show': ['No-show', 'error', DismissCircle16Regular],
  'in-progress': ['In progress', 'info', ArrowClockwise16Filled],
  sent: ['Sent', 'info', Send16Regular],
  reviewed: ['Reviewed', 'info', Eye16Regular],
  cancelled: ['Cancelled', 'neutral', DismissCircle16Regular],
  expired: ['Expired', 'neutral', PauseCircle16Regular],
  suspended: ['Suspended', 'neutral', PauseCircle16Regular],
  ended: ['Ended', 'neutral', PauseCircle16Regular],
  'not-verified': ['Not verified', 'neutral', Circle16Regular],
  unknown: ['Unknown', 'neutral', Circle16Regular],
  'stand-in': ['Stand-in', 'neutral', PauseCircle16Regular],
  'not-configured': ['Not configured', 'neutral', Circle16Regular],
  deceased: ['Deceased', 'neutral', Circle16Regular],
} as const satisfies Record<string, readonly [string, StatusTone, FluentIcon]>

/** Every status in the product; each has one label, one tone and one icon. */
export type Status = keyof typeof statuses

const useStyles = makeStyles({
  badge: {
    display: 'inline-flex',
    alignItems: 'center',
    columnGap: '4px',
    height: '24px',
    padding: '0 8px 0 5px',
    whiteSpace: 'nowrap',
    verticalAlign: 'middle',
    borderRadius: tokens.borderRadiusCircular,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    fontWeight: tokens.fontWeightMedium,
    flexShrink: 0,
  },
  plain: { height: 'auto', padding: '0', backgroundColor: 'transparent' },
  success: { backgroundColor: tokens.colorStatusSuccessBackground1, color: tokens.colorStatusSuccessForeground1 },
  warning: { backgroundColor: tokens.colorStatusWarningBackground1, color: tokens.colorStatusWarningForeground1 },
  error: { backgroundColor: tokens.colorStatusDangerBackground1, color: tokens.colorStatusDangerForeground1 },
  info: { backgroundColor: tokens.colorPaletteBlueBackground2, color: tokens.colorPaletteBlueForeground2 },
  neutral: { backgroundColor: tokens.colorNeutralBackground4, color: tokens.colorNeutralForeground2 },
})

/** Border colors by tone. */
export const statusBorderColors: Record<StatusTone, string> = {
  success: tokens.colorStatusSuccessBorder2,
  warning: tokens.colorStatusWarningBorder2,
  error: tokens.colorStatusDangerBorder2,
  info: tokens.colorPaletteBlueBorderActive,
  neutral: tokens.colorNeutralStroke1,
}

/** Returns the tone of a status, one of five colors. */
export const getStatusTone = (status: Status): StatusTone => statuses[status][1]

/** Badge with label, color and icon: a status looks the same on every screen and is never conveyed by color alone. */
export function StatusBadge({ status, label, plain }: { status: Status; label?: string; plain?: boolean }) {
  const styles = useStyles()
  const [text, tone, Icon] = statuses[status]
  return (
    <span className={mergeClasses(styles.badge, styles[tone], plain && styles.plain)}>
      <Icon aria-hidden />
      {label ?? text}
    </span>
  )
}
