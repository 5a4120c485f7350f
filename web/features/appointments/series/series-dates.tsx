import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { formatTime } from '#web/ui/dates.ts'
import {
  Button,
  makeStyles,
  mergeClasses,
  SkeletonItem,
  Skeleton,
  Text,
  ToggleButton,
  tokens,
} from '@fluentui/react-components'
import { ClockAlarmRegular } from '@fluentui/react-icons/svg/clock-alarm'
import { useEffect, useRef } from 'react'
import type { PlannedAppointment } from '#contracts/appointment-series.ts'
import { errorMessage } from '#web/api/call.ts'
import { Notice } from '#web/ui/notice.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { formatRelativeDay, formatMediumDate, formatShortWeekday } from '../calendar-dates.ts'
import { resolveAll, type ConflictResolution, findRemainingSlots, findUnresolved } from './recurrence.ts'
import type { SeriesPlan } from './use-series-plan.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  root: { display: 'grid', rowGap: '8px' },
  scroll: {
    maxHeight: '300px',
    overflowY: 'auto',
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  row: {
    display: 'grid',
    gridTemplateColumns: '24px 152px 84px minmax(0, 1fr)',
    columnGap: '8px',
    alignItems: 'baseline',
    padding: '7px 12px',
    fontVariantNumeric: 'tabular-nums',
    ':not(:first-child)': { borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
    [narrow]: { gridTemplateColumns: '20px minmax(0, 1fr) auto', padding: '8px 10px' },
  },
  unresolved: { backgroundColor: tokens.colorStatusWarningBackground1 },
  number: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  unresolvedNumber: { color: tokens.colorNeutralForeground2 },
  skipped: { textDecorationLine: 'line-through', color: tokens.colorNeutralForeground3 },
  state: { color: tokens.colorNeutralForeground2, [narrow]: { gridColumn: '2 / -1' } },
  strong: { fontWeight: tokens.fontWeightSemibold, color: tokens.colorNeutralForeground1 },
  choices: {
    gridColumn: '2 / -1',
    display: 'flex',
    flexWrap: 'wrap',
    columnGap: '6px',
    rowGap: '6px',
    marginTop: '6px',
    marginBottom: '2px',
  },
  choice: { minWidth: 0 },
  error: { color: tokens.colorStatusDangerForeground1, fontSize: tokens.fontSizeBase200 },
})

type SeriesDatesProps = { plan: SeriesPlan; time: string; today: string; zone: string }

