import { expect, it } from 'vitest'
import { createWakeableSleep } from '#eventstore/wakeable-sleep.ts'

const hourMs = 3_600_000

it('ends after its time', async () => {
  await expect(createWakeableSleep().sleep(1)).resolves.toBeUndefined()
})

it('ends when it is woken, also by a wake-up that came before it', async () => {
  const { sleep, wakeUp } = createWakeableSleep()
  const running = sleep(hourMs)
  wakeUp()
  await running
  await expect(sleep(hourMs)).resolves.toBeUndefined()
})

it('forgets the wake-ups before a reset', async () => {
  const { reset, sleep, wakeUp } = createWakeableSleep()
  wakeUp()
  reset()
  let hasEnded = false
  const running = sleep(hourMs).then(() => (hasEnded = true))
  // A sleep that ends at once has ended by then.
  await createWakeableSleep().sleep(1)
  expect(hasEnded).toBe(false)
  wakeUp()
  await running
})
