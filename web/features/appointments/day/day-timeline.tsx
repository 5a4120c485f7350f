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
  minutesToY,
} from './day-layout.ts'
import { FreeSlotButton } from './free-slot-button.tsx'
import { findFreeSlots, toSpan } from '../slots.ts'
import { type Placement, useAppointmentDrag } from './use-appointment-drag.ts'
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
  /** Stays where it is when many columns are scrolled sideways: an appointment without its hour says nothing. */
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
  // How wide a free slot is beside a cancelled appointment.
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

/** Less than this cuts names off, and names tell people apart: beyond that, one scrolls sideways. */
const minColumnWidthPx = 208

/** One provider's part of the day. Who left keeps the appointments that were booked, and is given no others. */
export type ProviderColumn = {
  providerId: string
  name: string
  colour: string
  active: boolean
  appointments: readonly Appointment[]
}

type DayTimelineProps = {
  columns: readonly ProviderColumn[]
  /** Every appointment of the day, for the hours that are drawn. */
  all: readonly Appointment[]
  /** HH:mm on the practice's clocks, when the day is today. */
  now?: string | undefined
  /** Free slots are offered, and only those that are still to come. */
  bookable: boolean
  actionsOf: (appointment: Appointment) => readonly RowAction[]
  onOpen: (appointment: Appointment) => void
  onEdit: (appointment: Appointment) => void
  onBook: (slot: string, providerId: string) => void
  onPlace: (appointment: Appointment, to: Placement) => Promise<void>
}

const style = (top: number) => ({ '--top': `${top}px` }) as React.CSSProperties

/** A whole clinic day without scrolling: height is time, width is overlap, the line is now, and what is free says so. */
export function DayTimeline(props: DayTimelineProps) {
  const { columns, all, now, bookable, actionsOf, onOpen, onEdit, onBook, onPlace } = props
  const styles = useStyles()
  const shape = useMemo(() => computeDayLayout(all.map(toSpan)), [all])
  const providers = columns.filter(({ active }) => active).map(({ providerId }) => providerId)
  const { draft, handlersOf } = useAppointmentDrag({ shape, providers, onPlace, onEdit })
  const columnOf = (id: string) => columns.findIndex(({ providerId }) => providerId === id)
  const height = minutesToY(shape, shape.endMinutes)
  const at = now === undefined ? null : parseMinutes(now)
  const shownNow = at !== null && at >= shape.startMinutes && at <= shape.endMinutes ? at : null
  const several = columns.length > 1
  const grid = {
    gridTemplateColumns: `repeat(${columns.length}, minmax(${several ? `${minColumnWidthPx}px` : '0'}, 1fr))`,
  }
  const least = several ? { minWidth: `${columns.length * (minColumnWidthPx + 8)}px` } : undefined
  return (
    <div
      className={styles.scroll}
      tabIndex={several ? 0 : undefined}
      role={several ? 'group' : undefined}
      aria-label={several ? 'Day by provider' : undefined}
    >
      {several && (
        <div className={styles.heads} style={{ ...grid, ...least }} aria-hidden>
          {columns.map(({ providerId, name, colour }) => (
            <p key={providerId} className={styles.head}>
              <span className={styles.dot} style={{ '--dot': colour } as React.CSSProperties} />
              <span>{name}</span>
            </p>
          ))}
        </div>
      )}
      <div className={styles.day} data-day="" style={{ height: `${height}px`, ...least }}>
        <div className={styles.gutter} aria-hidden>
          {getGridLines(shape).map((line) => (
            <span
              key={line}
              className={mergeClasses(styles.label, line % 60 === 30 && styles.halfLabel)}
              style={style(minutesToY(shape, line))}
            >
              {formatTime(toTimeString(line))}
            </span>
          ))}
          {shownNow !== null && (
            <>
              <span className={styles.nowTime} style={style(minutesToY(shape, shownNow))}>
                {formatTime(toTimeString(shownNow))}
              </span>
              <div className={styles.ring} style={style(minutesToY(shape, shownNow))} />
            </>
          )}
        </div>
        {getGridLines(shape).map((line) => (
          <div
            key={line}
            aria-hidden
            className={mergeClasses(styles.hour, line % 60 === 30 && styles.half)}
            style={style(minutesToY(shape, line))}
          />
        ))}
        {shape.isBreakCollapsed && (
          <div className={styles.pause} style={style(minutesToY(shape, breakStart))}>
            Midday break, noon to 2:00 PM
          </div>
        )}
        {shownNow !== null && <div className={styles.now} style={style(minutesToY(shape, shownNow))} aria-hidden />}
        <div className={styles.columns} style={grid}>
          {columns.map(({ providerId, name, appointments }, index) => {
            const spans = appointments.map((appointment) => ({ appointment, ...toSpan(appointment) }))
            const free = bookable
              ? findFreeSlots(appointments)
                  .filter((slot) => now === undefined || slot >= now)
                  .map((slot) => ({ slot, start: parseMinutes(slot), duration: 30 }))
              : []
            const lanes = assignLanes(spans)
            return (
              <div
                key={providerId}
                className={mergeClasses(styles.column, several ? styles.besideMany : styles.beside)}
                data-provider={providerId}
              >
                <ol className={styles.list} aria-label={several ? `Appointments of ${name}` : 'Appointments'}>
                  {spans.map((each) => {
                    const own = draft?.id === each.appointment.id ? draft : null
                    const lane = lanes.get(each) ?? { index: 0, count: 1 }
                    return (
                      <AppointmentBlock
                        key={each.appointment.id}
                        appointment={each.appointment}
                        shape={shape}
                        span={own ?? each}
                        lane={lane}
                        beside={free.some((slot) => overlaps(slot, each))}
                        held={own !== null}
                        columnsAway={own ? columnOf(own.providerId) - index : 0}
                        tight={lane.count * columns.length > 2}
                        actions={actionsOf(each.appointment)}
                        onOpen={() => onOpen(each.appointment)}
                        handlers={handlersOf(each.appointment)}
                      />
                    )
                  })}
                </ol>
                {free.map((each) => (
                  <FreeSlotButton
                    key={each.slot}
                    slot={each.slot}
                    span={each}
                    shape={shape}
                    beside={spans.some((appointment) => overlaps(appointment, each))}
                    provider={several ? name : undefined}
                    onBook={() => onBook(each.slot, providerId)}
                  />
                ))}
              </div>
            )
          })}
        </div>
      </div>
      <span className={styles.unseen} aria-live="polite">
        {draft &&
          [
            formatTime(toTimeString(draft.start)),
            `${draft.duration} minutes`,
            ...(several ? [columns[columnOf(draft.providerId)]?.name] : []),
          ].join(', ')}
      </span>
    </div>
  )
}
