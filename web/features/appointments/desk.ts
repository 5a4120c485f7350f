import type { Appointment } from '#contracts/appointments.ts'
import type { Provider } from '#contracts/providers.ts'

/** What every part of the screen has to know of the practice. */
export type Desk = {
  practiceName: string
  /** The practice's time zone; all dates and times on screen are its own. */
  zone: string
  /** Today on the practice's calendar, and what its clocks show, HH:mm. */
  today: string
  time: string
  now: Date
  /** Those who see patients now. */
  providers: readonly Provider[]
  /** Also those who left: their visits keep a name. */
  everybody: readonly Provider[]
  mayAddProvider: boolean
}

/** What a provider is called on a visit. */
export const providerName = ({ everybody }: Pick<Desk, 'everybody'>, providerId: string): string =>
  everybody.find(({ id }) => id === providerId)?.name ?? 'Provider'

/** Visits by their time; those at the same time as their providers stand side by side in the day. */
export const inTurn = (visits: readonly Appointment[], everybody: readonly Provider[]): Appointment[] => {
  const places = new Map(everybody.map(({ id }, place) => [id, place]))
  const placeOf = ({ providerId }: Appointment) => places.get(providerId) ?? everybody.length
  return visits.toSorted(
    (a, b) => a.appointmentDate.localeCompare(b.appointmentDate) || placeOf(a) - placeOf(b) || a.id.localeCompare(b.id),
  )
}
