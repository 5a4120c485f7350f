import { expect, test } from 'vitest'
import { cases } from '#tests/support/long.ts'
import { testSeed } from '#tests/support/seed.ts'
import { runCrashes } from './crash-run.ts'
import { createPlan } from './plan.ts'
import { createRandom } from './random.ts'
import { createReport } from './report.ts'

/** Printed, so that the plan can be repeated. */
const seed = Number(process.env['CRASH_SEED'] ?? testSeed)
const killCount = cases(3, 100)
/** Far more than a recovery takes; `npm run stress -- --kills` limits it to five seconds. */
const recoveryTimeoutMs = 100_000

test('after many kills every acknowledged event is stored once, and read models equal a fresh fold', async () => {
  console.log(`CRASH_SEED=${seed}`)
  const run = await runCrashes({ seed, kills: killCount, recoveryTimeoutMs })
  console.log(createReport([run]).line)
  expect(run.problems, `CRASH_SEED=${seed} repeats the run; its data is in ${run.folder}`).toEqual([])
  expect(run.kills.length).toBe(killCount)
  expect(run.done).toBeGreaterThan(4 * killCount)
}, 1_800_000)

test('the same seed gives the same plan, and thirty kills cover every situation', () => {
  const rounds = createPlan(createRandom(7), 30)
  expect(createPlan(createRandom(7), 30)).toEqual(rounds)
  expect(createPlan(createRandom(8), 30)).not.toEqual(rounds)
  const kills = rounds.flat()
  expect(kills.length).toBe(30)
  expect(new Set(kills.map(({ situation }) => situation)).size).toBe(5)
  expect(new Set(kills.map(({ mode }) => mode)).size).toBe(9)
  for (const [first, ...others] of rounds) {
    expect(first.situation).not.toBe('starting')
    for (const { situation } of others) expect(situation).toBe('starting')
  }
})

test.each([1, 2, 31, 100])('a plan has the requested number of kills: %d', (kills) => {
  for (let planSeed = 1; planSeed < 20; planSeed++)
    expect(createPlan(createRandom(planSeed), kills).flat().length).toBe(kills)
})
