import { expect, test } from 'vitest'
import { testSeed } from '#tests/support/seed.ts'
import { runCrashes } from './crash-run.ts'
import { startTestEventStore } from './event-store.ts'
import { createPlan } from './plan.ts'
import { createRandom } from './random.ts'
import { createReport } from './report.ts'

const seed = Number(process.env['CRASH_SEED'] ?? testSeed)
const killCount = 40
const recoveryTimeoutMs = 100_000

test('after kills of an event store that is elsewhere, every acknowledged event is stored once, and read models equal a fresh fold', async () => {
  const eventStore = await startTestEventStore()
  try {
    const run = await runCrashes({ seed, kills: killCount, recoveryTimeoutMs, eventStore })
    console.log(createReport([run]).line)
    expect(run.problems, `CRASH_SEED=${seed} repeats the run; its data is in ${run.folder}`).toEqual([])
    expect(run.kills.length).toBe(killCount)
    expect(run.done).toBeGreaterThan(4 * killCount)
  } finally {
    await eventStore.stop()
  }
}, 1_800_000)

test('forty of these kills cover both kinds of those of the event store', () => {
  const modes = createPlan(createRandom(7), 40, true)
    .flat()
    .map(({ mode }) => mode)
  expect(modes.filter((mode) => mode.startsWith('event store')).length).toBe(10)
  expect(new Set(modes).size).toBe(11)
})
