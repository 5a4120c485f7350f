import { type CrashReport, crashAgainAndAgain } from '#tests/crash/harness.ts'
import { temporaryDataDir } from '#tests/support/everchart-process.ts'
import { countOf, type Stress, type Verdict } from './stress.ts'

/** How soon Everchart has to be ready again, in milliseconds. */
const soon = 5_000

/** The application and its database, killed at random moments under load. */
export const killStress: Stress = {
  help: `Kills the application and its database at random moments under load: nothing that was answered may be lost or
doubled, read models equal their refold, and it is ready again within five seconds.

  --kills N          so many kills
  --seed N           the plan of an earlier run`,
  flags: { kills: { type: 'string' }, seed: { type: 'string' } },
  isMeant: ({ kills, seed }) => kills !== undefined || seed !== undefined,
  async run({ flags, say, signal }) {
    const kills = countOf(flags, 'kills', 30)
    const seed = countOf(flags, 'seed', 1 + Math.floor(Math.random() * 99_999_999))
    const data = await temporaryDataDir()
    say(`seed ${seed}`)
    const report = await crashAgainAndAgain({ dataDir: data.folder, kills, seed, signal, say })
    const verdict = verdictOf(report, seed)
    if (verdict.ok) await data.remove()
    else say(`What is left is in ${data.folder}: DATA_DIR=${data.folder} npm run events -- search`)
    return verdict
  },
}

function verdictOf({ kills, acknowledged, readyAfter, problems }: CrashReport, seed: number): Verdict {
  const times = readyAfter.toSorted((a, b) => a - b)
  const at = (share: number) => `${((times[Math.floor((times.length - 1) * share)] ?? 0) / 1_000).toFixed(1)} s`
  const late = times.filter((time) => time > soon).length
  const figures = [
    `${kills} kills, ${acknowledged.toLocaleString('en-US')} acknowledged facts (seed ${seed})`,
    `ready again p50 ${at(0.5)}, p95 ${at(0.95)}, longest ${at(1)}`,
    problems.length === 0 ? 'nothing lost or doubled' : `${problems.length} broken promises`,
  ]
  const tooLate = late === 0 ? [] : [`${late} times it was ready only after more than 5 s`]
  return {
    ok: kills > 0 && problems.length + late === 0,
    line: figures.join('; '),
    problems: [...problems, ...tooLate],
  }
}
