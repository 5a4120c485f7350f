import { expect, test } from 'vitest'
import { live } from './life.ts'
import { planOf } from './plan.ts'
import { randomFrom } from './random.ts'
import { reportOf } from './report.ts'

/** Another plan every day and night, printed, so that the same one can be tried again. */
const seed = Number(process.env['CRASH_SEED'] ?? (Date.now() % 999_999) + 1)
/** Far more than it takes: how long it took is printed, and held to five seconds by `npm run stress -- --kills`. */
const patience = 60_000

test('after thirty kills every acknowledged fact is there once, and read models equal their refold', async () => {
  console.log(`CRASH_SEED=${seed}`)
  const life = await live({ seed, kills: 30, patience })
  console.log(reportOf([life]).line)
  expect(life.problems, `CRASH_SEED=${seed} tries the same again; all of it is kept in ${life.folder}`).toEqual([])
  expect(life.kills.length).toBe(30)
  expect(life.done).toBeGreaterThan(100)
}, 600_000)

test('the same seed makes the same plan, and thirty kills see every situation', () => {
  const rounds = planOf(randomFrom(7), 30)
  expect(planOf(randomFrom(7), 30)).toEqual(rounds)
  expect(planOf(randomFrom(8), 30)).not.toEqual(rounds)
  const kills = rounds.flat()
  expect(kills.length).toBe(30)
  expect(new Set(kills.map(({ when }) => when)).size).toBe(5)
  expect(new Set(kills.map(({ how }) => how)).size).toBe(9)
  for (const [first, ...others] of rounds) {
    expect(first.when).not.toBe('starting')
    for (const { when } of others) expect(when).toBe('starting')
  }
})

test.each([1, 2, 31, 100])('a plan has as many kills as were asked for: %d', (kills) => {
  for (let one = 1; one < 20; one++) expect(planOf(randomFrom(one), kills).flat().length).toBe(kills)
})
