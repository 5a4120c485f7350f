import { Pool } from 'pg'
import { loadContracts } from '#http/api-docs/contracts.ts'
import { createTemporaryDataDir, readDatabaseUrl, startEverchart } from '#tests/support/everchart-process.ts'
import { inspectorSettings, measureMemory, type Memory } from './fuzz/memory.ts'
import { type FuzzReport, runFuzz } from './fuzz/run-fuzz.ts'
import { parseCount, type StressTest, type Verdict } from './stress.ts'

/** A response that takes longer is a hang, also on a busy machine. */
const maxResponseMs = 60_000
/** Memory in use after this part of the run is compared with that at the end: caches are then full. */
const warmUp = 0.3
/** The number of requests of which every endpoint must have accepted one. */
const enoughForAll = 20_000
/** The growth in MiB from then on that is not a leak. */
const maxGrowth = 32
const measurements = 10

/** Sends random requests to an application of its own. */
export const fuzzStress: StressTest = {
  help: `Sends random requests, valid and mutated, to every endpoint as every kind of caller: no response may be a server error, a
hang or a row of another practice, and the memory in use must stop growing.

  --fuzz N           number of requests
  --seed N           repeats the requests of an earlier run`,
  flags: { fuzz: { type: 'string' }, seed: { type: 'string' } },
  isSelectedBy: ({ fuzz }) => fuzz !== undefined,
  async run({ flags, reportProgress, signal }) {
    const requests = parseCount(flags, 'fuzz', 100_000)
    const seed = parseCount(flags, 'seed', (Date.now() % 999_999) + 1)
    reportProgress(`${requests.toLocaleString('en-US')} requests, --seed ${seed}`)
    const { endpoints } = await loadContracts()
    const data = await createTemporaryDataDir()
    // As a trusted proxy, the fuzzer gives each practice an address of its own, so that the limits per network last.
    const instance = startEverchart(data.folder, { ...inspectorSettings, LOG_LEVEL: 'error', TRUST_PROXY: '1' })
    const memory: Memory[] = []
    try {
      const url = await instance.ready
      const pool = new Pool({ connectionString: await readDatabaseUrl(data.folder), max: 2 })
      // After a failure, the database stops before the pool ends.
      pool.on('error', () => undefined)
      const interval = Math.max(100, Math.round(requests / measurements / 100) * 100)
      const onBatch = async (done: number) => {
        if (done % interval !== 0) return
        const measured = await measureMemory(instance)
        memory.push(measured)
        reportProgress(
          `${done.toLocaleString('en-US')} requests, ${measured.live} MiB in use, ${measured.rss} MiB resident`,
        )
      }
      const values = endpoints.map(({ value }) => value)
      const report = await runFuzz({ url, pool, endpoints: values, requests, seed, maxResponseMs, onBatch, signal })
      await pool.end()
      return toVerdict(report, memory, seed, instance.output())
    } finally {
      instance.kill('SIGTERM')
      await instance.ended
      await data.remove()
    }
  },
}

/** Passes when there was no problem and the memory in use stayed level after the start of the run. */
function toVerdict(report: FuzzReport, memory: readonly Memory[], seed: number, log: string): Verdict {
  const problems = report.problems.slice(0, 50)
  if (problems.length > 0) problems.push(`The log of the application:\n${log.slice(-20_000)}`)
  if (report.requests >= enoughForAll && report.neverAccepted.length > 0)
    problems.push(`endpoints that accepted no request: ${report.neverAccepted.join(', ')}`)
  const warm = memory[Math.floor(memory.length * warmUp)]?.live ?? 0
  const last = memory.at(-1)?.live ?? 0
  if (last - warm > maxGrowth) problems.push(`memory in use grew from ${warm} to ${last} MiB`)
  const counts = [...report.counts].toSorted(([one], [another]) => one.localeCompare(another))
  const line = [
    `${report.requests.toLocaleString('en-US')} requests`,
    counts.map(([status, count]) => `${count.toLocaleString('en-US')} × ${status}`).join(', '),
    `${report.problems.length} problems`,
    `slowest ${report.slowestMs} ms`,
    `${warm} to ${last} MiB in use`,
    `--seed ${seed}`,
  ].join('; ')
  return { ok: problems.length === 0 && report.requests > 0, line, problems }
}
