import { formatTime } from '#web/ui/dates.ts'
import { makeStyles, tokens } from '@fluentui/react-components'
import { useMemo } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { parseMinutes, toTimeString } from '../local-time.ts'
import { toSpan } from '../slots.ts'
import { DayColumn, type DayColumnProps, findColumn, type ProviderColumn } from './day-column.tsx'
import { computeDayLayout, minutesToY } from './day-layout.ts'
import type { Placement } from './placement.ts'
import { TimeGrid } from './time-grid.tsx'
import type { WorkingDay } from '../working-day.ts'
import { useAppointmentDrag } from './use-appointment-drag.ts'
import type { PlacementDraft } from './use-placement-draft.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  scroll: { overflowX: 'auto', overflowY: 'hidden', scrollPaddingLeft: '76px' },
  heads: { display: 'grid', margin: '0 16px 0 76px', columnGap: '8px', [narrow]: { margin: '0 8px 0 74px' } },
  head: {
    margin: 0,
    padding: '4px 0 0 4px',
    display: 'flex',
    alignItems: 'center',
    columnGap: '8px',
    minWidth: 0,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
    '> span:last-child': { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' },
  },
  dot: { width: '10px', height: '10px', borderRadius: '50%', flexShrink: 0, backgroundColor: 'var(--dot)' },
  // A flow root, as its margin would collapse with that of the labels otherwise, which are moved up to their lines.
  day: {
    position: 'relative',
    display: 'flow-root',
    margin: '12px 16px 16px 76px',
    [narrow]: { margin: '12px 8px 16px 74px' },
  },
  columns: { position: 'absolute', inset: 0, display: 'grid', columnGap: '8px' },
  visuallyHidden: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
})

/** Narrower columns would cut off names, which tell patients apart; more columns scroll sideways instead. */
const minColumnWidthPx = 208

type DayTimelineProps = Pick<DayColumnProps, 'columns' | 'now' | 'isBookable' | 'getActions' | 'onOpen' | 'onBook'> & {
  /** Every appointment of the day, for the hours on screen. */
  all: readonly Appointment[]
  workingDay: WorkingDay
  onEdit: (appointment: Appointment) => void
  onMove: (appointment: Appointment, to: Placement) => Promise<void>
}

/** A whole day without vertical scrolling: height is time, width is overlap, the line is now; free slots are buttons. */
export function DayTimeline(props: DayTimelineProps) {
  const { columns, all, workingDay, now, onEdit, onMove } = props
  const styles = useStyles()
  const layout = useMemo(() => computeDayLayout(all.map(toSpan), workingDay), [all, workingDay])
  const providers = columns.filter(({ active }) => active).map(({ providerId }) => providerId)
  const drag = useAppointmentDrag({ layout, providers, onMove, onEdit })
  const hasSeveral = columns.length > 1
  const grid = {
    gridTemplateColumns: `repeat(${columns.length}, minmax(${hasSeveral ? `${minColumnWidthPx}px` : '0'}, 1fr))`,
  }
  const minWidth = hasSeveral ? { minWidth: `${columns.length * (minColumnWidthPx + 8)}px` } : undefined
  const nowMinutes = now === undefined ? null : parseMinutes(now)
  const isNowShown = nowMinutes !== null && nowMinutes >= layout.startMinutes && nowMinutes <= layout.endMinutes
  return (
    <div
      className={styles.scroll}
      tabIndex={hasSeveral ? 0 : undefined}
      role={hasSeveral ? 'group' : undefined}
      aria-label={hasSeveral ? 'Day by provider' : undefined}
    >
      {hasSeveral && <ColumnHeads columns={columns} style={{ ...grid, ...minWidth }} />}
      <div
        className={styles.day}
        data-day=""
        style={{ height: `${minutesToY(layout, layout.endMinutes)}px`, ...minWidth }}
      >
        <TimeGrid layout={layout} nowMinutes={isNowShown ? nowMinutes : null} />
        <div className={styles.columns} style={grid}>
          {columns.map((column, index) => (
            <DayColumn key={column.providerId} {...props} column={column} index={index} layout={layout} drag={drag} />
          ))}
        </div>
      </div>
      <span className={styles.visuallyHidden} aria-live="polite">
        {drag.draft && describeDraft(drag.draft, columns)}
      </span>
    </div>
  )
}

function describeDraft({ start, duration, providerId }: PlacementDraft, columns: readonly ProviderColumn[]): string {
  const provider = columns.length > 1 ? [columns[findColumn(columns, providerId)]?.name] : []
  return [formatTime(toTimeString(start)), `${duration} minutes`, ...provider].join(', ')
}

function ColumnHeads({ columns, style }: { columns: readonly ProviderColumn[]; style: React.CSSProperties }) {
  const styles = useStyles()
  return (
    <div className={styles.heads} style={style} aria-hidden>
      {columns.map(({ providerId, name, colour, isOff }) => (
        <p key={providerId} className={styles.head}>
          <span className={styles.dot} style={{ '--dot': colour } as React.CSSProperties} />
          <span>{isOff ? `${name}, off` : name}</span>
        </p>
      ))}
    </div>
  )
}
