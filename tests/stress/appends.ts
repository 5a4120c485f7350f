import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#runtime/embedded-postgres.ts'
import { type AppendsReport, runConcurrentAppends } from './concurrent-appends.ts'
import { parseCount, type StressTest, type Verdict } from './stress.ts'

const progressIntervalMs = 5_000
const maxSeconds = 86_400

/** Runs sixteen writers and two readers on one event store, on its own PostgreSQL with the durability of production. */
export const appendStress: StressTest = {
  help: `Writers append, pausing before commits, while readers follow: no event may be missed, duplicated or out of order.

  --appends N        number of appends (200,000)
  --writers N        number of writers (16)
  --seconds N        stop after this many seconds, however many were written`,
  flags: { appends: { type: 'string' }, writers: { type: 'string' }, seconds: { type: 'string' } },
  isSelectedBy: () => true,
  async run({ flags, reportProgress, signal }) {
    const appends = parseCount(flags, 'appends', 200_000)
    const writers = parseCount(flags, 'writers', 16)
    const seconds = Math.min(parseCount(flags, 'seconds', maxSeconds), maxSeconds)
    const folder = await mkdtemp(join(os.tmpdir(), 'everchart-stress-'))
    const database = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined })
    let reportedAt = performance.now()
    const onProgress = (written: number) => {
      if (performance.now() - reportedAt < progressIntervalMs) return
      reportedAt = performance.now()
      reportProgress(`${written.toLocaleString('en-US')} of ${appends.toLocaleString('en-US')} appends`)
    }
    try {
      const ending = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)])
      return toVerdict(
        await runConcurrentAppends({ url: database.url, appends, writers, onProgress, signal: ending }),
        writers,
      )
    } finally {
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** Passes when no event was missed, duplicated or out of order, and at least one was written. */
export function toVerdict(report: AppendsReport, writers: number): Verdict {
  const { appends, events, rolledBack, conflicts, problems, problemCount, seconds } = report
  const figures = [
    `${formatCount(appends)} appends (${formatCount(events)} events) by ${writers} writers in ${Math.round(seconds)} s`,
    `${formatCount(rolledBack)} rolled back, ${formatCount(conflicts)} conflicts`,
    problemCount === 0 ? 'nothing missed, duplicated or out of order' : `${formatCount(problemCount)} problems`,
  ]
  return { ok: problemCount === 0 && appends > 0, line: figures.join('; '), problems }
}

const formatCount = (count: number) => count.toLocaleString('en-US')
