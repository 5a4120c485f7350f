import { makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { CalendarCancelRegular } from '@fluentui/react-icons/svg/calendar-cancel'
import { useMemo, useState } from 'react'
import { HeaderAction } from '#web/ui/header-action.tsx'
import { createLate } from '#web/ui/late.tsx'
import { Page } from '#web/ui/page.tsx'
import { useIsPainted } from '#web/ui/use-is-painted.ts'
import { createMediaQueryHook } from '#web/ui/use-media-query.ts'
import { getWeekDays } from '../calendar-dates.ts'
import { type SchedulingContext, selectProviders } from '../scheduling-context.ts'
import { blocksTime } from '../slots.ts'
import { useWorkCalendar } from '../work-calendar.ts'
import { getWorkingDay } from '../working-day.ts'
import type { AppliedFilters } from './appointments-search.ts'
import { AppointmentView } from './appointment-view.tsx'
import { DayBar, dayHeadingId } from './day-bar.tsx'
import { FilterMenu } from './filter-menu.tsx'
import { MonthPicker } from './month-picker.tsx'
import type { ScheduleDialog } from './schedule-dialogs.tsx'
import { type ScheduleAppointments, useMonthLoads, useScheduleAppointments } from './use-schedule-appointments.ts'
import { useDefaultProviderId, useOwnProviderId } from '../use-default-provider.ts'
import {
  type ScheduleSearch,
  useAppointmentParameter,
  useNewParameter,
  useScheduleSearch,
} from './use-schedule-search.ts'
import { useScheduleShortcuts } from './use-schedule-shortcuts.ts'
import { WeekStrip } from './week-strip.tsx'

const ScheduleDialogs = createLate(() => import('./schedule-dialogs.tsx').then(({ ScheduleDialogs: it }) => it))
const SidePanels = createLate(() => import('./side-panels.tsx').then(({ SidePanels: it }) => it))
const DayPrint = createLate(() => import('../day/day-print.tsx').then(({ DayPrint: it }) => it))

const medium = '@media (max-width: 1151px)'
const useHasSide = createMediaQueryHook('(min-width: 1152px)')
const useStyles = makeStyles({
  page: {
    display: 'grid',
    gridTemplateColumns: '272px minmax(0, 1fr)',
    columnGap: '16px',
    alignItems: 'start',
    [medium]: { gridTemplateColumns: 'minmax(0, 1fr)' },
    '@media print': { display: 'none' },
  },
  side: { display: 'grid', rowGap: '16px', [medium]: { order: 2, marginTop: '16px' } },
  // Below the day, whose height is known only when it is loaded: until then they would move.
  sideWaiting: { [medium]: { display: 'none' } },
  week: { marginBottom: '12px' },
  note: {
    margin: 0,
    display: 'flex',
    alignItems: 'center',
    columnGap: '8px',
    padding: '6px 16px',
    color: tokens.colorNeutralForeground2,
    backgroundColor: tokens.colorNeutralBackground3,
    overflowWrap: 'anywhere',
  },
  noteIcon: { flexShrink: 0, fontSize: '20px' },
  card: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    minWidth: 0,
    overflow: 'clip',
  },
})

