import { type Life, live } from '#tests/crash/life.ts'
import { reportOf } from '#tests/crash/report.ts'
import { countOf, type Stress, type Verdict } from './stress.ts'

/** Kills in one data folder, before the next one begins with nothing. */
const killsOfLife = 100
/** Within so many milliseconds all is ready again after a kill. */
const promised = 5_000
/** After so many it is given up. */
const patience = 60_000

/** Kills at random moments under load, many more of them than the tests have time for. */
export const killStress: Stress = {
  help: `Application and database are killed at random moments while people work: every acknowledged fact must be there once, read
models must equal their refold, and all must be ready again within 5 seconds.

  --kills N          so many kills
  --seed N           the plan of an earlier run again`,
  flags: { kills: { type: 'string' }, seed: { type: 'string' } },
  isMeant: ({ kills, seed }) => kills !== undefined || seed !== undefined,
  async run({ flags, say, signal }) {
    const kills = countOf(flags, 'kills', killsOfLife)
    const seed = countOf(flags, 'seed', (Date.now() % 999_999) + 1)
    say(`${kills} kills, --seed ${seed}`)
    const lives: Life[] = []
    let done = 0
    for (let left = kills; left > 0 && !signal.aborted; left -= killsOfLife) {
      const onKill: Parameters<typeof live>[0]['onKill'] = ({ how, when, readyAgain }) => {
        done++
        const then = readyAgain === null ? 'killed again while starting' : `ready again after ${readyAgain} ms`
        say(`${done} of ${kills}: ${how}, ${when}: ${then}`)
      }
      const life = await live({
        seed: seed + lives.length,
        kills: Math.min(left, killsOfLife),
        patience,
        onKill,
        signal,
      })
      lives.push(life)
      if (life.problems.length > 0) break
    }
    return verdictOf(lives, seed)
  },
}

/** Every promise was kept, and something was killed at all. */
function verdictOf(lives: readonly Life[], seed: number): Verdict {
  const report = reportOf(lives)
  const problems = lives.flatMap((life) => life.problems)
  if (report.slowest > promised) problems.push(`after one kill it took ${report.slowest} ms until all was ready again`)
  const broken = lives.find((life) => life.problems.length > 0)
  if (broken) problems.push(`All of it is in ${broken.folder}. ${howToLook(broken.folder)}`)
  return { ok: problems.length === 0 && report.kills > 0, line: `${report.line}; --seed ${seed}`, problems }
}

/** What to type to see what a broken life has left. */
const howToLook = (folder: string) =>
  `Look at it with DATA_DIR=${folder} npm run events -- search, DATA_DIR=${folder} npm run projections -- verify --all, or DATA_DIR=${folder} npm start`
