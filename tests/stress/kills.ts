import { type CrashRun, runCrashes } from '#tests/crash/life.ts'
import { createReport } from '#tests/crash/report.ts'
import { parseCount, type StressTest, type Verdict } from './stress.ts'

/** Kills in one data folder, before the next one begins with nothing. */
const killsPerRun = 100
/** Within so many milliseconds all is ready again after a kill. */
const maxRecoveryMs = 5_000
/** After so many it is given up. */
const recoveryTimeoutMs = 60_000

/** Kills at random moments under load, many more of them than the tests have time for. */
export const killStress: StressTest = {
  help: `Application and database are killed at random moments while people work: every acknowledged fact must be there once, read
models must equal their refold, and all must be ready again within 5 seconds.

  --kills N          so many kills
  --seed N           the plan of an earlier run again`,
  flags: { kills: { type: 'string' }, seed: { type: 'string' } },
  isSelectedBy: ({ kills, seed }) => kills !== undefined || seed !== undefined,
  async run({ flags, reportProgress: say, signal }) {
    const kills = parseCount(flags, 'kills', killsPerRun)
    const seed = parseCount(flags, 'seed', (Date.now() % 999_999) + 1)
    say(`${kills} kills, --seed ${seed}`)
    const lives: CrashRun[] = []
    let done = 0
    for (let left = kills; left > 0 && !signal.aborted; left -= killsPerRun) {
      const onKill: Parameters<typeof runCrashes>[0]['onKill'] = ({
        mode: how,
        situation: when,
        recoveryMs: readyAgain,
      }) => {
        done++
        const then = readyAgain === null ? 'killed again while starting' : `ready again after ${readyAgain} ms`
        say(`${done} of ${kills}: ${how}, ${when}: ${then}`)
      }
      const life = await runCrashes({
        seed: seed + lives.length,
        kills: Math.min(left, killsPerRun),
        recoveryTimeoutMs: recoveryTimeoutMs,
        onKill,
        signal,
      })
      lives.push(life)
      if (life.problems.length > 0) break
    }
    return toVerdict(lives, seed)
  },
}

/** Every promise was kept, and something was killed at all. */
function toVerdict(lives: readonly CrashRun[], seed: number): Verdict {
  const report = createReport(lives)
  const problems = lives.flatMap((life) => life.problems)
  if (report.slowest > maxRecoveryMs)
    problems.push(`after one kill it took ${report.slowest} ms until all was ready again`)
  const broken = lives.find((life) => life.problems.length > 0)
  if (broken) problems.push(`All of it is in ${broken.folder}. ${inspectionHint(broken.folder)}`)
  return { ok: problems.length === 0 && report.kills > 0, line: `${report.line}; --seed ${seed}`, problems }
}

/** What to type to see what a broken life has left. */
const inspectionHint = (folder: string) =>
  `Look at it with DATA_DIR=${folder} npm run events -- search, DATA_DIR=${folder} npm run projections -- verify --all, or DATA_DIR=${folder} npm start`
