import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { useMemo } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import type { RowAction } from '#web/ui/row-menu.tsx'
import { formatTime, parseMinutes, toTimeString } from '../local-time.ts'
import {
  breakHeight,
  assignLanes,
  getGridLines,
  overlaps,
  breakStart,
  computeDayLayout,
  type DayLayout,
  minutesToY,
} from './day-layout.ts'
import { FreeSlotButton } from './free-slot-button.tsx'
import { findFreeSlots, toSpan } from '../slots.ts'
import type { Placement } from './placement.ts'
import { useAppointmentDrag } from './use-appointment-drag.ts'
import type { PlacementDraft } from './use-placement-draft.ts'
import { AppointmentBlock } from './appointment-block.tsx'

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
  day: { position: 'relative', margin: '12px 16px 16px 76px', [narrow]: { margin: '12px 8px 16px 74px' } },
  columns: { position: 'absolute', inset: 0, display: 'grid', columnGap: '8px' },
  column: { position: 'relative', minWidth: 0 },
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  hour: {
    position: 'absolute',
    left: 0,
    right: 0,
    top: 'var(--top)',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
  },
  half: { borderTopStyle: 'dashed' },
  // Stays visible when the columns are scrolled sideways.
  gutter: {
    position: 'sticky',
    left: 0,
    width: '76px',
    height: 'calc(100% + 28px)',
    margin: '-12px 0 -16px -76px',
    zIndex: 4,
    pointerEvents: 'none',
    backgroundColor: tokens.colorNeutralBackground1,
    [narrow]: { width: '74px', marginLeft: '-74px' },
  },
  label: {
    position: 'absolute',
    right: '10px',
    top: 'calc(var(--top) + 4px)',
    fontSize: tokens.fontSizeBase200,
    lineHeight: '16px',
    whiteSpace: 'nowrap',
    color: tokens.colorNeutralForeground2,
    fontVariantNumeric: 'tabular-nums',
  },
  halfLabel: { color: tokens.colorNeutralForeground3 },
  pause: {
    position: 'absolute',
    left: 0,
    right: 0,
    top: 'var(--top)',
    height: `${breakHeight}px`,
    display: 'flex',
    alignItems: 'center',
    paddingLeft: '14px',
    boxSizing: 'border-box',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    backgroundColor: tokens.colorNeutralBackground2,
  },
  // Width of a free slot beside a cancelled appointment.
  beside: { '--beside': '148px', [narrow]: { '--beside': '76px' } },
  besideMany: { '--beside': '36px' },
  now: {
    position: 'absolute',
    left: 0,
    right: '4px',
    top: 'var(--top)',
    height: '2px',
    marginTop: '-1px',
    backgroundColor: tokens.colorBrandStroke1,
    pointerEvents: 'none',
  },
  nowTime: {
    position: 'absolute',
    right: '10px',
    top: 'calc(var(--top) + 4px)',
    fontSize: tokens.fontSizeBase200,
    lineHeight: '18px',
    fontWeight: tokens.fontWeightSemibold,
    color: tokens.colorBrandForeground1,
    backgroundColor: tokens.colorNeutralBackground1,
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
  },
  ring: {
    position: 'absolute',
    left: '100%',
    top: 'calc(var(--top) + 12px)',
    '::before': {
      content: '""',
      position: 'absolute',
      left: '-6px',
      top: '-6px',
      width: '8px',
      height: '8px',
      borderRadius: '50%',
      border: `2px solid ${tokens.colorBrandStroke1}`,
      backgroundColor: tokens.colorNeutralBackground1,
    },
  },
  unseen: { position: 'absolute', width: '1px', height: '1px', overflow: 'hidden', clipPath: 'inset(50%)' },
})

/** Narrower columns would cut off names, which tell patients apart; more columns scroll sideways instead. */
const minColumnWidthPx = 208

/** One provider's column of the day. A former provider keeps the booked appointments and gets no new ones. */
export type ProviderColumn = {
  providerId: string
  name: string
  colour: string
  active: boolean
  appointments: readonly Appointment[]
}

type DayTimelineProps = {
  columns: readonly ProviderColumn[]
  /** Every appointment of the day, for the hours on screen. */
  all: readonly Appointment[]
  /** Local time of the practice, HH:mm, when the day is today. */
  now?: string | undefined
  /** Offers the free slots that are still to come. */
  bookable: boolean
  getActions: (appointment: Appointment) => readonly RowAction[]
  onOpen: (appointment: Appointment) => void
  onEdit: (appointment: Appointment) => void
  onBook: (slot: string, providerId: string) => void
  onMove: (appointment: Appointment, to: Placement) => Promise<void>
}

const toTopStyle = (top: number) => ({ '--top': `${top}px` }) as React.CSSProperties

/** A whole day without vertical scrolling: height is time, width is overlap, the line is now; free slots are buttons. */
export function DayTimeline(props: DayTimelineProps) {
  const { columns, all, now, onEdit, onMove } = props
  const styles = useStyles()
  const layout = useMemo(() => computeDayLayout(all.map(toSpan)), [all])
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
      <span className={styles.unseen} aria-live="polite">
        {drag.draft && describeDraft(drag.draft, columns)}
      </span>
    </div>
  )
}