/** One day or one week of the practice, with its calendar, panels and dialogs. */
export function Schedule({ title, context }: { title: string; context: SchedulingContext }) {
  const styles = useStyles()
  // The month is beside the day, or the week above it.
  const hasSide = useHasSide()
  const isPainted = useIsPainted()
  const { today, allProviders } = context
  const navigation = useScheduleSearch(today)
  const { search, date, view, goToDate } = navigation
  const currentOwnId = useOwnProviderId(context)
  // As it was when the screen opened: a second provider who is added does not narrow what is on screen.
  const [ownId] = useState(currentOwnId)
  const shown = useScheduleAppointments(context, navigation, ownId)
  const { list, filtered, provider } = shown
  const [dialog, setDialog] = useState<ScheduleDialog>(null)
  // The month beside the day can be changed without leaving the day.
  const [browsed, setBrowsed] = useState<{ month: string; date: string } | null>(null)
  const month = browsed?.date === date ? browsed.month : date
  const { calendar, isPending: isCalendarPending } = useWorkCalendar(date)
  const { calendar: browsedCalendar } = useWorkCalendar(month)
  const getLoad = useMonthLoads(month, context, shown, browsedCalendar)
  const workingDay = useMemo(
    () => getWorkingDay(calendar, date, selectProviders(allProviders, provider)),
    [calendar, date, allProviders, provider],
  )
  const describeClosed = (day: string) => getWorkingDay(browsedCalendar, day, []).notes[0] ?? null
  const defaultProviderId = useDefaultProviderId(context, provider)
  const book = (time?: string, providerId: string = defaultProviderId) =>
    setDialog({ dialog: 'book', date: date < today && !time ? today : date, time, providerId })
  useNewParameter(search.new, () => book(search.time))
  /** Changes filters. Without a provider, a user who is one asks for everyone. */
  const changeFilters: ChangeFilters = (change) => {
    const asksForEveryone = 'provider' in change && change.provider === undefined
    navigation.change(asksForEveryone ? { ...change, provider: ownId && 'all' } : change)
  }
  useAppointmentParameter(
    search.appointment,
    ({ providerId }) => !provider || providerId === provider,
    (appointment) => setDialog({ dialog: 'details', appointment }),
  )
  useScheduleShortcuts({ ...navigation, today, onBook: () => book() })

  return (
    <Page
      title={title}
      hasPrintedTitle
      subtitle={[describeProviders(context, provider), context.practiceName].filter(Boolean).join(', ')}
      action={<HeaderAction label="Schedule Appointment" icon={<AddRegular />} onClick={() => book()} />}
    >
      <div className={styles.page}>
        <div className={mergeClasses(styles.side, (list.isPending || isCalendarPending) && styles.sideWaiting)}>
          {hasSide && (
            <div className={styles.card}>
              <MonthPicker
                month={month}
                selected={date}
                today={today}
                getLoad={getLoad}
                describeClosed={describeClosed}
                onMonth={(next) => setBrowsed({ month: next, date })}
                onPick={goToDate}
              />
            </div>
          )}
          {isPainted && (
            <SidePanels
              context={context}
              navigation={navigation}
              shown={shown}
              workingDay={workingDay}
              onOpen={setDialog}
              onBook={book}
            />
          )}
        </div>
        <div>
          {!hasSide && (
            <div className={styles.week}>
              <WeekStrip selected={date} getLoad={getLoad} describeClosed={describeClosed} onPick={goToDate} />
            </div>
          )}
          <section className={styles.card} aria-labelledby={dayHeadingId}>
            <ScheduleBar
              context={context}
              navigation={navigation}
              shown={shown}
              onFilter={changeFilters}
              onOpen={setDialog}
            />
            {view !== 'week' && <DayNotes notes={workingDay.notes} />}
            <AppointmentView
              context={context}
              list={list}
              isCalendarPending={isCalendarPending}
              calendar={calendar}
              workingDay={workingDay}
              date={date}
              view={view}
              appointments={filtered}
              providerAppointments={shown.providerAppointments}
              provider={provider}
              onDay={(day) => navigation.change({ date: day, view: 'day' })}
              onBook={book}
              onOpen={setDialog}
              onClear={() => changeFilters({ provider: undefined, type: undefined, status: undefined })}
            />
          </section>
        </div>
      </div>
      {isPainted &&
        (view === 'week' ? getWeekDays(date) : [date]).map((day) => (
          <DayPrint
            key={day}
            context={context}
            date={day}
            appointments={filtered.filter(({ localDate }) => localDate === day)}
          />
        ))}
      {dialog && (
        <ScheduleDialogs
          context={context}
          dialog={dialog}
          appointments={list.data ?? []}
          onOpen={setDialog}
          onDate={goToDate}
        />
      )}
    </Page>
  )
}

function describeProviders({ allProviders, activeProviders }: SchedulingContext, filtered: string | undefined) {
  if (filtered) return allProviders.find(({ id }) => id === filtered)?.name
  return activeProviders.length === 1 ? activeProviders[0]?.name : `${activeProviders.length} providers`
}

type ChangeFilters = (change: { [Key in keyof AppliedFilters]?: AppliedFilters[Key] | undefined }) => void

type SchedulePartProps = {
  context: SchedulingContext
  navigation: ScheduleSearch
  shown: ScheduleAppointments
  onOpen: (dialog: ScheduleDialog) => void
}

/** Says why there is no work on the day, or less. */
function DayNotes({ notes }: { notes: readonly string[] }) {
  const styles = useStyles()
  return notes.map((note) => (
    <Text key={note} as="p" block className={styles.note}>
      <CalendarCancelRegular aria-hidden className={styles.noteIcon} />
      {note}
    </Text>
  ))
}

function ScheduleBar({
  context,
  navigation,
  shown: { list, filtered, filters },
  onFilter,
  onOpen,
}: SchedulePartProps & { onFilter: ChangeFilters }) {
  const booked = filtered.filter(blocksTime).length
  const cancelled = filtered.length - booked
  return (
    <DayBar
      date={navigation.date}
      today={context.today}
      view={navigation.view}
      summary={list.data ? (filtered.length === 0 ? 'nothing booked' : `${booked} booked`) : ''}
      more={cancelled > 0 ? `${cancelled} cancelled` : undefined}
      onStep={navigation.step}
      onDate={navigation.goToDate}
      onView={(view) => navigation.change({ view })}
      filter={
        <FilterMenu
          context={context}
          filters={filters}
          onChange={onFilter}
          onAddProvider={() => onOpen({ dialog: 'provider' })}
        />
      }
    />
  )
}
