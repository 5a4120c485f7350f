import type { CrashRun } from './life.ts'

/** What came of some lives, as one line and as numbers. */
export type Report = { kills: number; slowest: number; line: string }

/** Sums lives up: kills, facts, and how long it took until all was ready again. */
export function createReport(lives: readonly CrashRun[]): Report {
  const killed = lives.flatMap(({ kills }) => kills)
  const times = killed.flatMap(({ recoveryMs: readyAgain }) => readyAgain ?? []).toSorted((one, other) => one - other)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  const sum = (what: 'done' | 'refused' | 'unknown' | 'eventCount') =>
    formatCount(lives.reduce((all, life) => all + life[what], 0))
  const problems = lives.flatMap((life) => life.problems).length
  const slowest = times.at(-1) ?? 0
  const line = [
    `${formatCount(killed.length)} kills, ${sum('done')} acknowledged requests, ${sum('refused')} refused, ${sum('unknown')} cut off`,
    problems === 0 ? `nothing lost, nothing twice in ${sum('eventCount')} events` : `${problems} problems`,
    `ready again after ${at(0.5)} ms (p50), ${at(0.95)} ms (p95), ${slowest} ms (longest)`,
  ].join('; ')
  return { kills: killed.length, slowest, line }
}

const formatCount = (count: number) => count.toLocaleString('en-US')
