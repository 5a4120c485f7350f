import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import type { z } from 'zod'
import type { Finding } from '#contracts/values/forms.ts'
import { severityLabels } from '../labels.ts'
import { EvidenceNumber } from './evidence-number.tsx'

const useStyles = makeStyles({
  finding: {
    display: 'grid',
    gridTemplateColumns: '24px minmax(0, 1fr)',
    columnGap: '12px',
    alignItems: 'start',
    padding: '10px 12px',
    borderRadius: tokens.borderRadiusLarge,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    breakInside: 'avoid',
  },
  lit: { border: `1px solid ${tokens.colorBrandStroke1}`, boxShadow: `0 0 0 1px ${tokens.colorBrandStroke1}` },
  stale: { backgroundColor: tokens.colorNeutralBackground2 },
  content: { display: 'grid', rowGap: '4px', minWidth: 0, overflowWrap: 'anywhere' },
  line: { display: 'flex', columnGap: '8px', alignItems: 'baseline', justifyContent: 'space-between' },
  severity: {
    flexShrink: 0,
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground3,
    whiteSpace: 'nowrap',
  },
  urgent: { color: tokens.colorStatusDangerForeground1, fontWeight: tokens.fontWeightSemibold },
  warning: { color: tokens.colorStatusWarningForeground1, fontWeight: tokens.fontWeightSemibold },
  quote: {
    display: 'block',
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
  },
})

type FindingCardProps = {
  number: number
  finding: z.infer<typeof Finding>
  /** True when it rests on words that are not in the answers any more. */
  isStale: boolean
  isLit: boolean
  onLight: (finding: number | null) => void
}

/** A finding with its weight and the words that it rests on. */
export function FindingCard({ number, finding, isStale, isLit, onLight }: FindingCardProps) {
  const styles = useStyles()
  const { text, severity, evidence } = finding
  return (
    // Its number has the focus and does the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <li
      className={mergeClasses(styles.finding, isStale && styles.stale, isLit && styles.lit)}
      onMouseEnter={() => onLight(number)}
      onMouseLeave={() => onLight(null)}
    >
      <EvidenceNumber finding={number} side="findings" isLit={isLit} onLight={onLight} />
      <div className={styles.content}>
        <span className={styles.line}>
          <Text weight="semibold">{text}</Text>
          {isStale ? (
            <span className={mergeClasses(styles.severity, styles.warning)}>Stale</span>
          ) : (
            <span
              className={mergeClasses(
                styles.severity,
                severity === 'urgent' && styles.urgent,
                severity === 'attention' && styles.warning,
              )}
            >
              {severityLabels[severity]}
            </span>
          )}
        </span>
        {[...new Set(evidence.map(({ quote }) => quote))].map((quote) => (
          <q key={quote} className={styles.quote} dir="auto">
            {quote}
          </q>
        ))}
      </div>
    </li>
  )
}
