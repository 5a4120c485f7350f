import { makeStyles, tokens } from '@fluentui/react-components'
import { LineChart, type LineStyle } from './line-chart.tsx'

/** Lines differ in hue, weight and dash, not in hue alone. */
const strokes: readonly LineStyle[] = [
  { id: 'Scheduled', color: tokens.colorNeutralForeground3, widthPx: 1.5, area: true },
  { id: 'Completed', color: tokens.colorBrandStroke1, widthPx: 3 },
  { id: 'Cancelled', color: tokens.colorStatusDangerBorder2, widthPx: 2, dash: '2 5' },
]

const useStyles = makeStyles({ frame: { height: '272px' } })

type TrendPoint = { label: string; scheduled: number; completed: number; cancelled: number }

/** Chart of appointments per day or week; scheduled ones as an area. */
export function TrendsChart({ trends }: { trends: readonly TrendPoint[] }) {
  const styles = useStyles()
  const labels = trends.map(({ label }) => label)
  const descriptions = trends.map(({ label, scheduled, completed, cancelled }) => {
    return `${label}: ${scheduled} scheduled, ${completed} completed, ${cancelled} cancelled`
  })
  return (
    <LineChart
      className={styles.frame}
      label={`Appointments. ${descriptions.join('. ')}`}
      strokes={strokes}
      points={labels}
      values={[
        trends.map(({ scheduled }) => scheduled),
        trends.map(({ completed }) => completed),
        trends.map(({ cancelled }) => cancelled),
      ]}
    />
  )
}
