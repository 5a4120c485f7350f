import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { computeOfferTimes } from '#modules/confirmations/offers/times.ts'

const zones = ['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu', 'Pacific/Apia']
const minuteMs = 60_000

it('an offer leaves by day, ends an hour before the slot at the latest, and leaves half an hour to answer', () => {
  const moment = fc.date({ min: new Date('2026-01-01'), max: new Date('2031-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(moment, fc.integer({ min: -600, max: 10_000 }), fc.constantFrom(...zones), (now, minutes, zone) => {
      const startsAt = new Date(now.getTime() + minutes * minuteMs).toISOString()
      const times = computeOfferTimes({ startsAt, zone, now, hasQuietHours: true })
      if (!times) {
        // The night, half an hour to answer and the last hour are all that can be too long.
        expect(minutes).toBeLessThan(12 * 60 + 60 + 90)
        return
      }
      const { dueAt, expiresAt } = times
      expect(dueAt >= now.toISOString()).toBe(true)
      const { time } = toLocalDateTime(dueAt, zone)
      expect([time >= '08:00', time < '20:00']).toEqual([true, true])
      const open = (Date.parse(expiresAt) - Date.parse(dueAt)) / minuteMs
      expect(open).toBeGreaterThanOrEqual(30)
      expect(open).toBeLessThanOrEqual(120)
      expect(Date.parse(startsAt) - Date.parse(expiresAt)).toBeGreaterThanOrEqual(60 * minuteMs)
    }),
  )
})

it('an offer leaves at once where nights are not quiet', () => {
  const now = new Date('2026-11-19T04:00:00.000Z')
  expect(
    computeOfferTimes({ startsAt: '2026-11-20T14:00:00.000Z', zone: 'America/New_York', now, hasQuietHours: false }),
  ).toEqual({ dueAt: '2026-11-19T04:00:00.000Z', expiresAt: '2026-11-19T06:00:00.000Z' })
})
