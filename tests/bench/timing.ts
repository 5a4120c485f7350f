/** How long calls took, in milliseconds, and how many a second were done. */
export type Timing = {
  name: string
  clients: number
  calls: number
  perSecond: number
  p50: number
  p95: number
  p99: number
}

const at = (sorted: readonly number[], share: number) =>
  Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 100) / 100

/** Runs `call` from so many clients at once until `seconds` are over, after a short warm-up, and measures every call. */
export async function measure(
  name: string,
  clients: number,
  seconds: number,
  call: (client: number, turn: number) => Promise<unknown>,
): Promise<Timing> {
  const took: number[] = []
  let turn = 0
  const run = async (until: number, keep: boolean) => {
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        while (performance.now() < until) {
          const began = performance.now()
          await call(client, turn++)
          if (keep) took.push(performance.now() - began)
        }
      }),
    )
  }
  await run(performance.now() + Math.min(500, seconds * 250), false)
  const began = performance.now()
  await run(began + seconds * 1_000, true)
  return timingOf(name, clients, took, (performance.now() - began) / 1_000)
}

/** The distribution of what was measured over so many seconds. */
export function timingOf(name: string, clients: number, took: readonly number[], seconds: number): Timing {
  const sorted = took.toSorted((a, b) => a - b)
  return {
    name,
    clients,
    calls: took.length,
    perSecond: Math.round(took.length / seconds),
    p50: at(sorted, 0.5),
    p95: at(sorted, 0.95),
    p99: at(sorted, 0.99),
  }
}

/** A table for people. */
export function table(rows: readonly Record<string, string | number>[]): string {
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
