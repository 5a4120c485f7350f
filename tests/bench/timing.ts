/** The distribution of call durations in milliseconds, and the calls per second. */
export type Timing = {
  name: string
  clients: number
  calls: number
  perSecond: number
  p50: number
  p95: number
  p99: number
}

const percentile = (sorted: readonly number[], share: number) =>
  Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100

/** Runs `call` from concurrent clients for `seconds` after a short warm-up, and measures every call. */
export async function measure(
  name: string,
  clients: number,
  seconds: number,
  call: (client: number, turn: number) => Promise<unknown>,
): Promise<Timing> {
  await runFor(call, clients, Math.min(0.5, seconds / 4))
  const { durations, seconds: elapsed } = await runFor(call, clients, seconds)
  return summarizeTimings(name, clients, durations, elapsed)
}

/** One of several calls that are measured interleaved. */
export type Candidate = { name: string; call: (client: number, turn: number) => Promise<unknown> }

const roundCount = 10

/**
 * Measures several calls in ten interleaved rounds, so that other load on the machine affects all alike. `ratio` is the
 * speed relative to the first one, as the median over the rounds.
 */
export async function measureInterleaved(
  candidates: readonly Candidate[],
  clients: number,
  seconds: number,
): Promise<(Timing & { ratio: number })[]> {
  const durations = candidates.map((): number[] => [])
  const elapsed = candidates.map(() => 0)
  const ratios = candidates.map((): number[] => [])
  for (let round = 0; round <= roundCount; round++) {
    let first = 0
    for (const [index, { call }] of candidates.entries()) {
      const slice = await runFor(call, clients, seconds / roundCount)
      // The first round is a warm-up.
      if (round === 0) continue
      for (const duration of slice.durations) durations[index]?.push(duration)
      elapsed[index] = (elapsed[index] ?? 0) + slice.seconds
      const perSecond = slice.durations.length / slice.seconds
      if (index === 0) first = perSecond
      ratios[index]?.push(perSecond / first)
    }
  }
  return candidates.map(({ name }, index) => ({
    ...summarizeTimings(name, clients, durations[index] ?? [], elapsed[index] ?? 0),
    ratio: percentile(
      (ratios[index] ?? []).toSorted((a, b) => a - b),
      0.5,
    ),
  }))
}

/** Calls from concurrent clients until the time is over. */
async function runFor(call: Candidate['call'], clients: number, seconds: number) {
  const durations: number[] = []
  let turn = 0
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1_000
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      while (performance.now() < endsAt) {
        const start = performance.now()
        await call(client, turn++)
        durations.push(performance.now() - start)
      }
    }),
  )
  return { durations, seconds: (performance.now() - startedAt) / 1_000 }
}

/** Returns the distribution of the durations measured over `seconds`. */
export function summarizeTimings(name: string, clients: number, durations: readonly number[], seconds: number): Timing {
  const sorted = durations.toSorted((a, b) => a - b)
  return {
    name,
    clients,
    calls: durations.length,
    perSecond: Math.round(durations.length / seconds),
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
  }
}

/** Formats rows as a text table. */
export function formatTable(rows: readonly Record<string, string | number>[]): string {
  const [first] = rows
  if (!first) return ''
  const names = Object.keys(first)
  const cells = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))]
  const widths = names.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)))
  return cells
    .map((line) =>
      line
        .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
        .join('  '),
    )
    .join('\n')
}
