import { toLocalDate } from '#contracts/values/calendar.ts'
import { findOccupiedSlots, isWorkingTime } from '#modules/appointments/public.ts'
import type { Services } from '#modules/module.ts'
import { findPracticeProviders } from '#modules/providers/public.ts'
import type { RecordScope } from '#modules/samples/public.ts'
import { findWorkCalendar } from '#modules/working-hours/public.ts'
import { findEntries, fits } from '#modules/waitlist/matching/public.ts'
import type { ReleasedSlot } from './queries.ts'

/**
 * Selects the released slots that can be offered: still free, in working time, of an active provider, and suitable for patients who were on the
 * waitlist at the release and still are. Returns the numbers of these patients by notification. `zone` (IANA) is that of the
 * practice.
 */
export async function findFreedSlots(
  db: Services['db'],
  scope: RecordScope,
  zone: string,
  released: readonly ReleasedSlot[],
): Promise<Map<string, number>> {
  if (released.length === 0) return new Map()
  const waiting = await findEntries(db, scope)
  const suitable = released.flatMap((slot) => {
    const freed = { ...slot, day: toLocalDate(slot.startsAt, zone) }
    const fitting = waiting.filter((entry) => entry.waitingSince <= slot.at && fits(entry, freed))
    const candidates = new Set(fitting.map(({ patientId }) => patientId)).size
    return candidates === 0 ? [] : [{ ...slot, candidates }]
  })
  if (suitable.length === 0) return new Map()
  const days = suitable.map(({ startsAt }) => toLocalDate(startsAt, zone)).toSorted()
  const [providers, occupied, calendar] = await Promise.all([
    findPracticeProviders(db, scope.practiceId),
    findOccupiedSlots(db, scope, suitable),
    findWorkCalendar(db, scope.practiceId, { from: days[0] ?? '', until: days.at(-1) ?? '' }),
  ])
  const active = new Set<string>(providers.flatMap(({ id, active: isActive }) => (isActive ? [id] : [])))
  const free = suitable.filter(
    (slot) => active.has(slot.providerId) && !occupied.has(slot.id) && isWorkingTime(calendar, zone, slot),
  )
  return new Map(free.map(({ id, candidates }) => [id, candidates]))
}
