import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import type { CSSProperties, HTMLAttributes } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { getAppointmentTone } from '#web/entities/appointments/appointment-tone.ts'
import { RowMenu } from '#web/ui/action-menu.tsx'
import { formatTime } from '#web/ui/dates.ts'
import { formatName } from '#web/ui/format.ts'
import type { MenuAction } from '#web/ui/menu-action.ts'
import { statusBorderColors } from '#web/ui/status-badge.tsx'
import { toTimeString } from '../local-time.ts'
import { BlockMarks } from './appointment-block-marks.tsx'
import { BlockText, ShortTime } from './appointment-block-text.tsx'
import { type DayLayout, type Lane, halfHourHeight, type Span, minutesToY } from './day-layout.ts'

const narrow = '@media (max-width: 639px)'
const noBorder = { borderTopColor: 'transparent', borderRightColor: 'transparent', borderBottomColor: 'transparent' }

const useStyles = makeStyles({
  block: {
    position: 'absolute',
    top: 'calc(var(--top) + 2px)',
    height: 'calc(var(--height) - 4px)',
    left: 'var(--left)',
    width: 'calc(var(--width) - 4px)',
    boxSizing: 'border-box',
    overflow: 'hidden',
    display: 'flex',
    alignItems: 'center',
    columnGap: '8px',
    padding: '0 4px 0 14px',
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    ':hover': { boxShadow: tokens.shadow4 },
    ':focus-within': { zIndex: 3 },
    '::before': {
      content: '""',
      position: 'absolute',
      left: 0,
      top: 0,
      bottom: 0,
      width: '4px',
      backgroundColor: 'var(--edge)',
    },
    [narrow]: { columnGap: '4px', paddingLeft: '12px' },
  },
  besideFreeSlot: {
    left: 'calc((100% - var(--free-slot-width)) / var(--lanes) * var(--lane))',
    width: 'calc((100% - var(--free-slot-width)) / var(--lanes) - 4px)',
  },
  // No text selection, which would be dragged instead of the appointment.
  movable: { cursor: 'grab', userSelect: 'none' },
  success: {},
  neutral: {},
  info: { ...noBorder, backgroundColor: tokens.colorPaletteBlueBackground2 },
  warning: { ...noBorder, backgroundColor: tokens.colorStatusWarningBackground1 },
  error: { ...noBorder, backgroundColor: tokens.colorStatusDangerBackground1 },
  past: { backgroundColor: tokens.colorNeutralBackground2 },
  dragged: { zIndex: 4, cursor: 'grabbing', boxShadow: tokens.shadow16, opacity: 0.94 },
  tall: { alignItems: 'flex-start', paddingTop: '7px' },
  above: { position: 'relative', zIndex: 1, flexShrink: 0, '> button': { minWidth: '28px', padding: '2px' } },
  small: { '> button': { height: '20px' } },
  edge: {
    position: 'absolute',
    zIndex: 1,
    left: '4px',
    right: '40px',
    bottom: 0,
    height: '7px',
    cursor: 'ns-resize',
    [narrow]: { display: 'none' },
  },
})

/** Returns the position of a span as CSS variables. */
export function computeBlockStyle(
  layout: DayLayout,
  { start, duration }: Span,
  { index: lane, count: lanes }: Lane,
  edge = 'transparent',
) {
  const top = minutesToY(layout, start)
  return {
    '--top': `${top}px`,
    '--height': `${Math.max(20, minutesToY(layout, start + duration) - top)}px`,
    '--left': `${(lane / lanes) * 100}%`,
    '--width': `${100 / lanes}%`,
    '--lane': lane,
    '--lanes': lanes,
    '--edge': edge,
  } as CSSProperties
}

type AppointmentBlockProps = {
  appointment: Appointment
  layout: DayLayout
  span: Span
  lane: Lane
  /** A free slot is drawn at its right, `--free-slot-width` wide. */
  hasFreeSlotBeside: boolean
  isDragged: boolean
  /** Number of columns by which it is being moved to the right; negative to the left. */
  columnOffset: number
  /** Little width is left beside other appointments. */
  isTight: boolean
  actions: readonly MenuAction[]
  onOpen: () => void
  handlers: {
    block: HTMLAttributes<HTMLLIElement>
    edge: HTMLAttributes<HTMLElement>
    name: HTMLAttributes<HTMLButtonElement>
  }
}

/** One appointment in the timeline: the color at its left is its status, its height its duration. */
export function AppointmentBlock(props: AppointmentBlockProps) {
  const { appointment, layout, span, isDragged, isTight, actions, onOpen, handlers } = props
  const styles = useStyles()
  const time = formatTime(toTimeString(span.start))
  const height = minutesToY(layout, span.start + span.duration) - minutesToY(layout, span.start)
  const space = { isShort: height < 40, isTight, isDragged }
  const { duration } = span
  const name = formatName(appointment.patient)
  const place = placeBlock(styles, props, height)
  return (
    <li {...place} {...handlers.block}>
      <BlockText
        appointment={appointment}
        name={name}
        time={time}
        duration={duration}
        space={space}
        onOpen={onOpen}
        handlers={handlers.name}
      />
      {space.isShort && <ShortTime time={time} duration={duration} isDragged={isDragged} />}
      <BlockMarks appointment={appointment} space={space} />
      <span
        className={mergeClasses(styles.above, space.isShort && styles.small)}
        onPointerDown={(event) => event.stopPropagation()}
      >
        <RowMenu name={`${name}, ${time}`} actions={actions} />
      </span>
      {appointment.status !== 'cancelled' && <span className={styles.edge} data-edge="" {...handlers.edge} />}
    </li>
  )
}

/** Returns class and style of a block: its color, and where it is drawn. */
function placeBlock(
  styles: ReturnType<typeof useStyles>,
  { appointment, layout, span, lane, hasFreeSlotBeside, isDragged, columnOffset }: AppointmentBlockProps,
  height: number,
) {
  const { status } = appointment
  const tone = getAppointmentTone(appointment)
  return {
    className: mergeClasses(
      styles.block,
      styles[tone],
      status === 'completed' && styles.past,
      height > halfHourHeight && styles.tall,
      hasFreeSlotBeside && styles.besideFreeSlot,
      status !== 'cancelled' && styles.movable,
      isDragged && styles.dragged,
    ),
    style: {
      ...computeBlockStyle(layout, span, lane, statusBorderColors[tone]),
      // The gap between two columns is 8 px wide.
      ...(columnOffset === 0 ? {} : { left: `calc(${columnOffset} * (100% + 8px))`, width: 'calc(100% - 4px)' }),
    },
  }
}
