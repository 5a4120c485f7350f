import { describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { filterByScope } from '#web/features/appointments/series/series-scope.ts'

describe('the scope of a series change', () => {
  const at = (id: string, day: number, status = 'scheduled') =>
    ({ id, appointmentDate: `2026-11-0${day}T09:00:00.000Z`, status }) as unknown as Appointment
  const series = [at('a', 1), at('b', 2, 'completed'), at('c', 3), at('d', 4, 'cancelled'), at('e', 5)]
  const now = new Date('2026-11-02T12:00:00Z')
  const ids = (scope: 'this' | 'following' | 'all', anchor = series[2] as Appointment) =>
    filterByScope(series, anchor, scope, now).map(({ id }) => id)

  it('contains the appointments to come, and always the anchor', () => {
    expect(ids('this')).toEqual(['c'])
    expect(ids('following')).toEqual(['c', 'e'])
    expect(ids('all', series[0])).toEqual(['a', 'c', 'e'])
  })
})
