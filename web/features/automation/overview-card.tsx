import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { ChevronRight20Regular } from '@fluentui/react-icons/svg/chevron-right'
import { LinkButton } from '#web/ui/link-button.tsx'
import { formatNumber } from '#web/ui/format.ts'
import { Panel } from '#web/ui/panel.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import type { OverviewGroup } from './hub-model.ts'

const useStyles = makeStyles({
  bar: {
    display: 'flex',
    columnGap: '2px',
    height: '8px',
    borderRadius: tokens.borderRadiusSmall,
    overflow: 'hidden',
    backgroundColor: tokens.colorNeutralBackground4,
  },
  parts: {
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(72px, 1fr))',
    columnGap: '12px',
    rowGap: '8px',
    margin: '12px 0',
  },
  // The figures stand in one line, also where a label takes two.
  part: { display: 'flex', flexDirection: 'column-reverse', justifyContent: 'flex-end' },
  value: {
    margin: 0,
    fontSize: tokens.fontSizeBase600,
    lineHeight: tokens.lineHeightBase600,
    fontWeight: tokens.fontWeightSemibold,
    fontVariantNumeric: 'tabular-nums',
  },
  label: { display: 'flex', alignItems: 'baseline', columnGap: '6px' },
  dot: { width: '8px', height: '8px', borderRadius: '2px', flexShrink: 0 },
  success: { backgroundColor: tokens.colorStatusSuccessForeground1 },
  info: { backgroundColor: tokens.colorPaletteBlueForeground2 },
  warning: { backgroundColor: tokens.colorStatusWarningForeground1 },
  error: { backgroundColor: tokens.colorStatusDangerForeground1 },
  none: { display: 'none' },
})

/** A kind of records at a glance: its counts, and their shares as a bar. The arrow opens the records. */
export function OverviewCard({ group: { title, tab, parts, note } }: { group: OverviewGroup }) {
  const styles = useStyles()
  return (
    <Panel
      title={title}
      action={
        <LinkButton
          to="/automation"
          search={tab === 'overview' ? {} : { tab }}
          appearance="subtle"
          icon={<ChevronRight20Regular />}
          aria-label={`Open ${title}`}
        />
      }
    >
      <div className={styles.bar} aria-hidden>
        {parts.map(
          ({ label, value, tone }) =>
            tone !== 'none' &&
            value > 0 && <span key={label} className={styles[tone]} style={{ flexGrow: value, flexBasis: '2px' }} />,
        )}
      </div>
      <dl className={styles.parts}>
        {parts.map(({ label, value, text, tone }) => (
          <div key={label} className={styles.part}>
            <dt className={styles.label}>
              <span className={mergeClasses(styles.dot, styles[tone])} aria-hidden />
              <SecondaryText>{label}</SecondaryText>
            </dt>
            <dd className={styles.value}>{text ?? formatNumber(value)}</dd>
          </div>
        ))}
      </dl>
      <SecondaryText>{note}</SecondaryText>
    </Panel>
  )
}
