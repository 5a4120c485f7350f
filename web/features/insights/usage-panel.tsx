import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import type { InsightUsage } from '#contracts/insights.ts'
import { sampleInsightUsage } from '#contracts/sample-practice.ts'
import { errorMessage } from '#web/api/call.ts'
import { formatNumber, notEnoughData } from '#web/ui/format.ts'
import { Panel } from '#web/ui/panel.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { insightUsageQuery } from './api.ts'

const useStyles = makeStyles({
  figures: { margin: 0, display: 'grid' },
  row: { '@media (min-width: 720px)': { gridTemplateColumns: 'repeat(3, minmax(0, 1fr))' } },
  inRow: { '@media (min-width: 720px)': { borderTopStyle: 'none', paddingTop: 0, paddingBottom: 0 } },
  figure: {
    display: 'flex',
    flexDirection: 'column-reverse',
    padding: '12px 0',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    ':first-child': { borderTopStyle: 'none', paddingTop: 0 },
  },
  value: {
    margin: 0,
    fontSize: tokens.fontSizeHero700,
    lineHeight: tokens.lineHeightHero700,
    fontWeight: tokens.fontWeightSemibold,
    letterSpacing: '-0.015em',
    fontVariantNumeric: 'tabular-nums',
  },
  missing: { margin: 0, fontSize: tokens.fontSizeBase400, lineHeight: tokens.lineHeightHero700 },
  explanation: { paddingTop: '12px', borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
})

type Usage = Omit<InsightUsage, 'model'>

/** The three figures of the use of insights, one below the other or, where there is room, in a row; `null` for an accuracy that cannot be computed yet. */
function UsageFigures({ usage, isRow }: { usage: Usage; isRow?: boolean }) {
  const { insightsGenerated, formsAnalyzed, accuracy } = usage
  const styles = useStyles()
  const figures: readonly [label: string, value: string | null][] = [
    ['insights generated', formatNumber(insightsGenerated)],
    ['forms analyzed', formatNumber(formsAnalyzed)],
    ['accuracy', accuracy === null ? null : `${accuracy}%`],
  ]
  return (
    <dl className={mergeClasses(styles.figures, isRow && styles.row)}>
      {figures.map(([label, value]) => (
        <div key={label} className={mergeClasses(styles.figure, isRow && styles.inRow)}>
          <dt>
            <SecondaryText>{label}</SecondaryText>
          </dt>
          <dd className={value === null ? styles.missing : styles.value}>{value ?? notEnoughData}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The questions to the connected AI model in this month, with their cost. */
function ModelUse({ model: { name, calls, tokens, cost } }: { model: NonNullable<InsightUsage['model']> }) {
  const styles = useStyles()
  const questions = `${formatNumber(calls)} ${calls === 1 ? 'question' : 'questions'}`
  return (
    <SecondaryText as="p" className={styles.explanation}>
      The model {name} was asked {questions} ({formatNumber(tokens)} tokens, ${cost}).
    </SecondaryText>
  )
}

/** The use of insights in this month. */
export function UsagePanel() {
  const styles = useStyles()
  const { data, error } = useQuery(insightUsageQuery)
  return (
    <Panel title="Usage" note="This month">
      {data && <UsageFigures usage={data} />}
      {data?.model && <ModelUse model={data.model} />}
      {error && <SecondaryText>{errorMessage(error)}</SecondaryText>}
      <SecondaryText as="p" className={styles.explanation}>
        Counted are insights that are open or were decided this month. Accuracy is the share marked as done of those
        done or dismissed. Names and contact data never leave the practice.
      </SecondaryText>
    </Panel>
  )
}

/** The fixed figures of the demo (spec page 2, section 2.4). */
export const SampleUsagePanel = () => (
  <Panel title="Usage" note="Sample">
    <UsageFigures usage={sampleInsightUsage} isRow />
  </Panel>
)
