import { type CrashRun, runCrashes } from '#tests/crash/crash-run.ts'
import { type KillableEventStore, startRealEventStore } from '#tests/crash/event-store.ts'
import { createReport } from '#tests/crash/report.ts'
import { type Flags, parseCount, type StressTest, UsageError, type Verdict } from './stress.ts'

/** Kills per data folder, before the next one starts empty. */
const killsPerRun = 100
/** The promised recovery time after a kill. */
const maxRecoveryMs = 5_000
/** Ends a run that does not recover. */
const recoveryTimeoutMs = 60_000

/** Kills at random moments under load, many more than the tests have time for. */
export const killStress: StressTest = {
  help: `Kills the application and its database at random moments under load: every acknowledged event must be stored once, read
models must equal a fresh fold, and everything must be ready again within 5 seconds.

  --kills N          number of kills
  --seed N           repeats the plan of an earlier run
  --event-store CMD  with the events in the EventStoreDB that CMD starts at EVENTSTORE_URL, in the foreground and with its data
                     in the folder it is started in; it is killed, too`,
  flags: { kills: { type: 'string' }, seed: { type: 'string' }, 'event-store': { type: 'string' } },
  isSelectedBy: ({ kills, seed }) => kills !== undefined || seed !== undefined,
  async run({ flags, reportProgress, signal }) {
    const kills = parseCount(flags, 'kills', killsPerRun)
    const seed = parseCount(flags, 'seed', (Date.now() % 999_999) + 1)
    const openEventStore = parseEventStore(flags)
    reportProgress(`${kills} kills, --seed ${seed}`)
    const runs: CrashRun[] = []
    let done = 0
    for (let left = kills; left > 0 && !signal.aborted; left -= killsPerRun) {
      const onKill: Parameters<typeof runCrashes>[0]['onKill'] = ({ mode, situation, recoveryMs }) => {
        done++
        const outcome = recoveryMs === null ? 'killed again while starting' : `ready again after ${recoveryMs} ms`
        reportProgress(`${done} of ${kills}: ${mode}, ${situation}: ${outcome}`)
      }
      // oxlint-disable-next-line no-await-in-loop -- one run after the other
      const eventStore = await openEventStore?.()
      const run = await runCrashes({
        seed: seed + runs.length,
        kills: Math.min(left, killsPerRun),
        recoveryTimeoutMs,
        onKill,
        signal,
        ...(eventStore ? { eventStore } : {}),
      })
      runs.push(run)
      // oxlint-disable-next-line no-await-in-loop
      await eventStore?.stop()
      if (run.problems.length > 0) break
    }
    return toVerdict(runs, seed)
  },
}

/** Returns what starts the event store of the flags, if they name one. Throws UsageError. */
function parseEventStore(flags: Flags): (() => Promise<KillableEventStore>) | undefined {
  const command = flags['event-store']
  if (typeof command !== 'string') return undefined
  const url = process.env['EVENTSTORE_URL']?.trim()
  if (!url || url === 'postgres')
    throw new UsageError('--event-store needs EVENTSTORE_URL, the address of what it starts')
  return () => startRealEventStore(url, command)
}

/** Passes when no problem was found, recovery was in time, and at least one kill happened. */
function toVerdict(runs: readonly CrashRun[], seed: number): Verdict {
  const report = createReport(runs)
  const problems = runs.flatMap((run) => run.problems)
  if (report.slowest > maxRecoveryMs) problems.push(`one recovery took ${report.slowest} ms`)
  const broken = runs.find((run) => run.problems.length > 0)
  if (broken) problems.push(`The data folder is ${broken.folder}. ${inspectionHint(broken.folder)}`)
  return { ok: problems.length === 0 && report.kills > 0, line: `${report.line}; --seed ${seed}`, problems }
}

/** Returns the commands that inspect the data folder of a failed run. */
const inspectionHint = (folder: string) =>
  `Inspect it with DATA_DIR=${folder} npm run events -- search, DATA_DIR=${folder} npm run projections -- verify --all, or DATA_DIR=${folder} npm start`
