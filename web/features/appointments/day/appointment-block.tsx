import { formatName } from '#web/ui/format.ts'
import { formatTime } from '#web/ui/dates.ts'
import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { ArrowRepeatAll16Regular } from '@fluentui/react-icons/svg/arrow-repeat-all'
import { SquareMultiple16Regular } from '@fluentui/react-icons/svg/square-multiple'
import type { CSSProperties, HTMLAttributes } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { DemoBadge } from '#web/entities/sample-data/demo-badge.tsx'
import { RecordId } from '#web/ui/person.tsx'
import { RowMenu } from '#web/ui/action-menu.tsx'
import type { MenuAction } from '#web/ui/menu-action.ts'
import { StatusBadge, statusBorderColors } from '#web/ui/status-badge.tsx'
import { getAppointmentTone } from '#web/entities/appointments/appointment-tone.ts'
import { toTimeString } from '../local-time.ts'
import { type DayLayout, type Lane, halfHourHeight, type Span, minutesToY } from './day-layout.ts'
import { AppointmentTypeLabel } from '#web/entities/appointments/appointment-type-label.tsx'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { statusLabels } from '../labels.ts'

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
  text: { minWidth: 0, flexGrow: 1, display: 'grid' },
  name: {
    // The whole block opens the appointment; menu and edge are layered above it.
    '::after': { content: '""', position: 'absolute', inset: 0 },
    ':focus-visible': { outline: 'none' },
    ':focus-visible::after': {
      outline: `2px solid ${tokens.colorStrokeFocus2}`,
      outlineOffset: '-2px',
      borderRadius: tokens.borderRadiusMedium,
    },
    display: 'block',
    maxWidth: '100%',
    padding: 0,
    border: 'none',
    background: 'none',
    color: 'inherit',
    font: 'inherit',
    textAlign: 'left',
    cursor: 'inherit',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
  },
  secondary: {
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
  },
  strikethrough: {
    textDecorationLine: 'line-through',
    fontWeight: tokens.fontWeightRegular,
    color: tokens.colorNeutralForeground3,
  },
  wide: { [narrow]: { display: 'none' } },
  narrowOnly: { display: 'none', [narrow]: { display: 'inline' } },
  id: { marginLeft: '8px', color: tokens.colorNeutralForeground2, [narrow]: { display: 'none' } },
  demo: { marginLeft: '8px', [narrow]: { display: 'none' } },
  overlap: {
    display: 'inline-flex',
    alignItems: 'center',
    columnGap: '4px',
    fontSize: tokens.fontSizeBase200,
    color: tokens.colorNeutralForeground2,
    whiteSpace: 'nowrap',
  },
  badge: {
    display: 'inline-flex',
    [narrow]: { '> span': { fontSize: 0, columnGap: 0, padding: '0 4px' } },
  },
  iconOnly: { '> span': { fontSize: 0, columnGap: 0, padding: '0 4px' } },
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
  const {
    appointment,
    layout,
    span,
    lane,
    hasFreeSlotBeside,
    isDragged,
    columnOffset,
    isTight,
    actions,
    onOpen,
    handlers,
  } = props
  const styles = useStyles()
  const { patient, patientId, type, reason, status, overlap, seriesId } = appointment
  const isCancelled = status === 'cancelled'
  const tone = getAppointmentTone(appointment)
  const time = formatTime(toTimeString(span.start))
  const height = minutesToY(layout, span.start + span.duration) - minutesToY(layout, span.start)
  const isShort = height < 40
  const name = formatName(patient)
  return (
    <li
      className={mergeClasses(
        styles.block,
        styles[tone],
        status === 'completed' && styles.past,
        height > halfHourHeight && styles.tall,
        hasFreeSlotBeside && styles.besideFreeSlot,
        !isCancelled && styles.movable,
        isDragged && styles.dragged,
      )}
      style={{
        ...computeBlockStyle(layout, span, lane, statusBorderColors[tone]),
        // The gap between two columns is 8 px wide.
        ...(columnOffset === 0 ? {} : { left: `calc(${columnOffset} * (100% + 8px))`, width: 'calc(100% - 4px)' }),
      }}
      {...handlers.block}
    >
      <span className={styles.text}>
        <button
          type="button"
          data-appointment={appointment.id}
          className={mergeClasses(styles.name, isCancelled && styles.strikethrough)}
          aria-label={`${name}, ${time}, ${span.duration} min, ${appointmentTypeLabels[type]}, ${statusLabels[status]}${seriesId ? ', repeats' : ''}${appointment.sample ? ', demo' : ''}`}
          title={name}
          onClick={onOpen}
          {...handlers.name}
        >
          <span dir="auto">{name}</span>
        </button>
        {!isShort && (
          <Text className={styles.secondary}>
            {appointment.sample && <span className={isTight ? undefined : styles.narrowOnly}>Demo, </span>}
            <span className={isDragged ? undefined : styles.wide}>
              {time}
              {(!isTight || isDragged) && `, ${span.duration} min`}.{' '}
            </span>
            <AppointmentTypeLabel type={type} />
            {reason && `, ${reason}`}
            <RecordId id={patientId} className={styles.id} />
            {appointment.sample && !isTight && <DemoBadge className={styles.demo} />}
          </Text>
        )}
      </span>
      {isShort && (
        <Text className={mergeClasses(styles.secondary, styles.wide)}>
          {isDragged ? `${time}, ${span.duration} min` : time}
        </Text>
      )}
      {seriesId && (
        <span className={styles.overlap} title="Repeats">
          <ArrowRepeatAll16Regular aria-hidden />
        </span>
      )}
      {overlap && !isCancelled && (
        <span className={styles.overlap} title="Booked beside another appointment">
          <SquareMultiple16Regular aria-label="Overlap" />
          {!isTight && <span className={styles.wide}>Overlap</span>}
        </span>
      )}
      <span className={mergeClasses(styles.badge, isTight && styles.iconOnly)}>
        <StatusBadge status={status} plain={isShort} />
      </span>
      <span
        className={mergeClasses(styles.above, isShort && styles.small)}
        onPointerDown={(event) => event.stopPropagation()}
      >
        <RowMenu name={`${name}, ${time}`} actions={actions} />
      </span>
      {!isCancelled && <span className={styles.edge} data-edge="" {...handlers.edge} />}
    </li>
  )
}
