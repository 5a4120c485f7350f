import { makeStyles, tokens } from '@fluentui/react-components'
import { LineChart, type LineStyle } from '#web/ui/line-chart.tsx'
import { formatShortDollars } from './analytics-model.ts'

/** Lines differ in hue, weight and dash, not in hue alone. */
const strokes: readonly LineStyle[] = [
  { id: 'Before', color: tokens.colorNeutralForeground3, widthPx: 1.5, dash: '5 4' },
  { id: 'This period', color: tokens.colorBrandStroke1, widthPx: 3 },
]

const useStyles = makeStyles({ frame: { height: '232px' } })

type RevenuePoint = { label: string; now: number; before: number }

/** Chart of the revenue in dollars, beside that of the period before. */
export function RevenueChart({ points }: { points: readonly RevenuePoint[] }) {
  const styles = useStyles()
  const descriptions = points.map(({ label, now, before }) => {
    return `${label}: ${formatShortDollars(now)}, before ${formatShortDollars(before)}`
  })
  return (
    <LineChart
      className={styles.frame}
      label={`Revenue. ${descriptions.join('. ')}`}
      strokes={strokes}
      points={points.map(({ label }) => label)}
      values={[points.map(({ before }) => before), points.map(({ now }) => now)]}
      formatValue={formatShortDollars}
      right={140}
    />
  )
}
