import { describe, expect, it } from 'vitest'
import {
  applyFilters,
  countFilters,
  matchesFilters,
  parseAppointmentsSearch,
  updateSearch,
} from '#web/features/appointments/calendar/appointments-search.ts'
import { ProviderId } from '#contracts/values/ids.ts'
import { chenId as chen, createAppointment, parkId as park } from '../fixture.ts'

const [chenId, parkId] = [chen, park].map((id) => ProviderId.parse(id)) as [ProviderId, ProviderId]

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
    expect(countFilters(applyFilters(search, undefined, []))).toBe(1)
  })

  it('filters by provider, type and status together', () => {
    const wanted = matchesFilters(
      applyFilters(parseAppointmentsSearch({ provider: chenId, type: 'emergency' }), undefined, [chenId, parkId]),
    )
    expect(wanted(createAppointment({ type: 'emergency' }))).toBe(true)
    expect(wanted(createAppointment({ type: 'emergency', providerId: parkId }))).toBe(false)
    expect(wanted(createAppointment())).toBe(false)
  })

  it('opens on the own schedule, unless everyone or another provider is asked for', () => {
    const apply = (raw: Record<string, unknown>, ownId: ProviderId | undefined) =>
      applyFilters(parseAppointmentsSearch(raw), ownId, [chenId, parkId]).provider
    expect(apply({}, chenId)).toBe(chenId)
    expect(apply({}, undefined)).toBeUndefined()
    expect(apply({ provider: 'all' }, chenId)).toBeUndefined()
    expect(apply({ provider: parkId }, chenId)).toBe(parkId)
    expect(apply({ provider: parkId }, undefined)).toBe(parkId)
    // A provider who does not exist, as in an old bookmark, filters nothing.
    expect(apply({ provider: '00000000-0000-4000-8000-000000000000' }, chenId)).toBeUndefined()
  })
})
