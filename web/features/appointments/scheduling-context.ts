import type { Appointment } from '#contracts/appointments.ts'
import type { Provider } from '#contracts/providers.ts'

/** What every part of the screen has to know of the practice. */
export type SchedulingContext = {
  practiceName: string
  /** The practice's time zone; all dates and times on screen are its own. */
  timeZone: string
  /** Today on the practice's calendar, and what its clocks show, HH:mm. */
  today: string
  time: string
  now: Date
  /** Those who see patients now. */
  activeProviders: readonly Provider[]
  /** Also those who left: their appointments keep a name. */
  allProviders: readonly Provider[]
  canAddProvider: boolean
}

/** What a provider is called on an appointment. */
export const findProviderName = (
  { allProviders: everybody }: Pick<SchedulingContext, 'allProviders'>,
  providerId: string,
): string => everybody.find(({ id }) => id === providerId)?.name ?? 'Provider'

/** Appointments by their time; those at the same time as their providers stand side by side in the day. */
export const sortByTime = (appointments: readonly Appointment[], everybody: readonly Provider[]): Appointment[] => {
  const places = new Map(everybody.map(({ id }, place) => [id, place]))
  const placeOf = ({ providerId }: Appointment) => places.get(providerId) ?? everybody.length
  return appointments.toSorted(
    (a, b) => a.appointmentDate.localeCompare(b.appointmentDate) || placeOf(a) - placeOf(b) || a.id.localeCompare(b.id),
  )
}
