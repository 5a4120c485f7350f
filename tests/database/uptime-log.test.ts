import { expect, it } from 'vitest'
import { startSampling } from '#database/uptime-log.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

it('samples one at a time, goes on after a slow one, and stops', async () => {
  const samples: PromiseWithResolvers<void>[] = []
  const record = () => {
    const sample = Promise.withResolvers<void>()
    samples.push(sample)
    return sample.promise
  }
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  const stop = startSampling({ record }, 1)
  await waitUntil(() => ticks > 20)
  expect(samples).toHaveLength(1)
  samples[0]?.resolve()
  await waitUntil(() => samples.length === 2)
  stop()
  samples[1]?.resolve()
  const before = ticks
  await waitUntil(() => ticks > before + 20)
  clearInterval(timer)
  expect(samples).toHaveLength(2)
})
