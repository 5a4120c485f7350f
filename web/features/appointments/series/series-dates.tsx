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
import { ClockAlarmRegular } from '@fluentui/react-icons'
import { useEffect, useRef } from 'react'
import type { PlannedAppointment } from '#contracts/appointment-series.ts'
import { errorMessage } from '#web/api/call.ts'
import { Notice } from '#web/ui/notice.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { formatTime, toLocalDateTime } from '../local-time.ts'
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
  open: { backgroundColor: tokens.colorStatusWarningBackground1 },
  number: { color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  openNumber: { color: tokens.colorNeutralForeground2 },
  gone: { textDecorationLine: 'line-through', color: tokens.colorNeutralForeground3 },
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
  fault: { color: tokens.colorStatusDangerForeground1, fontSize: tokens.fontSizeBase200 },
})

type SeriesDatesProps = { plan: SeriesPlan; time: string; today: string; zone: string }

/** Every date of a row before it is booked; where somebody is in the way, what can be done about it. */
export function SeriesDates({ plan, time, today, zone }: SeriesDatesProps) {
  const styles = useStyles()
  const { appointments, decisions, decide, isPending, failure, fault, tried } = plan
  const open = findUnresolved(appointments, decisions)
  const top = useRef<HTMLDivElement>(null)
  const first = open[0]?.index
  // Somebody tried to book: to the first date that has to be decided.
  const asked = tried && first !== undefined
  useEffect(() => {
    if (asked) top.current?.querySelector<HTMLElement>('[data-open] button')?.focus()
    // Only when it is asked for: with every decision the first one is another.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [asked])
  if (failure)
    return (
      <Notice
        tone="bad"
        icon={ClockAlarmRegular}
        title="The dates could not be worked out"
        role="alert"
        actions={<Button onClick={plan.retry}>Try again</Button>}
      >
        <Text>{errorMessage(failure)}</Text>
      </Notice>
    )
  if (plan.plan === null)
    return plan.recurrence ? (
      <SecondaryText as="p">Choose patient, date and time to see every appointment.</SecondaryText>
    ) : null
  if (appointments.length === 0)
    return isPending ? (
      <Skeleton aria-label="Working out the dates">
        <SkeletonItem size={96} />
      </Skeleton>
    ) : null
  return (
    <div ref={top} className={styles.root}>
      {open.length > 0 && (
        <Notice
          tone="waiting"
          icon={ClockAlarmRegular}
          title={open.length === 1 ? '1 of these times is taken' : `${open.length} of these times are taken`}
          role="status"
          actions={
            open.length > 1 && (
              <>
                {allAtOnce.map(([how, words]) => (
                  <Button key={how} size="small" onClick={() => decide(resolveAll(appointments, decisions, how))}>
                    {words}
                  </Button>
                ))}
              </>
            )
          }
        >
          <Text>Move each to a free time, skip it, or book it anyway. Nothing is booked before that is decided.</Text>
        </Notice>
      )}
      {fault && (
        <Text className={styles.fault} role="alert">
          {fault}
        </Text>
      )}
      {/* A list that scrolls is reached by keyboard also when nothing in it can be pressed. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div className={styles.scroll} role="group" tabIndex={0} aria-label="Dates of the appointments">
        <ol className={styles.list}>
          {appointments.map((appointment) => {
            const decision = decisions.get(appointment.index)
            const isOpen = appointment.conflict !== null && !decision
            return (
              <li
                key={appointment.index}
                className={mergeClasses(styles.row, isOpen && styles.open)}
                data-open={isOpen ? '' : undefined}
              >
                <span className={mergeClasses(styles.number, isOpen && styles.openNumber)}>
                  {appointment.index + 1}
                </span>
                <span className={decision?.action === 'skip' ? styles.gone : undefined}>
                  {formatShortWeekday(appointment.localDate)}, {formatMediumDate(appointment.localDate)}
                </span>
                <span className={decision?.action === 'skip' ? styles.gone : undefined}>
                  {formatTime(appointment.localTime)}
                </span>
                <span className={styles.state}>
                  <State appointment={appointment} decision={decision} time={time} zone={zone} today={today} />
                </span>
                {appointment.conflict && (
                  <Choices
                    appointment={appointment}
                    decision={decision}
                    slots={findRemainingSlots(appointment, decisions)}
                    today={today}
                    onChoose={(next) => {
                      const all = new Map(decisions)
                      if (next) all.set(appointment.index, next)
                      else all.delete(appointment.index)
                      decide(all)
                    }}
                  />
                )}
              </li>
            )
          })}
        </ol>
      </div>
    </div>
  )
}

const allAtOnce: [ConflictResolution['action'], string][] = [
  ['move', 'Move each to its nearest free time'],
  ['skip', 'Skip them'],
  ['overlap', 'Book all anyway'],
]

type Row = { appointment: PlannedAppointment; decision: ConflictResolution | undefined; today: string }

function State({ appointment, decision, time, zone, today }: Row & { time: string; zone: string }) {
  const styles = useStyles()
  const { conflict, isAdjusted, localDate, localTime } = appointment
  if (decision?.action === 'skip') return <Text>Skipped</Text>
  if (decision?.action === 'overlap') return <Text className={styles.strong}>Booked anyway, as an overlap</Text>
  if (decision?.action === 'move')
    return (
      <Text className={styles.strong}>
        Moved to {formatRelativeDay(decision.slot.localDate, today)}, {formatTime(decision.slot.localTime)}
      </Text>
    )
  if (conflict)
    return (
      <Text>
        {conflict.patientName ?? 'Somebody else'} is there until{' '}
        {formatTime(toLocalDateTime(zone, conflict.until).time)}
      </Text>
    )
  if (isAdjusted)
    return (
      <Text>
        {localTime === time
          ? `Last day of ${formatMediumDate(localDate).slice(0, 3)}, which is shorter`
          : `The clocks skip ${formatTime(time)} on this day`}
      </Text>
    )
  return null
}

type ChoicesProps = Row & {
  slots: ReturnType<typeof findRemainingSlots>
  onChoose: (decision: ConflictResolution | null) => void
}

/** What can be done about one date; the same button once more takes it back. */
function Choices({ appointment, decision, slots, today, onChoose }: ChoicesProps) {
  const styles = useStyles()
  const toggle = (isChosen: boolean, next: ConflictResolution) => onChoose(isChosen ? null : next)
  const isSlot = (start: string) => decision?.action === 'move' && decision.slot.start === start
  return (
    <div className={styles.choices} role="group" aria-label={`${formatMediumDate(appointment.localDate)}: what to do`}>
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
      {(['skip', 'overlap'] as const).map((how) => (
        <ToggleButton
          key={how}
          size="small"
          className={styles.choice}
          checked={decision?.action === how}
          onClick={() => toggle(decision?.action === how, { action: how })}
        >
          {how === 'skip' ? 'Skip' : 'Book anyway'}
        </ToggleButton>
      ))}
    </div>
  )
}
