import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toHour } from '#database/uptime-log.ts'
import { computeUptime, uptimePeriodMs } from '#modules/integrations/uptime.ts'

const minuteMs = 60_000
const start = new Date('2026-10-01T08:17:00.000Z')
const at = (minutes: number, seconds = 0) => new Date(start.getTime() + minutes * minuteMs + seconds * 1_000)

/** Returns the hours in which the application worked in the given minutes, counted from `start`. */
function hoursOf(minutes: readonly number[]) {
  const bits = new Map<number, bigint>()
  for (const minute of minutes) {
    const hour = toHour(at(minute)).getTime()
    bits.set(hour, (bits.get(hour) ?? 0n) | (1n << BigInt((at(minute).getTime() - hour) / minuteMs)))
  }
  return [...bits].map(([hour, each]) => ({ hour: new Date(hour), minutes: each }))
}
const compute = (minutes: readonly number[], now: Date) => computeUptime(hoursOf(minutes), at(minutes[0] ?? 0), now)

it('is unknown before the first whole minute', () => {
  expect(computeUptime([], null, at(10))).toBeNull()
  expect(compute([0], at(0, 59))).toBeNull()
  expect(compute([0], at(1))).toMatchObject({ since: at(0).toISOString(), percent: 100, isWholePeriod: false })
})

it('counts whole minutes since the first record, and the current one not yet', () => {
  expect(compute([0, 1, 3], at(4, 30))).toEqual({
    since: at(0).toISOString(),
    isWholePeriod: false,
    percent: 75,
    downMinutes: 1,
    outages: [{ from: at(2).toISOString(), minutes: 1 }],
  })
})

it('counts the time of a stop as one outage, newest first, also while it lasts', () => {
  expect(compute([0, 1, 2, 3, 500, 501], at(510))).toMatchObject({
    downMinutes: 504,
    outages: [
      { from: at(502).toISOString(), minutes: 8 },
      { from: at(4).toISOString(), minutes: 496 },
    ],
  })
})

it('covers the last 30 days, and forgets what was before', () => {
  const days = uptimePeriodMs / minuteMs
  const all = Array.from({ length: days + 2 }, (_, minute) => minute)
  const kept = all.filter((minute) => minute !== 5 && minute !== days)
  expect(compute(kept, at(days))).toMatchObject({ isWholePeriod: true, downMinutes: 1, percent: 99.99 })
  expect(compute(kept, at(days + 2))).toMatchObject({
    since: at(2).toISOString(),
    downMinutes: 2,
    outages: [{ from: at(days).toISOString() }, { from: at(5).toISOString() }],
  })
  expect(compute(all, at(days + 1))).toMatchObject({ percent: 100, outages: [] })
  // Stopped for longer than that.
  expect(compute([0], at(3 * days))).toMatchObject({ percent: 0, downMinutes: days, isWholePeriod: true })
})

it('equals the share of recorded minutes, and lists every other one in its outages', () => {
  const minutes = fc.uniqueArray(fc.nat(400), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(minutes, fc.integer({ min: 1, max: 500 }), (recorded, length) => {
      const known = [0, ...recorded.filter((minute) => minute > 0)].toSorted((one, other) => one - other)
      const up = known.filter((minute) => minute < length).length
      const uptime = compute(known, at(length))
      expect(uptime).toMatchObject({
        downMinutes: length - up,
        percent: Math.floor((up * 10_000) / length) / 100,
      })
      expect(uptime?.percent === 100).toBe(up === length)
      const outages = uptime?.outages ?? []
      const listed = outages.reduce((sum, each) => sum + each.minutes, 0)
      if (outages.length < 20) expect(listed).toBe(length - up)
      for (const { from } of outages) {
        const minute = (Date.parse(from) - start.getTime()) / minuteMs
        expect([known.includes(minute), known.includes(minute - 1)]).toEqual([false, true])
      }
    }),
  )
})
