import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '#runtime/embedded-postgres.ts'
import { type AppendsReport, writeUnderFire } from './under-fire.ts'
import { countOf, type Stress, type Verdict } from './stress.ts'

const everySoOften = 5_000
const aDay = 86_400

/** Sixteen writers and two readers at one record, on a PostgreSQL of its own that writes as durably as in production. */
export const appendStress: Stress = {
  help: `Writers append with pauses before their commits while readers follow: nothing may be missed, doubled or out of order.

  --appends N        so many appends (200,000)
  --writers N        by so many writers (16)
  --seconds N        end after so many seconds, however many were written`,
  flags: { appends: { type: 'string' }, writers: { type: 'string' }, seconds: { type: 'string' } },
  isMeant: () => true,
  async run({ flags, say, signal }) {
    const appends = countOf(flags, 'appends', 200_000)
    const writers = countOf(flags, 'writers', 16)
    const seconds = Math.min(countOf(flags, 'seconds', aDay), aDay)
    const folder = await mkdtemp(join(os.tmpdir(), 'everchart-stress-'))
    const database = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined })
    let shown = performance.now()
    const progress = (written: number) => {
      if (performance.now() - shown < everySoOften) return
      shown = performance.now()
      say(`${written.toLocaleString('en-US')} of ${appends.toLocaleString('en-US')} appends`)
    }
    try {
      const ending = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1_000)])
      return verdictOf(await writeUnderFire({ url: database.url, appends, writers, progress, signal: ending }), writers)
    } finally {
      await database.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** Nothing was missed, doubled or out of order, and something was written at all. */
export function verdictOf(report: AppendsReport, writers: number): Verdict {
  const { appends, events, undone, conflicts, problems, problemCount, seconds } = report
  const figures = [
    `${counted(appends)} appends (${counted(events)} events) by ${writers} writers in ${Math.round(seconds)} s`,
    `${counted(undone)} undone, ${counted(conflicts)} conflicts`,
    problemCount === 0 ? 'nothing missed, doubled or out of order' : `${counted(problemCount)} problems`,
  ]
  return { ok: problemCount === 0 && appends > 0, line: figures.join('; '), problems }
}

const counted = (count: number) => count.toLocaleString('en-US')
