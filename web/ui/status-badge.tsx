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

type StatusTone = 'good' | 'waiting' | 'bad' | 'moving' | 'over'

const statuses = {
  scheduled: ['Scheduled', 'over', Circle16Regular],
  confirmed: ['Confirmed', 'good', CheckmarkCircle16Regular],
  completed: ['Completed', 'good', CheckmarkCircle16Filled],
  verified: ['Verified', 'good', CheckmarkCircle16Filled],
  active: ['Active', 'good', CheckmarkCircle16Regular],
  approved: ['Approved', 'good', CheckmarkCircle16Filled],
  connected: ['Connected', 'good', CheckmarkCircle16Regular],
  operational: ['Operational', 'good', CheckmarkCircle16Regular],
  waiting: ['Waiting', 'waiting', Clock16Regular],
  pending: ['Pending', 'waiting', Clock16Regular],
  'rate-limited': ['Rate Limited', 'waiting', PauseCircle16Regular],
  urgent: ['Urgent', 'bad', Warning16Filled],
  denied: ['Denied', 'bad', DismissCircle16Regular],
  declined: ['Declined', 'bad', DismissCircle16Regular],
  failed: ['Failed', 'bad', DismissCircle16Regular],
  'no-show': ['No-show', 'bad', DismissCircle16Regular],
  'in-progress': ['In progress', 'moving', ArrowClockwise16Filled],
  sent: ['Sent', 'moving', Send16Regular],
  reviewed: ['Reviewed', 'moving', Eye16Regular],
  cancelled: ['Cancelled', 'over', DismissCircle16Regular],
  expired: ['Expired', 'over', PauseCircle16Regular],
  deceased: ['Deceased', 'over', Circle16Regular],
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
  good: { backgroundColor: tokens.colorStatusSuccessBackground1, color: tokens.colorStatusSuccessForeground1 },
  waiting: { backgroundColor: tokens.colorStatusWarningBackground1, color: tokens.colorStatusWarningForeground1 },
  bad: { backgroundColor: tokens.colorStatusDangerBackground1, color: tokens.colorStatusDangerForeground1 },
  moving: { backgroundColor: tokens.colorPaletteBlueBackground2, color: tokens.colorPaletteBlueForeground2 },
  over: { backgroundColor: tokens.colorNeutralBackground4, color: tokens.colorNeutralForeground2 },
})

/** Border colors by tone. */
export const statusBorderColors: Record<StatusTone, string> = {
  good: tokens.colorStatusSuccessBorder2,
  waiting: tokens.colorStatusWarningBorder2,
  bad: tokens.colorStatusDangerBorder2,
  moving: tokens.colorPaletteBlueBorderActive,
  over: tokens.colorNeutralStroke1,
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
