import { makeStyles, tokens } from '@fluentui/react-components'
import { LineChart, type LineStyle } from './line-chart.tsx'
import type { Trend } from '../dashboard-model.ts'

/** Three things tell the lines apart: hue, weight and dash. Promised is neutral, done is ours, lost is red. */
const strokes: readonly LineStyle[] = [
  { id: 'Scheduled', colour: tokens.colorNeutralForeground3, widthPx: 1.5, area: true },
  { id: 'Completed', colour: tokens.colorBrandStroke1, widthPx: 3 },
  { id: 'Cancelled', colour: tokens.colorStatusDangerBorder2, widthPx: 2, dash: '2 5' },
]

const useStyles = makeStyles({ frame: { height: '272px' } })

/** Counts per day or week: what was promised is a soft area, what happened a line. */
export function TrendsChart({ trends }: { trends: readonly Trend[] }) {
  const styles = useStyles()
  const labels = trends.map(({ label }) => label)
  const step = Math.ceil(labels.length / 8)
  const said = trends.map((one) => {
    const { label, scheduled, completed, cancelled } = one
    return `${label}: ${scheduled} scheduled, ${completed} completed, ${cancelled} cancelled`
  })
  return (
    <LineChart
      className={styles.frame}
      label={`Appointments. ${said.join('. ')}`}
      strokes={strokes}
      points={labels}
      values={[
        trends.map(({ scheduled }) => scheduled),
        trends.map(({ completed }) => completed),
        trends.map(({ cancelled }) => cancelled),
      ]}
      // Counted from the last, which is now: some of many, never one over the other.
      ticks={labels.filter((_, index) => (labels.length - 1 - index) % step === 0)}
    />
  )
}
