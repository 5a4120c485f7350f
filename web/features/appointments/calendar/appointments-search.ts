import { AppointmentStatus, AppointmentType, CalendarDay } from '#contracts/values/appointments.ts'
import { AppointmentId, ProviderId } from '#contracts/values/ids.ts'

/** Views of the appointments: a day as a timeline, a day as a list, a week. */
export const views = ['day', 'list', 'week'] as const
export type View = (typeof views)[number]

/**
 * Search parameters of the screen. Omitted means today, the timeline, the user's own schedule (everyone's for a user who is no
 * provider), all types and statuses. `new` opens the form for a new appointment, at `time` (HH:mm) if there is one;
 * `appointment` opens the details of one.
 */
export type AppointmentsSearch = {
  date?: string
  view?: View
  provider?: ProviderId | 'all'
  type?: AppointmentType
  status?: AppointmentStatus
  new?: true
  time?: string
  appointment?: AppointmentId
}

/** The filters that apply: without a provider, everyone's appointments are shown. */
export type AppliedFilters = Pick<AppointmentsSearch, 'type' | 'status'> & { provider?: ProviderId | undefined }

/** Parses search parameters and drops invalid ones. */
export function parseAppointmentsSearch(raw: Record<string, unknown>): AppointmentsSearch {
  const date = CalendarDay.safeParse(raw['date'])
  const view = views.find((option) => option === raw['view'])
  const provider = raw['provider'] === 'all' ? 'all' : ProviderId.safeParse(raw['provider']).data
  const type = AppointmentType.safeParse(raw['type'])
  const status = AppointmentStatus.safeParse(raw['status'])
  const time = /^(?:[01]\d|2[0-3]):[0-5]\d$/.exec(String(raw['time']))?.[0]
  const appointment = AppointmentId.safeParse(raw['appointment'])
  return {
    ...(date.success ? { date: date.data } : {}),
    ...(view && view !== 'day' ? { view } : {}),
    ...(provider ? { provider } : {}),
    ...(type.success ? { type: type.data } : {}),
    ...(status.success ? { status: status.data } : {}),
    ...(time ? { time } : {}),
    ...(appointment.success ? { appointment: appointment.data } : {}),
    ...(raw['new'] === true || raw['new'] === 'true' ? { new: true as const } : {}),
  }
}

/** Returns the search parameters with some changed; `undefined` removes one, and defaults are omitted. */
export function updateSearch(
  search: AppointmentsSearch,
  change: { [Key in keyof AppointmentsSearch]?: AppointmentsSearch[Key] | undefined },
  today: string,
): AppointmentsSearch {
  const next = { ...search, ...change }
  if (next.date === today) delete next.date
  return parseAppointmentsSearch(next)
}

/**
 * Returns the filters that apply. `ownId` is the provider that the user is, where there are others; a URL that names everyone or
 * another provider wins. A provider that does not exist, as in an old bookmark, filters nothing.
 */
export function applyFilters(
  { provider: asked, type, status }: AppointmentsSearch,
  ownId: ProviderId | undefined,
  providerIds: readonly ProviderId[],
): AppliedFilters {
  const provider = asked === undefined ? ownId : providerIds.find((id) => id === asked)
  return { ...(provider ? { provider } : {}), ...(type ? { type } : {}), ...(status ? { status } : {}) }
}

/** Returns the number of active filters. */
export const countFilters = ({ provider, type, status }: AppliedFilters): number =>
  [provider, type, status].filter(Boolean).length

type Filtered = { providerId: string; type: AppointmentType; status: AppointmentStatus }

/** Returns a predicate for the appointments that match all filters. */
export const matchesFilters =
  ({ provider, type, status }: AppliedFilters) =>
  (appointment: Filtered): boolean =>
    (!provider || appointment.providerId === provider) &&
    (!type || appointment.type === type) &&
    (!status || appointment.status === status)
