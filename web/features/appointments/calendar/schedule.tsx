import { makeStyles, tokens } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { HeaderAction } from '#web/ui/header-action.tsx'
import { Page } from '#web/ui/page.tsx'
import { useShortcut, useShortcutHint } from '#web/ui/shortcuts.ts'
import { appointmentsQuery } from '../api.ts'
import { DayBar } from './day-bar.tsx'
import { DayPrint } from '../day/day-print.tsx'
import { addDays, addMonths, getWeekDays } from '../calendar-dates.ts'
import { type SchedulingContext, sortByTime } from '../scheduling-context.ts'
import { FilterMenu } from './filter-menu.tsx'
import { MonthPicker } from './month-picker.tsx'
import { type ScheduleDialog, ScheduleDialogs } from './schedule-dialogs.tsx'
import { SlotPanel } from './slot-panel.tsx'
import { computeLoad, blocksTime } from '../slots.ts'
import {
  type AppointmentsSearch,
  parseAppointmentsSearch,
  updateSearch,
  matchesFilters,
} from './appointments-search.ts'
import { AppointmentView } from './appointment-view.tsx'
import { WaitingRoom } from '../waiting-room/waiting-room.tsx'
import { WaitlistPanel } from '../waitlist/waitlist-panel.tsx'
import { WeekStrip } from './week-strip.tsx'

const medium = '@media (max-width: 1151px)'
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
  month: { [medium]: { display: 'none' } },
  week: { display: 'none', [medium]: { display: 'block', marginBottom: '12px' } },
  card: {
    backgroundColor: tokens.colorNeutralBackground1,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusXLarge,
    minWidth: 0,
    overflow: 'clip',
  },
})

