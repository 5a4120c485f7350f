import type { Uptime } from '#contracts/system-status.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** The time over which the uptime is computed. */
export const uptimePeriodMs = 30 * 24 * hourMs
const maxOutages = 20
const wholeHour = (1n << 60n) - 1n

/** An hour (its first instant), and its minutes as bits: 1 where the application worked. */
type Hour = { hour: Date; minutes: bigint }

/**
 * Computes the uptime of the last 30 days from whole minutes, or since the first record if that is later. A minute without a
 * record is down: the application was stopped, or did not work. The current minute is not over, and does not count. Returns
 * null before the first whole minute.
 */
export function computeUptime(hours: readonly Hour[], since: Date | null, now: Date): Uptime | null {
  if (!since) return null
  const bits = new Map(hours.map(({ hour, minutes }) => [hour.getTime(), minutes]))
  const end = Math.floor(now.getTime() / minuteMs) * minuteMs
  const start = Math.max(since.getTime(), end - uptimePeriodMs)
  const total = (end - start) / minuteMs
  if (total <= 0) return null
  const outages: { from: number; to: number }[] = []
  let down = 0
  for (let minute = start; minute < end; minute += minuteMs) {
    const hour = Math.floor(minute / hourMs) * hourMs
    const minutes = bits.get(hour) ?? 0n
    if (minutes === wholeHour) {
      // Nearly all hours: their minutes need no look.
      minute = hour + hourMs - minuteMs
      continue
    }
    if (((minutes >> BigInt((minute - hour) / minuteMs)) & 1n) === 1n) continue
    down++
    const last = outages.at(-1)
    if (last?.to === minute) last.to = minute + minuteMs
    else outages.push({ from: minute, to: minute + minuteMs })
  }
  return {
    since: new Date(start).toISOString(),
    isWholePeriod: start === end - uptimePeriodMs,
    // Rounded down: 100 only if there was no outage.
    percent: Math.floor(((total - down) * 10_000) / total) / 100,
    downMinutes: down,
    outages: outages
      .toReversed()
      .slice(0, maxOutages)
      .map(({ from, to }) => ({ from: new Date(from).toISOString(), minutes: (to - from) / minuteMs })),
  }
}
