import { clientOf } from '#tests/support/client.ts'
import { newUser, practiceDetails } from '#tests/support/practice.ts'
import { type Timing, timingOf } from './timing.ts'

/** Whole requests: set up a practice with its sample, and take the sample away again. Nobody waits longer than a second. */
export async function benchSamples(url: string, seconds: number): Promise<Timing[]> {
  const [seeded, removed]: [number[], number[]] = [[], []]
  const until = performance.now() + 2 * seconds * 1_000
  do {
    const { client } = await newUser({ visitor: () => clientOf(url) })
    seeded.push(await took(() => client.post('/api/practices/setup', practiceDetails)))
    removed.push(await took(() => client.delete('/api/sample-data')))
  } while (performance.now() < until)
  const sum = (times: readonly number[]) => times.reduce((total, time) => total + time, 0) / 1_000
  return [
    timingOf('seed a sample practice', 1, seeded, sum(seeded)),
    timingOf('remove a sample practice', 1, removed, sum(removed)),
  ]
}

/** In milliseconds. */
async function took(call: () => Promise<{ status: number }>): Promise<number> {
  const began = performance.now()
  const { status } = await call()
  if (status !== 200) throw new Error(`a sample practice was answered ${status}`)
  return performance.now() - began
}
