import {
  Button,
  Link,
  makeStyles,
  Menu,
  MenuItem,
  MenuList,
  MenuPopover,
  MenuTrigger,
  mergeClasses,
  Text,
  tokens,
} from '@fluentui/react-components'
import { useState } from 'react'
import type { AiInsight } from '#contracts/insights.ts'
import { insightIcons, priorityLabels } from '#web/entities/insights/labels.ts'
import { formatCount } from '#web/ui/format.ts'
import { SecondaryText } from '#web/ui/text.tsx'
import { useFollowLink } from '#web/ui/use-follow-link.ts'
import type { Decision } from './api.ts'

const useStyles = makeStyles({
  card: {
    display: 'grid',
    gridTemplateColumns: '20px minmax(0, 1fr)',
    columnGap: '14px',
    padding: '16px 20px',
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
  },
  kind: { color: tokens.colorNeutralForeground3, paddingTop: '1px' },
  alert: { color: tokens.colorStatusDangerForeground1 },
  content: { display: 'grid', rowGap: '6px', overflowWrap: 'anywhere' },
  line: {
    display: 'flex',
    flexWrap: 'wrap',
    justifyContent: 'space-between',
    alignItems: 'baseline',
    columnGap: '16px',
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  priority: { whiteSpace: 'nowrap', fontSize: tokens.fontSizeBase200, color: tokens.colorNeutralForeground3 },
  high: { color: tokens.colorStatusDangerForeground1, fontWeight: tokens.fontWeightSemibold },
  items: {
    margin: 0,
    paddingLeft: '18px',
    listStyleType: 'disc',
    color: tokens.colorNeutralForeground2,
    display: 'grid',
    rowGap: '2px',
  },
  foot: { display: 'flex', alignItems: 'center', columnGap: '8px', rowGap: '8px', flexWrap: 'wrap', marginTop: '4px' },
  end: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: '8px', marginLeft: 'auto' },
  records: {
    margin: 0,
    padding: 0,
    listStyleType: 'none',
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '16px',
    rowGap: '2px',
    fontSize: tokens.fontSizeBase200,
  },
  record: { display: 'inline-flex', alignItems: 'center', minHeight: '24px' },
})

/** The note at each insight, by its origin. */
const originNotes: Record<AiInsight['origin'], string> = {
  model: 'Suggested by AI, check before use',
  rules: 'By rules, not by an AI model',
}

const recordNames: Record<AiInsight['basedOn'][number]['kind'], string> = {
  appointment: 'appointment',
  patient: 'patient',
  form: 'form',
  provider: 'provider',
  schedule: 'day',
}

const snoozes: readonly { label: string; days: number }[] = [
  { label: 'Until tomorrow', days: 1 },
  { label: 'For 3 days', days: 3 },
  { label: 'For a week', days: 7 },
  { label: 'For 30 days', days: 30 },
]

type InsightCardProps = { insight: AiInsight; isPending: boolean; onDecide: (decision: Decision) => void }

/** An insight with what it is based on, and the decisions about it. */
export function InsightCard({ insight, isPending, onDecide }: InsightCardProps) {
  const styles = useStyles()
  const { type, priority, title, message, actionItems, origin } = insight
  const Icon = insightIcons[type]
  return (
    <li className={styles.card}>
      <Icon className={mergeClasses(styles.kind, type === 'alert' && styles.alert)} aria-label={type} />
      <div className={styles.content}>
        <span className={styles.line}>
          <h2 className={styles.title}>{title}</h2>
          <span className={mergeClasses(styles.priority, priority === 'high' && styles.high)}>
            {priorityLabels[priority]}
          </span>
        </span>
        <Text>{message}</Text>
        <ul className={styles.items}>
          {actionItems.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
        <Basis insight={insight} />
        <div className={styles.foot}>
          <Button
            size="small"
            disabledFocusable={isPending}
            aria-label={`Done, ${title}`}
            onClick={() => onDecide({ kind: 'done' })}
          >
            Done
          </Button>
          <Menu>
            <MenuTrigger disableButtonEnhancement>
              <Button size="small" appearance="subtle" disabledFocusable={isPending} aria-label={`Snooze, ${title}`}>
                Snooze
              </Button>
            </MenuTrigger>
            <MenuPopover>
              <MenuList>
                {snoozes.map(({ label, days }) => (
                  <MenuItem key={days} onClick={() => onDecide({ kind: 'snooze', days })}>
                    {label}
                  </MenuItem>
                ))}
              </MenuList>
            </MenuPopover>
          </Menu>
          <Button
            size="small"
            appearance="subtle"
            disabledFocusable={isPending}
            aria-label={`Dismiss, ${title}`}
            onClick={() => onDecide({ kind: 'dismiss' })}
          >
            Dismiss
          </Button>
          <SecondaryText className={styles.end}>{originNotes[origin]}</SecondaryText>
        </div>
      </div>
    </li>
  )
}

/** Records that a card shows before it is expanded. */
const shownRecords = 3

/** The records that an insight is based on, as links. */
function Basis({ insight: { basedOn, basedOnTotal } }: { insight: AiInsight }) {
  const styles = useStyles()
  const follow = useFollowLink()
  const [isExpanded, setIsExpanded] = useState(false)
  const [first] = basedOn
  if (!first) return null
  const shown = isExpanded ? basedOn : basedOn.slice(0, shownRecords)
  const hidden = basedOn.length - shown.length
  const left = basedOnTotal - basedOn.length
  return (
    <div>
      <SecondaryText>Based on {formatCount(basedOnTotal, recordNames[first.kind])}</SecondaryText>
      <ul className={styles.records}>
        {shown.map(({ id, label, href }) => (
          <li key={id} className={styles.record}>
            <Link href={href} onClick={(event) => follow(event, href)}>
              {label}
            </Link>
          </li>
        ))}
        {hidden > 0 && (
          <li className={styles.record}>
            <Link as="button" onClick={() => setIsExpanded(true)}>
              Show {hidden} more
            </Link>
          </li>
        )}
        {hidden === 0 && left > 0 && <li className={styles.record}>and {left} more</li>}
      </ul>
    </div>
  )
}