/** One day or one week of the practice, with everything one can do about it. */
export function Schedule({ title, desk }: { title: string; desk: SchedulingContext }) {
  const styles = useStyles()
  const user = useCurrentUser()
  const navigate = useNavigate()
  // Read again: the router leaves in the address what the route did not understand.
  const search = useSearch({ from: '/shell/appointments', select: parseAppointmentsSearch })
  const { timeZone: zone, today } = desk
  const { date = today, view = 'day' } = search
  const [opened, open] = useState<ScheduleDialog>(null)
  // The month beside the day can be turned without leaving the day.
  const [turned, turn] = useState<{ month: string; of: string } | null>(null)
  const month = turned?.of === date ? turned.month : date

  const days = view === 'week' ? getWeekDays(date) : [date]
  const list = useQuery(appointmentsQuery({ from: days[0] ?? date, until: days.at(-1) ?? date, zone }))
  const inMonth = useQuery(
    appointmentsQuery({ from: `${month.slice(0, 7)}-01`, until: addDays(addMonths(month, 1), -1), zone }),
  )
  const known = desk.allProviders.some(({ id }) => id === search.provider)
  const filter = useMemo(() => (known ? search : { ...search, provider: undefined }), [known, search])
  const provider = known ? search.provider : undefined
  const ofProvider = useMemo(
    () =>
      sortByTime(list.data ?? [], desk.allProviders).filter(
        (appointment) => !provider || appointment.providerId === provider,
      ),
    [list.data, desk.allProviders, provider],
  )
  const wanted = useMemo(() => ofProvider.filter(matchesFilters(filter as AppointmentsSearch)), [ofProvider, filter])
  const seeing = provider ? 1 : Math.max(1, desk.activeProviders.length)
  const loads = useMemo(() => {
    const byDay = Map.groupBy(
      (inMonth.data ?? []).filter((appointment) => !provider || appointment.providerId === provider),
      ({ localDate }) => localDate,
    )
    return new Map([...byDay].map(([day, appointments]) => [day, computeLoad(appointments, seeing)]))
  }, [inMonth.data, provider, seeing])
  const load = (day: string) => loads.get(day) ?? 0

  const go = (change: Parameters<typeof updateSearch>[1]) =>
    void navigate({ to: '/appointments', search: updateSearch(search, change, today) })
  const goTo = (day: string) => go({ date: day })
  const step = (direction: 1 | -1) => goTo(addDays(date, direction * (view === 'week' ? 7 : 1)))
  const usual =
    provider ?? (desk.activeProviders.find(({ userId }) => userId === user?.id) ?? desk.activeProviders[0])?.id ?? ''
  const book = (time?: string, providerId: string = usual) =>
    open({ dialog: 'book', date: date < today && !time ? today : date, time, providerId })

  const { new: asked } = search
  useEffect(() => {
    if (!asked) return
    book()
    // Said once: whoever comes back to this address is not asked again.
    void navigate({ to: '/appointments', search: ({ new: _, ...rest }) => rest, replace: true })
    // Only when the address asks for it: the callbacks are new ones with every change on screen.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [asked])

  useShortcut('n', 'Schedule an appointment', () => book())
  useShortcut('t', 'Today', () => goTo(today))
  useShortcut('ArrowLeft', view === 'week' ? 'The week before' : 'The day before', () => step(-1))
  useShortcut('ArrowRight', view === 'week' ? 'The next week' : 'The next day', () => step(1))
  useShortcut('d', 'Show the day', () => go({ view: 'day' }))
  useShortcut('l', 'Show the day as a list', () => go({ view: 'list' }))
  useShortcut('w', 'Show the week', () => go({ view: 'week' }))
  useShortcutHint('ArrowUp ArrowDown', 'On an appointment: move it by a slot')
  useShortcutHint('Shift ArrowUp ArrowDown', 'On an appointment: make it shorter or longer')
  useShortcutHint('Alt ArrowLeft ArrowRight', 'On an appointment: give it to the provider beside')
  useShortcutHint('Enter', 'On an appointment: edit it')

  const shownToday = date === today && view !== 'week'
  const booked = wanted.filter(blocksTime).length
  const who = provider
    ? desk.allProviders.find(({ id }) => id === provider)?.name
    : desk.activeProviders.length === 1
      ? desk.activeProviders[0]?.name
      : `${desk.activeProviders.length} providers`
  return (
    <Page
      title={title}
      subtitle={[who, desk.practiceName].filter(Boolean).join(', ')}
      action={<HeaderAction label="Schedule Appointment" icon={<AddRegular />} onClick={() => book()} />}
    >
      <div className={styles.page}>
        <div className={styles.side}>
          <div className={`${styles.card} ${styles.month}`}>
            <MonthPicker
              month={month}
              selected={date}
              today={today}
              loadOf={load}
              onMonth={(next) => turn({ month: next, of: date })}
              onPick={goTo}
            />
          </div>
          {shownToday && (
            <WaitingRoom
              appointments={ofProvider}
              now={desk.now}
              onOpen={(appointment) => open({ dialog: 'details', appointment })}
            />
          )}
          {view !== 'week' && <SlotPanel appointments={ofProvider} providers={seeing} onPick={(slot) => book(slot)} />}
          <WaitlistPanel onAdd={() => open({ dialog: 'waitlist' })} />
        </div>
        <div>
          <div className={styles.week}>
            <WeekStrip selected={date} loadOf={load} onPick={goTo} />
          </div>
          <section className={styles.card} aria-labelledby="day">
            <DayBar
              date={date}
              today={today}
              view={view}
              sum={list.data ? (wanted.length === 0 ? 'nothing booked' : `${booked} booked`) : ''}
              more={wanted.length > booked ? `${wanted.length - booked} cancelled` : undefined}
              onStep={step}
              onDate={goTo}
              onView={(next) => go({ view: next })}
              filter={
                <FilterMenu
                  desk={desk}
                  search={filter as AppointmentsSearch}
                  onChange={go}
                  onAddProvider={() => open({ dialog: 'provider' })}
                />
              }
            />
            <AppointmentView
              desk={desk}
              list={list}
              date={date}
              view={view}
              appointments={wanted}
              ofProvider={ofProvider}
              provider={provider}
              onDay={(day) => go({ date: day, view: 'day' })}
              onBook={book}
              onOpen={open}
              onClear={() => go({ provider: undefined, type: undefined, status: undefined })}
            />
          </section>
        </div>
      </div>
      {view !== 'week' && <DayPrint desk={desk} date={date} appointments={wanted} />}
      <ScheduleDialogs desk={desk} opened={opened} appointments={list.data ?? []} onOpen={open} onBooked={goTo} />
    </Page>
  )
}
