import { makeStyles, tokens } from '@fluentui/react-components'

const useStyles = makeStyles({
  line: { display: 'block', color: tokens.colorBrandStroke1, overflow: 'visible' },
  ring: { fill: tokens.colorNeutralBackground1 },
})

const width = 88
const height = 32

/** Recent history of a figure. Decorative, as the trend text states the change. The ring marks the latest value. */
export function SparkLine({ values }: { values: readonly number[] }) {
  const styles = useStyles()
  const low = Math.min(...values)
  const span = Math.max(...values) - low || 1
  const points = values.map(
    (value, i) =>
      [(i * (width - 8)) / (values.length - 1) + 2, height - 5 - ((value - low) / span) * (height - 10)] as const,
  )
  const [lastX, lastY] = points.at(-1) ?? [0, 0]
  return (
    <svg className={styles.line} width={width} height={height} aria-hidden="true">
      <polyline
        points={points.map((p) => p.join(',')).join(' ')}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
        strokeLinejoin="round"
        strokeLinecap="round"
      />
      <circle className={styles.ring} cx={lastX} cy={lastY} r="3.5" stroke="currentColor" strokeWidth="2" />
    </svg>
  )
}
