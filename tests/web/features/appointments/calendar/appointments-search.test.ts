import { describe, expect, it } from 'vitest'
import {
  countFilters,
  matchesFilters,
  parseAppointmentsSearch,
  updateSearch,
} from '#web/features/appointments/calendar/appointments-search.ts'
import { chenId, createAppointment, parkId } from '../fixture.ts'

describe('the search parameters', () => {
  it('drops what is invalid', () => {
    expect(parseAppointmentsSearch({ date: '2026-02-30', view: 'year', provider: 'x', type: 5, status: {} })).toEqual(
      {},
    )
    expect(parseAppointmentsSearch({ date: '2026-11-20', view: 'week', provider: chenId, type: 'emergency' })).toEqual({
      date: '2026-11-20',
      view: 'week',
      provider: chenId,
      type: 'emergency',
    })
    expect(parseAppointmentsSearch({ view: 'day', date: '1999-12-31', appointment: '12345678' })).toEqual({})
    expect(parseAppointmentsSearch({ appointment: chenId })).toEqual({ appointment: chenId })
  })

  it('omits defaults', () => {
    const search = parseAppointmentsSearch({ date: '2026-11-20', status: 'waiting', view: 'list' })
    expect(updateSearch(search, { date: '2026-11-21' }, '2026-11-21')).toEqual({ status: 'waiting', view: 'list' })
    expect(updateSearch(search, { status: undefined, view: 'day' }, '2026-11-21')).toEqual({ date: '2026-11-20' })
    expect(countFilters(search)).toBe(1)
  })

  it('filters by provider, type and status together', () => {
    const wanted = matchesFilters(parseAppointmentsSearch({ provider: chenId, type: 'emergency' }))
    expect(wanted(createAppointment({ type: 'emergency' }))).toBe(true)
    expect(wanted(createAppointment({ type: 'emergency', providerId: parkId }))).toBe(false)
    expect(wanted(createAppointment())).toBe(false)
  })
})
