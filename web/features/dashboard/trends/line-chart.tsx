import { makeStyles, tokens } from '@fluentui/react-components'
import { ResponsiveLine, type CommonLineProps, type LineCustomSvgLayerProps, type SliceTooltipProps } from '@nivo/line'
import { computeIntegerTicks } from './axis-ticks.ts'

const useStyles = makeStyles({
  tip: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusMedium,
    boxShadow: tokens.shadow8,
    padding: '8px 12px',
    fontSize: tokens.fontSizeBase200,
    minWidth: '132px',
  },
  tipRow: { display: 'flex', justifyContent: 'space-between', columnGap: '16px', fontVariantNumeric: 'tabular-nums' },
  muted: { color: tokens.colorNeutralForeground3 },
})

export type LineStyle = { id: string; colour: string; widthPx: number; dash?: string; area?: boolean }
type ChartSeries = { id: string; data: { x: string; y: number }[] }
type Layer = LineCustomSvgLayerProps<ChartSeries>

const theme: CommonLineProps<ChartSeries>['theme'] = {
  text: { fontFamily: tokens.fontFamilyBase, fontSize: 13, fill: tokens.colorNeutralForeground3 },
  axis: {
    ticks: { text: { fontSize: 13, fill: tokens.colorNeutralForeground3 }, line: { strokeWidth: 0 } },
    domain: { line: { strokeWidth: 0 } },
  },
  grid: { line: { stroke: tokens.colorNeutralStroke3, strokeWidth: 1 } },
  crosshair: { line: { stroke: tokens.colorNeutralStroke1, strokeWidth: 1, strokeDasharray: '0' } },
}

const createLayers = (strokes: readonly LineStyle[], show: (value: number) => string) => {
  const of = (id: string) => strokes.find((one) => one.id === id)
  const areas = ({ series, areaGenerator }: Layer) =>
    series
      .filter(({ id }) => of(id)?.area)
      .map(({ id, data }) => (
        <path
          key={id}
          d={areaGenerator(data.map(({ position }) => position)) ?? undefined}
          fill={tokens.colorNeutralBackground4}
          fillOpacity={0.5}
        />
      ))
  const lines = ({ series, lineGenerator }: Layer) =>
    series.map(({ id, data }) => (
      <path
        key={id}
        d={lineGenerator(data.map(({ position }) => position)) ?? undefined}
        fill="none"
        stroke={of(id)?.colour}
        strokeWidth={of(id)?.widthPx}
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeDasharray={of(id)?.dash}
      />
    ))
  const ends = ({ series, innerHeight }: Layer) => {
    const last = series.flatMap(({ id, data }) =>
      data.slice(-1).map(({ position: { x, y }, data: { y: value } }) => ({ id, x, y, at: y, value: Number(value) })),
    )
    const down = last
      .toSorted((a, b) => a.y - b.y)
      .reduce<typeof last>(
        (rows, end) => [...rows, { ...end, at: Math.max(end.y, (rows.at(-1)?.at ?? -Infinity) + 20) }],
        [],
      )
    const shift = Math.min(0, innerHeight - (down.at(-1)?.at ?? 0))
    return down.map(({ id, x, y, at, value }) => (
      <g key={id}>
        <circle cx={x} cy={y} r={4} fill={tokens.colorNeutralBackground1} stroke={of(id)?.colour} strokeWidth={2} />
        <text x={x + 14} y={at + shift} dominantBaseline="central" fontSize={13} fontFamily={tokens.fontFamilyBase}>
          <tspan fontWeight={600} fill={of(id)?.colour}>
            {id}
          </tspan>
          <tspan dx={6} fill={tokens.colorNeutralForeground2}>
            {show(value)}
          </tspan>
        </text>
      </g>
    ))
  }
  return { areas, lines, ends }
}

function ChartTooltip({ slice }: SliceTooltipProps<ChartSeries>) {
  const styles = useStyles()
  return (
    <div className={styles.tip}>
      <div className={styles.muted}>{String(slice.points[0]?.data.x)}</div>
      {slice.points.toReversed().map(({ id, seriesId, data }) => (
        <div key={id} className={styles.tipRow}>
          <span>{seriesId}</span>
          <strong>{String(data.yFormatted)}</strong>
        </div>
      ))}
    </div>
  )
}

type LineChartProps = {
  label: string
  className: string
  strokes: readonly LineStyle[]
  points: readonly string[]
  values: readonly (readonly number[])[]
  show?: (value: number) => string
  ticks?: readonly string[]
  right?: number
}

/** Lines whose names stand where they end, so that no legend has to be decoded; the last point is a ring, because it is now. */
export function LineChart({
  label,
  className,
  strokes,
  points,
  values,
  show = String,
  ticks,
  right = 112,
}: LineChartProps) {
  const { areas, lines, ends } = createLayers(strokes, show)
  const marks = computeIntegerTicks(Math.max(1, ...values.flat()))
  const data = strokes.map(({ id }, i) => ({ id, data: points.map((x, at) => ({ x, y: values[i]?.[at] ?? 0 })) }))
  return (
    <div className={className} role="img" aria-label={label}>
      <ResponsiveLine<ChartSeries>
        role="presentation"
        data={data}
        theme={theme}
        colors={({ id }) => strokes.find((one) => one.id === id)?.colour ?? tokens.colorNeutralForeground3}
        margin={{ top: 12, right, bottom: 32, left: 44 }}
        xScale={{ type: 'point' }}
        yScale={{ type: 'linear', min: 0, max: marks.at(-1) ?? 1 }}
        yFormat={(value) => show(Number(value))}
        curve="monotoneX"
        animate={false}
        enableSlices="x"
        sliceTooltip={ChartTooltip}
        enableGridX={false}
        gridYValues={marks}
        axisLeft={{ tickValues: marks, tickPadding: 10, tickSize: 0, format: (value) => show(Number(value)) }}
        axisBottom={{ tickPadding: 12, tickSize: 0, tickValues: ticks ? [...ticks] : undefined }}
        layers={['grid', 'axes', areas, lines, ends, 'crosshair', 'slices']}
      />
    </div>
  )
}
