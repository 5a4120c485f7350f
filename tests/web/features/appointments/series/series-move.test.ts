import { describe, expect, it } from 'vitest'
import { AppointmentId } from '#contracts/values/ids.ts'
import { planSeriesMove } from '#web/features/appointments/series/series-move.ts'

const zone = 'America/New_York'
const on = (dates: readonly string[], localTime = '09:00') =>
  dates.map((localDate, index) => ({
    id: AppointmentId.parse(`018f3b1e-7b1a-4c3e-9a53-0d6f1f1f00${String(index).padStart(2, '0')}`),
    localDate,
    localTime,
  }))
const plan = (dates: readonly string[], to: string, anchor = 0) => {
  const [date = '', time = ''] = to.split(' ')
  const moves = planSeriesMove(on(dates), { localDate: dates[anchor] ?? '' }, { date, time }, zone)
  return moves.map((move) => [`${move.to.date} ${move.to.time}`, move.adjusted])
}

describe('the move of a series', () => {
  it('moves each by as many days, to the same time', () => {
    expect(plan(['2027-01-04', '2027-01-11', '2027-01-18'], '2027-01-12 14:00', 1)).toEqual([
      ['2027-01-05 14:00', null],
      ['2027-01-12 14:00', null],
      ['2027-01-19 14:00', null],
    ])
  })

  it('marks another day of the month in a series that lies on the last one', () => {
    const lastDays = ['2027-01-31', '2027-02-28', '2027-03-31']
    expect(plan(lastDays, '2027-01-30 09:00')).toEqual([
      ['2027-01-30 09:00', null],
      ['2027-02-27 09:00', 'other-day'],
      ['2027-03-30 09:00', null],
    ])
    expect(plan(lastDays, '2027-02-01 09:00').map(([, adjusted]) => adjusted)).toEqual([null, null, null])
  })

  it('marks a time that a clock change skips, with the one that is used', () => {
    expect(plan(['2027-03-06', '2027-03-13'], '2027-03-07 02:30')).toEqual([
      ['2027-03-07 02:30', null],
      ['2027-03-14 03:00', 'clock-change'],
    ])
  })
})
