import type { CrashRun } from './crash-run.ts'

/** A summary of crash runs, as one line and as numbers. `slowest` is in milliseconds. */
export type Report = { kills: number; slowest: number; line: string }

/** Summarizes crash runs: kills, requests, events and recovery times. */
export function createReport(runs: readonly CrashRun[]): Report {
  const kills = runs.flatMap(({ kills }) => kills)
  const times = kills.flatMap(({ recoveryMs }) => recoveryMs ?? []).toSorted((one, other) => one - other)
  const percentile = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  const sum = (what: 'done' | 'refused' | 'unknown' | 'eventCount') =>
    formatCount(runs.reduce((all, run) => all + run[what], 0))
  const problems = runs.flatMap((run) => run.problems).length
  const slowest = times.at(-1) ?? 0
  const line = [
    `${formatCount(kills.length)} kills, ${sum('done')} acknowledged requests, ${sum('refused')} refused, ${sum('unknown')} cut off`,
    problems === 0 ? `nothing lost or duplicated in ${sum('eventCount')} events` : `${problems} problems`,
    `ready again after ${percentile(0.5)} ms (p50), ${percentile(0.95)} ms (p95), ${slowest} ms (longest)`,
  ].join('; ')
  return { kills: kills.length, slowest, line }
}

const formatCount = (count: number) => count.toLocaleString('en-US')