const findColumn = (columns: readonly ProviderColumn[], id: string) =>
  columns.findIndex(({ providerId }) => providerId === id)

function describeDraft({ start, duration, providerId }: PlacementDraft, columns: readonly ProviderColumn[]): string {
  const provider = columns.length > 1 ? [columns[findColumn(columns, providerId)]?.name] : []
  return [formatTime(toTimeString(start)), `${duration} minutes`, ...provider].join(', ')
}

function ColumnHeads({ columns, style }: { columns: readonly ProviderColumn[]; style: React.CSSProperties }) {
  const styles = useStyles()
  return (
    <div className={styles.heads} style={style} aria-hidden>
      {columns.map(({ providerId, name, colour }) => (
        <p key={providerId} className={styles.head}>
          <span className={styles.dot} style={{ '--dot': colour } as React.CSSProperties} />
          <span>{name}</span>
        </p>
      ))}
    </div>
  )
}

/** The lines and labels of the hours, the midday break, and the line of the current time. */
function TimeGrid({ layout, nowMinutes }: { layout: DayLayout; nowMinutes: number | null }) {
  const styles = useStyles()
  const toStyle = (minutes: number) => toTopStyle(minutesToY(layout, minutes))
  const lines = getGridLines(layout)
  return (
    <>
      <div className={styles.gutter} aria-hidden>
        {lines.map((line) => (
          <span
            key={line}
            className={mergeClasses(styles.label, line % 60 === 30 && styles.halfLabel)}
            style={toStyle(line)}
          >
            {formatTime(toTimeString(line))}
          </span>
        ))}
        {nowMinutes !== null && (
          <>
            <span className={styles.nowTime} style={toStyle(nowMinutes)}>
              {formatTime(toTimeString(nowMinutes))}
            </span>
            <div className={styles.ring} style={toStyle(nowMinutes)} />
          </>
        )}
      </div>
      {lines.map((line) => (
        <div
          key={line}
          aria-hidden
          className={mergeClasses(styles.hour, line % 60 === 30 && styles.half)}
          style={toStyle(line)}
        />
      ))}
      {layout.isBreakCollapsed && (
        <div className={styles.pause} style={toStyle(breakStart)}>
          Midday break, noon to 2:00 PM
        </div>
      )}
      {nowMinutes !== null && <div className={styles.now} style={toStyle(nowMinutes)} aria-hidden />}
    </>
  )
}

type DayColumnProps = Pick<DayTimelineProps, 'columns' | 'now' | 'bookable' | 'getActions' | 'onOpen' | 'onBook'> & {
  column: ProviderColumn
  index: number
  layout: DayLayout
  drag: ReturnType<typeof useAppointmentDrag>
}

/** The appointments and free slots of one provider. */
function DayColumn({ columns, column, index, layout, drag, ...props }: DayColumnProps) {
  const { now, bookable, getActions, onOpen, onBook } = props
  const styles = useStyles()
  const { providerId, name, appointments } = column
  const { draft, getHandlers } = drag
  const hasSeveral = columns.length > 1
  const spans = appointments.map((appointment) => ({ appointment, ...toSpan(appointment) }))
  const lanes = assignLanes(spans)
  const freeSlots = bookable
    ? findFreeSlots(appointments)
        .filter((slot) => now === undefined || slot >= now)
        .map((slot) => ({ slot, start: parseMinutes(slot), duration: 30 }))
    : []
  return (
    <div
      className={mergeClasses(styles.column, hasSeveral ? styles.besideMany : styles.beside)}
      data-provider={providerId}
    >
      <ol className={styles.list} aria-label={hasSeveral ? `Appointments of ${name}` : 'Appointments'}>
        {spans.map((span) => {
          const { appointment } = span
          const ownDraft = draft?.id === appointment.id ? draft : null
          const lane = lanes.get(span) ?? { index: 0, count: 1 }
          return (
            <AppointmentBlock
              key={appointment.id}
              appointment={appointment}
              layout={layout}
              span={ownDraft ?? span}
              lane={lane}
              beside={freeSlots.some((slot) => overlaps(slot, span))}
              isDragged={ownDraft !== null}
              columnsAway={ownDraft ? findColumn(columns, ownDraft.providerId) - index : 0}
              tight={lane.count * columns.length > 2}
              actions={getActions(appointment)}
              onOpen={() => onOpen(appointment)}
              handlers={getHandlers(appointment)}
            />
          )
        })}
      </ol>
      {freeSlots.map((free) => (
        <FreeSlotButton
          key={free.slot}
          slot={free.slot}
          span={free}
          layout={layout}
          beside={spans.some((span) => overlaps(span, free))}
          provider={hasSeveral ? name : undefined}
          onBook={() => onBook(free.slot, providerId)}
        />
      ))}
    </div>
  )
}
