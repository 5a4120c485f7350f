import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#runtime/embedded-postgres.ts'
import { type AppendsReport, runConcurrentAppends } from './concurrent-appends.ts'
import { parseCount, type StressTest, type Verdict } from './stress.ts'

const progressIntervalMs = 5_000
const maxSeconds = 86_400

/** Sixteen writers and two readers at one record, on a PostgreSQL of its own that writes as durably as in production. */
export const appendStress: StressTest = {
  help: `Writers append with pauses before their commits while readers follow: nothing may be missed, doubled or out of order.

  --appends N        so many appends (200,000)
  --writers N        by so many writers (16)
  --seconds N        end after so many seconds, however many were written`,
  flags: { appends: { type: 'string' }, writers: { type: 'string' }, seconds: { type: 'string' } },
  isSelectedBy: () => true,
  async run({ flags, reportProgress: say, signal }) {
    const appends = parseCount(flags, 'appends', 200_000)
    const writers = parseCount(flags, 'writers', 16)
    const seconds = Math.min(parseCount(flags, 'seconds', maxSeconds), maxSeconds)
    const folder = await mkdtemp(join(os.tmpdir(), 'everchart-stress-'))
    const database = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined })
    let shown = performance.now()
    const progress = (written: number) => {
      if (performance.now() - shown < progressIntervalMs) return
      shown = performance.now()
      say(`${written.toLocaleString('en-US')} of ${appends.toLocaleString('en-US')} appends`)
    }
    try {
      const ending = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)])
      return toVerdict(
        await runConcurrentAppends({ url: database.url, appends, writers, onProgress: progress, signal: ending }),
        writers,
      )
    } finally {
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** Nothing was missed, doubled or out of order, and something was written at all. */
export function toVerdict(report: AppendsReport, writers: number): Verdict {
  const { appends, events, rolledBack: undone, conflicts, problems, problemCount, seconds } = report
  const figures = [
    `${formatCount(appends)} appends (${formatCount(events)} events) by ${writers} writers in ${Math.round(seconds)} s`,
    `${formatCount(undone)} undone, ${formatCount(conflicts)} conflicts`,
    problemCount === 0 ? 'nothing missed, doubled or out of order' : `${formatCount(problemCount)} problems`,
  ]
  return { ok: problemCount === 0 && appends > 0, line: figures.join('; '), problems }
}

const formatCount = (count: number) => count.toLocaleString('en-US')
