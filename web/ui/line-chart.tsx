import { makeStyles, tokens } from '@fluentui/react-components'
import { ResponsiveLine, type CommonLineProps, type LineCustomSvgLayerProps, type SliceTooltipProps } from '@nivo/line'
import { useRef } from 'react'
import { computeIntegerTicks, selectLabels } from './axis-ticks.ts'
import { useElementWidth } from './use-element-width.ts'

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
  tooltipRow: {
    display: 'flex',
    justifyContent: 'space-between',
    columnGap: '16px',
    fontVariantNumeric: 'tabular-nums',
  },
  muted: { color: tokens.colorNeutralForeground3 },
})

export type LineStyle = { id: string; color: string; widthPx: number; dash?: string; area?: boolean }
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

const createLayers = (strokes: readonly LineStyle[], formatValue: (value: number) => string, hidesNames: boolean) => {
  const findStyle = (id: string) => strokes.find((style) => style.id === id)
  const areas = ({ series, areaGenerator }: Layer) =>
    series
      .filter(({ id }) => findStyle(id)?.area)
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
        stroke={findStyle(id)?.color}
        strokeWidth={findStyle(id)?.widthPx}
        strokeLinecap="round"
        strokeLinejoin="round"
        strokeDasharray={findStyle(id)?.dash}
      />
    ))
  const ends = ({ series, innerHeight }: Layer) => {
    const endPoints = series.flatMap(({ id, data }) =>
      data
        .slice(-1)
        .map(({ position: { x, y }, data: { y: value } }) => ({ id, x, y, labelY: y, value: Number(value) })),
    )
    // Labels that would overlap move down, and all of them up when the last one leaves the chart.
    const labeled = endPoints
      .toSorted((a, b) => a.y - b.y)
      .reduce<typeof endPoints>(
        (placed, end) => [...placed, { ...end, labelY: Math.max(end.y, (placed.at(-1)?.labelY ?? -Infinity) + 20) }],
        [],
      )
    const shift = Math.min(0, innerHeight - (labeled.at(-1)?.labelY ?? 0))
    return labeled.map(({ id, x, y, labelY, value }) => (
      <g key={id}>
        <circle
          cx={x}
          cy={y}
          r={4}
          fill={tokens.colorNeutralBackground1}
          stroke={findStyle(id)?.color}
          strokeWidth={2}
        />
        <text x={x + 14} y={labelY + shift} dominantBaseline="central" fontSize={13} fontFamily={tokens.fontFamilyBase}>
          {!hidesNames && (
            <tspan fontWeight={600} fill={findStyle(id)?.color}>
              {id}
            </tspan>
          )}
          <tspan dx={hidesNames ? 0 : 6} fill={tokens.colorNeutralForeground2}>
            {formatValue(value)}
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
        <div key={id} className={styles.tooltipRow}>
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
  formatValue?: (value: number) => string
  right?: number
  /** The ticks of the vertical axis, which reaches from the first to the last; by default from 0. */
  marks?: readonly number[]
  /** Shows the value alone at the end of each line. */
  hidesNames?: boolean
}

/** Pixels for the labels of the vertical axis. */
const leftMargin = 44

/** Line chart without legend: each line is labeled at its end. The ring marks the latest point. */
export function LineChart({
  label,
  className,
  strokes,
  points,
  values,
  formatValue = String,
  right = 112,
  marks = computeIntegerTicks(Math.max(1, ...values.flat())),
  hidesNames = false,
}: LineChartProps) {
  const frame = useRef<HTMLDivElement>(null)
  const width = useElementWidth(frame)
  const { areas, lines, ends } = createLayers(strokes, formatValue, hidesNames)
  const data = strokes.map(({ id }, i) => ({ id, data: points.map((x, at) => ({ x, y: values[i]?.[at] ?? 0 })) }))
  return (
    <div ref={frame} className={className} role="img" aria-label={label}>
      <ResponsiveLine<ChartSeries>
        role="presentation"
        data={data}
        theme={theme}
        colors={({ id }) => strokes.find((style) => style.id === id)?.color ?? tokens.colorNeutralForeground3}
        margin={{ top: 12, right, bottom: 32, left: leftMargin }}
        xScale={{ type: 'point' }}
        yScale={{ type: 'linear', min: marks[0] ?? 0, max: marks.at(-1) ?? 1 }}
        yFormat={(value) => formatValue(Number(value))}
        curve="monotoneX"
        animate={false}
        enableSlices="x"
        sliceTooltip={ChartTooltip}
        enableGridX={false}
        gridYValues={[...marks]}
        axisLeft={{
          tickValues: [...marks],
          tickPadding: 10,
          tickSize: 0,
          format: (value) => formatValue(Number(value)),
        }}
        axisBottom={{ tickPadding: 12, tickSize: 0, tickValues: selectLabels(points, width - leftMargin - right) }}
        layers={['grid', 'axes', areas, lines, ends, 'crosshair', 'slices']}
      />
    </div>
  )
}
