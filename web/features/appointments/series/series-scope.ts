import type { SeriesScope } from '#contracts/appointment-series.ts'
import type { Appointment } from '#contracts/appointments.ts'
import { isClosed } from '#web/entities/appointments/appointment-status.ts'

/** The appointments in a series that a change applies to. */
export type ChangeScope = 'this' | SeriesScope

export const scopeLabels: Record<ChangeScope, string> = {
  this: 'This appointment',
  following: 'This and following',
  all: 'All appointments',
}

/** Returns the appointments in the scope of a change: the anchor itself, and of the others only those to come. */
export function filterByScope(
  series: readonly Appointment[],
  anchor: Pick<Appointment, 'id' | 'appointmentDate'>,
  scope: ChangeScope,
  now: Date,
): Appointment[] {
  if (scope === 'this') return series.filter(({ id }) => id === anchor.id)
  const from = scope === 'following' ? anchor.appointmentDate : now.toISOString()
  return series.filter(
    ({ id, status, appointmentDate }) => !isClosed(status) && (id === anchor.id || appointmentDate >= from),
  )
}
