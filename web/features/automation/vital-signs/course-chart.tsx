import { makeStyles, tokens } from '@fluentui/react-components'
import { computeTicks } from '#web/ui/axis-ticks.ts'
import { LineChart, type LineStyle } from '#web/ui/line-chart.tsx'

const useStyles = makeStyles({ frame: { height: '208px' } })

/** Two lines differ in hue and weight. */
const toStroke = (id: string, index: number, count: number): LineStyle =>
  index === count - 1
    ? { id, color: tokens.colorBrandStroke1, widthPx: 3 }
    : { id, color: tokens.colorNeutralForeground3, widthPx: 2 }

type CourseChartProps = {
  title: string
  lines: readonly string[]
  labels: readonly string[]
  /** The values of each line. */
  values: readonly (readonly number[])[]
}

/** Chart of values over time. The axis begins near the lowest, because a change matters more than its share. */
export function CourseChart({ title, lines, labels, values }: CourseChartProps) {
  const styles = useStyles()
  const described = labels.map(
    (label, at) =>
      `${label}: ${values
        .map((line) => line[at])
        .toReversed()
        .join('/')}`,
  )
  return (
    <LineChart
      className={styles.frame}
      label={`${title}. ${described.join('. ')}`}
      strokes={lines.map((id, index) => toStroke(id, index, lines.length))}
      points={labels}
      values={values}
      marks={computeTicks(Math.min(...values.flat()), Math.max(...values.flat()))}
      right={lines.length > 1 ? 84 : 56}
      hidesNames={lines.length === 1}
    />
  )
}
