import type { SeriesScope } from '#contracts/appointment-series.ts'
import type { Appointment } from '#contracts/appointments.ts'

/** Which appointments of a row a change is for. */
export type ChangeScope = 'this' | SeriesScope

/** The three of them, in words. */
export const scopeLabels: Record<ChangeScope, string> = {
  this: 'This appointment',
  following: 'This and following',
  all: 'All appointments',
}

const over: readonly string[] = ['completed', 'cancelled', 'no-show']

/** The appointments of a row that a change of one of them is for: this one, and of the others those still to come. */
export function filterByScope(
  row: readonly Appointment[],
  anchor: Pick<Appointment, 'id' | 'appointmentDate'>,
  scope: ChangeScope,
  now: Date,
): Appointment[] {
  if (scope === 'this') return row.filter(({ id }) => id === anchor.id)
  const from = scope === 'following' ? anchor.appointmentDate : now.toISOString()
  return row.filter(
    ({ id, status, appointmentDate }) => !over.includes(status) && (id === anchor.id || appointmentDate >= from),
  )
}
