import { AppointmentStatus, AppointmentType, CalendarDay } from '#contracts/values/appointments.ts'
import { ProviderId } from '#contracts/values/ids.ts'

/** The ways to look at appointments: a day as time, a day as a list, a week. */
export const views = ['day', 'list', 'week'] as const
export type View = (typeof views)[number]

/**
 * What the address says. What is left out: today, the day as time, everybody, every type, every status. `new` opens the form
 * for a new appointment.
 */
export type AppointmentsSearch = {
  date?: string
  view?: View
  provider?: ProviderId
  type?: AppointmentType
  status?: AppointmentStatus
  new?: true
}

/** Reads an address as anybody may have typed it; what makes no sense is left out. */
export function parseAppointmentsSearch(raw: Record<string, unknown>): AppointmentsSearch {
  const date = CalendarDay.safeParse(raw['date'])
  const view = views.find((each) => each === raw['view'])
  const provider = ProviderId.safeParse(raw['provider'])
  const type = AppointmentType.safeParse(raw['type'])
  const status = AppointmentStatus.safeParse(raw['status'])
  return {
    ...(date.success ? { date: date.data } : {}),
    ...(view && view !== 'day' ? { view } : {}),
    ...(provider.success ? { provider: provider.data } : {}),
    ...(type.success ? { type: type.data } : {}),
    ...(status.success ? { status: status.data } : {}),
    ...(raw['new'] === true || raw['new'] === 'true' ? { new: true as const } : {}),
  }
}

/** The same address with something changed; `undefined` takes it away, and what goes without saying is not said. */
export function updateSearch(
  search: AppointmentsSearch,
  change: { [Key in keyof AppointmentsSearch]?: AppointmentsSearch[Key] | undefined },
  today: string,
): AppointmentsSearch {
  const next = { ...search, ...change }
  if (next.date === today) delete next.date
  return parseAppointmentsSearch(next)
}

/** How many filters narrow down what is shown. */
export const countFilters = ({ provider, type, status }: AppointmentsSearch): number =>
  [provider, type, status].filter(Boolean).length

type Filtered = { providerId: string; type: AppointmentType; status: AppointmentStatus }

/** Whether an appointment is among those the address asks for. */
export const matchesFilters =
  ({ provider, type, status }: AppointmentsSearch) =>
  (appointment: Filtered): boolean =>
    (!provider || appointment.providerId === provider) &&
    (!type || appointment.type === type) &&
    (!status || appointment.status === status)