/** Lists the dates of a series before it is booked, with the choices for each date whose time is taken. */
export function SeriesDates({ plan, time, today, zone }: SeriesDatesProps) {
  const styles = useStyles()
  const { appointments, resolutions, isPending, failure, dateError, isSubmitted } = plan
  const unresolved = findUnresolved(appointments, resolutions)
  const top = useRef<HTMLDivElement>(null)
  const first = unresolved[0]?.index
  // After an attempt to book, the focus goes to the first unresolved date.
  const isFocusNeeded = isSubmitted && first !== undefined
  useEffect(() => {
    if (isFocusNeeded) top.current?.querySelector<HTMLElement>('[data-unresolved] button')?.focus()
    // Not after every resolution, although the first unresolved date changes with each.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isFocusNeeded])
  if (failure)
    return (
      <Notice
        tone="error"
        icon={ClockAlarmRegular}
        title="Failed to load the dates"
        role="alert"
        actions={<Button onClick={plan.retry}>Try again</Button>}
      >
        <Text>{errorMessage(failure)}</Text>
      </Notice>
    )
  if (!plan.isComplete)
    return plan.recurrence ? (
      <SecondaryText as="p">Choose patient, date and time to see every appointment.</SecondaryText>
    ) : null
  if (appointments.length === 0)
    return isPending ? (
      <Skeleton aria-label="Loading the dates">
        <SkeletonItem size={96} />
      </Skeleton>
    ) : null
  return (
    <div ref={top} className={styles.root}>
      {unresolved.length > 0 && <ConflictSummary plan={plan} count={unresolved.length} />}
      {dateError && (
        <Text className={styles.error} role="alert">
          {dateError}
        </Text>
      )}
      {/* The scrolling list is focusable, so that the keyboard can scroll it even without buttons in it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.scroll} role="group" tabIndex={0} aria-label="Dates of the appointments">
        <ol className={styles.list}>
          {appointments.map((appointment) => (
            <SeriesDate
              key={appointment.index}
              plan={plan}
              appointment={appointment}
              time={time}
              today={today}
              zone={zone}
            />
          ))}
        </ol>
      </div>
    </div>
  )
}

function ConflictSummary({ plan, count }: { plan: SeriesPlan; count: number }) {
  const { appointments, resolutions, resolve } = plan
  return (
    <Notice
      tone="warning"
      icon={ClockAlarmRegular}
      title={count === 1 ? '1 of these times is taken' : `${count} of these times are taken`}
      role="status"
      actions={
        count > 1 && (
          <>
            {bulkActions.map(([action, label]) => (
              <Button key={action} size="small" onClick={() => resolve(resolveAll(appointments, resolutions, action))}>
                {label}
              </Button>
            ))}
          </>
        )
      }
    >
      <Text>Move each to a free time, skip it, or book it anyway. Nothing is booked until you decide.</Text>
    </Notice>
  )
}

function SeriesDate({ plan, appointment, time, today, zone }: SeriesDatesProps & { appointment: PlannedAppointment }) {
  const styles = useStyles()
  const { resolutions, resolve } = plan
  const resolution = resolutions.get(appointment.index)
  const isUnresolved = appointment.conflict !== null && !resolution
  const skipped = resolution?.action === 'skip' ? styles.skipped : undefined
  const choose = (next: ConflictResolution | null) => {
    const all = new Map(resolutions)
    if (next) all.set(appointment.index, next)
    else all.delete(appointment.index)
    resolve(all)
  }
  return (
    <li
      className={mergeClasses(styles.row, isUnresolved && styles.unresolved)}
      data-unresolved={isUnresolved ? '' : undefined}
    >
      <span className={mergeClasses(styles.number, isUnresolved && styles.unresolvedNumber)}>
        {appointment.index + 1}
      </span>
      <span className={skipped}>
        {formatShortWeekday(appointment.localDate)}, {formatMediumDate(appointment.localDate)}
      </span>
      <span className={skipped}>{formatTime(appointment.localTime)}</span>
      <span className={styles.state}>
        <DateState appointment={appointment} resolution={resolution} time={time} zone={zone} today={today} />
      </span>
      {appointment.conflict && (
        <ResolutionChoices
          appointment={appointment}
          resolution={resolution}
          slots={findRemainingSlots(appointment, resolutions)}
          today={today}
          onChoose={choose}
        />
      )}
    </li>
  )
}

const bulkActions: [ConflictResolution['action'], string][] = [
  ['move', 'Move each to its nearest free time'],
  ['skip', 'Skip them'],
  ['overlap', 'Book all anyway'],
]

type DateProps = { appointment: PlannedAppointment; resolution: ConflictResolution | undefined; today: string }

function DateState({ appointment, resolution, time, zone, today }: DateProps & { time: string; zone: string }) {
  const styles = useStyles()
  const { conflict, isAdjusted, localDate, localTime } = appointment
  if (resolution?.action === 'skip') return <Text>Skipped</Text>
  if (resolution?.action === 'overlap') return <Text className={styles.strong}>Booked anyway, as an overlap</Text>
  if (resolution?.action === 'move')
    return (
      <Text className={styles.strong}>
        Moved to {formatRelativeDay(resolution.slot.localDate, today)}, {formatTime(resolution.slot.localTime)}
      </Text>
    )
  if (conflict)
    return (
      <Text>
        {conflict.patientName ?? 'Another patient'} is booked until{' '}
        {formatTime(toLocalDateTime(conflict.until, zone).time)}
      </Text>
    )
  if (isAdjusted)
    return (
      <Text>
        {localTime === time
          ? `Last day of ${formatMediumDate(localDate).slice(0, 3)}, a shorter month`
          : `${formatTime(time)} does not exist on this day (daylight saving time)`}
      </Text>
    )
  return null
}

type ResolutionChoicesProps = DateProps & {
  slots: ReturnType<typeof findRemainingSlots>
  onChoose: (resolution: ConflictResolution | null) => void
}

/** Choices for one date whose time is taken; pressing a chosen one again clears it. */
function ResolutionChoices({ appointment, resolution, slots, today, onChoose }: ResolutionChoicesProps) {
  const styles = useStyles()
  const toggle = (isChosen: boolean, next: ConflictResolution) => onChoose(isChosen ? null : next)
  const isSlot = (start: string) => resolution?.action === 'move' && resolution.slot.start === start
  return (
    <div className={styles.choices} role="group" aria-label={`${formatMediumDate(appointment.localDate)}: choices`}>
      {slots.map((slot) => (
        <ToggleButton
          key={slot.start}
          size="small"
          className={styles.choice}
          checked={isSlot(slot.start)}
          aria-label={`Move to ${formatRelativeDay(slot.localDate, today)}, ${formatTime(slot.localTime)}`}
          onClick={() => toggle(isSlot(slot.start), { action: 'move', slot })}
        >
          {slot.localDate === appointment.localDate ? '' : `${formatRelativeDay(slot.localDate, today)}, `}
          {formatTime(slot.localTime)}
        </ToggleButton>
      ))}
      {(['skip', 'overlap'] as const).map((action) => (
        <ToggleButton
          key={action}
          size="small"
          className={styles.choice}
          checked={resolution?.action === action}
          onClick={() => toggle(resolution?.action === action, { action })}
        >
          {action === 'skip' ? 'Skip' : 'Book anyway'}
        </ToggleButton>
      ))}
    </div>
  )
}
