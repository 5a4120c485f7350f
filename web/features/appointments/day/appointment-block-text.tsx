import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import type { HTMLAttributes } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { AppointmentTypeLabel } from '#web/entities/appointments/appointment-type-label.tsx'
import { appointmentTypeLabels } from '#web/entities/appointments/appointment-type-labels.ts'
import { DemoBadge } from '#web/entities/sample-data/demo-badge.tsx'
import { RecordId } from '#web/ui/person.tsx'
import { DeceasedMark } from '#web/entities/appointments/deceased-mark.tsx'
import { statusLabels } from '../labels.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
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
})

/** The place that a block has for its text. */
export type BlockSpace = {
  /** One line is all there is room for. */
  isShort: boolean
  /** Little width is left beside other appointments. */
  isTight: boolean
  isDragged: boolean
}

type BlockTextProps = {
  appointment: Appointment
  name: string
  /** The start, as it is shown. */
  time: string
  /** Minutes. */
  duration: number
  space: BlockSpace
  onOpen: () => void
  handlers: HTMLAttributes<HTMLButtonElement>
}

/** The patient, whose name opens the appointment, and below it what is planned. */
export function BlockText({ appointment, name, time, duration, space, onOpen, handlers }: BlockTextProps) {
  const styles = useStyles()
  const { type, status, seriesId, sample, patientDeceased } = appointment
  const details = [`${duration} min`, appointmentTypeLabels[type], statusLabels[status]]
  const marks = [
    ...(patientDeceased ? ['deceased'] : []),
    ...(seriesId ? ['repeats'] : []),
    ...(sample ? ['demo'] : []),
  ]
  return (
    <span className={styles.text}>
      <button
        type="button"
        data-appointment={appointment.id}
        className={mergeClasses(styles.name, status === 'cancelled' && styles.strikethrough)}
        aria-label={[name, time, ...details, ...marks].join(', ')}
        title={name}
        onClick={onOpen}
        {...handlers}
      >
        <span dir="auto">{name}</span>
      </button>
      {!space.isShort && <BlockDetails appointment={appointment} time={time} duration={duration} space={space} />}
    </span>
  )
}

type BlockDetailsProps = Pick<BlockTextProps, 'appointment' | 'time' | 'duration' | 'space'>

function BlockDetails({ appointment, time, duration, space: { isTight, isDragged } }: BlockDetailsProps) {
  const styles = useStyles()
  const { patientId, type, reason, sample, patientDeceased } = appointment
  return (
    <Text className={styles.secondary}>
      {patientDeceased && <DeceasedMark />}
      {sample && <span className={isTight ? undefined : styles.narrowOnly}>Demo, </span>}
      <span className={isDragged ? undefined : styles.wide}>
        {time}
        {(!isTight || isDragged) && `, ${duration} min`}.{' '}
      </span>
      <AppointmentTypeLabel type={type} />
      {reason && `, ${reason}`}
      <RecordId id={patientId} className={styles.id} />
      {sample && !isTight && <DemoBadge className={styles.demo} />}
    </Text>
  )
}

/** The start of an appointment whose block has one line; with its length while it is dragged. */
export function ShortTime({ time, duration, isDragged }: { time: string; duration: number; isDragged: boolean }) {
  const styles = useStyles()
  return (
    <Text className={mergeClasses(styles.secondary, styles.wide)}>{isDragged ? `${time}, ${duration} min` : time}</Text>
  )
}
