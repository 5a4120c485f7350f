import { afterEach, beforeEach, expect, test } from 'vitest'
import { temporaryDataDir } from '#tests/support/everchart-process.ts'
import { crashAgainAndAgain } from './harness.ts'

let data: Awaited<ReturnType<typeof temporaryDataDir>>
beforeEach(async () => (data = await temporaryDataDir()))
afterEach(() => data.remove())

test('thirty kills under load lose nothing, double nothing and leave every read model as its refold', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const report = await crashAgainAndAgain({ dataDir: data.folder, kills: 30, seed })
  expect({ seed, problems: report.problems }).toEqual({ seed, problems: [] })
  expect(report.kills).toBe(30)
  // Otherwise nothing was under way that could have been lost.
  expect(report.acknowledged).toBeGreaterThan(300)
}, 420_000)
