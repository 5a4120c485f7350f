import { expect, test } from 'vitest'
import { runCrashes } from './life.ts'
import { createPlan } from './plan.ts'
import { createRandom } from './random.ts'
import { createReport } from './report.ts'

/** Another plan every day and night, printed, so that the same one can be tried again. */
const seed = Number(process.env['CRASH_SEED'] ?? (Date.now() % 999_999) + 1)
/** Far more than it takes: how long it took is printed, and held to five seconds by `npm run stress -- --kills`. */
const recoveryTimeoutMs = 60_000

test('after thirty kills every acknowledged fact is there once, and read models equal their refold', async () => {
  console.log(`CRASH_SEED=${seed}`)
  const life = await runCrashes({ seed, kills: 30, recoveryTimeoutMs: recoveryTimeoutMs })
  console.log(createReport([life]).line)
  expect(life.problems, `CRASH_SEED=${seed} tries the same again; all of it is kept in ${life.folder}`).toEqual([])
  expect(life.kills.length).toBe(30)
  expect(life.done).toBeGreaterThan(100)
}, 600_000)

test('the same seed makes the same plan, and thirty kills see every situation', () => {
  const rounds = createPlan(createRandom(7), 30)
  expect(createPlan(createRandom(7), 30)).toEqual(rounds)
  expect(createPlan(createRandom(8), 30)).not.toEqual(rounds)
  const kills = rounds.flat()
  expect(kills.length).toBe(30)
  expect(new Set(kills.map(({ situation: when }) => when)).size).toBe(5)
  expect(new Set(kills.map(({ mode: how }) => how)).size).toBe(9)
  for (const [first, ...others] of rounds) {
    expect(first.situation).not.toBe('starting')
    for (const { situation: when } of others) expect(when).toBe('starting')
  }
})

test.each([1, 2, 31, 100])('a plan has as many kills as were asked for: %d', (kills) => {
  for (let one = 1; one < 20; one++) expect(createPlan(createRandom(one), kills).flat().length).toBe(kills)
})
