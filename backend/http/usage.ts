/** An amount of writing: events, and bytes of request bodies. */
export type Amount = { rows: number; bytes: number }

export const periodsMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 }
export type Period = keyof typeof periodsMs
export const periods = Object.keys(periodsMs) as readonly Period[]

/** The most that may be written in each period. */
export type PeriodLimits = Record<Period, Amount>

type Window = Amount & { beganAt: number }
/** The amounts of the current minute, hour and day. */
export type Usage = Readonly<Record<Period, Window>>

/** Milliseconds by which the clocks of two instances may differ. */
export const clockSkewMs = 60_000

/** Returns whether a period is not over. A clock that was set back must not prolong it. */
export const isCurrent = ({ beganAt }: Window, period: Period, now: number): boolean =>
  beganAt <= now + clockSkewMs && now - beganAt < periodsMs[period]

/** Returns the usage after something more was written. Periods begin with the first write after the previous one. */
export function addUsage(usage: Usage | undefined, { rows, bytes }: Amount, now: number): Usage {
  const add = (period: Period): Window => {
    const before = usage?.[period]
    if (!before || !isCurrent(before, period, now)) return { beganAt: now, rows, bytes }
    return { beganAt: before.beganAt, rows: before.rows + rows, bytes: before.bytes + bytes }
  }
  return { minute: add('minute'), hour: add('hour'), day: add('day') }
}

/** Returns the milliseconds until more may be written; 0 when it may be now. What reaches a limit still takes effect. */
export function findWait(usage: Usage | undefined, limits: PeriodLimits, now: number): number {
  const waits = periods.map((period) => {
    const window = usage?.[period]
    if (!window || !isCurrent(window, period, now)) return 0
    const isUsedUp = window.rows >= limits[period].rows || window.bytes >= limits[period].bytes
    return isUsedUp ? window.beganAt + periodsMs[period] - now : 0
  })
  return Math.max(...waits)
}
