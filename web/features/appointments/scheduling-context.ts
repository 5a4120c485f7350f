import type { Appointment } from '#contracts/appointments.ts'
import type { Provider } from '#contracts/providers.ts'

/** The practice, its providers and the current time, as every part of the screen needs them. */
export type SchedulingContext = {
  practiceName: string
  /** Time zone of the practice; all dates and times on screen are local to it. */
  timeZone: string
  /** Current local date and time of the practice, HH:mm. */
  today: string
  time: string
  now: Date
  /** Providers who currently see patients. */
  activeProviders: readonly Provider[]
  /** Includes former providers, so that their appointments keep a name. */
  allProviders: readonly Provider[]
  canAddProvider: boolean
}

/** Returns the providers on screen: the chosen one, or all who see patients. */
export const selectProviders = (all: readonly Provider[], chosen: string | undefined): readonly Provider[] =>
  all.filter(({ id, active }) => (chosen ? id === chosen : active))

/** Returns the name of an appointment's provider. */
export const findProviderName = (
  { allProviders }: Pick<SchedulingContext, 'allProviders'>,
  providerId: string,
): string => allProviders.find(({ id }) => id === providerId)?.name ?? 'Provider'

/** Sorts appointments by time, and at the same time in the order of the providers' columns. */
export const sortByTime = (appointments: readonly Appointment[], providers: readonly Provider[]): Appointment[] => {
  const indices = new Map(providers.map(({ id }, index) => [id, index]))
  const getIndex = ({ providerId }: Appointment) => indices.get(providerId) ?? providers.length
  return appointments.toSorted(
    (a, b) =>
      a.appointmentDate.localeCompare(b.appointmentDate) || getIndex(a) - getIndex(b) || a.id.localeCompare(b.id),
  )
}
