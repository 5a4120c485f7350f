import { createClient } from '#tests/support/client.ts'
import { newUser, practiceDetails } from '#tests/support/practice.ts'
import { type Timing, summarizeTimings } from './timing.ts'

/** Measures requests that set up a practice with its sample and that remove the sample. The goal is under a second. */
export async function benchSamples(url: string, seconds: number): Promise<Timing[]> {
  const [seeded, removed]: [number[], number[]] = [[], []]
  const until = performance.now() + 2 * seconds * 1_000
  do {
    const { client } = await newUser({ newClient: () => createClient(url) })
    seeded.push(await measureMs(() => client.post('/api/practices/setup', practiceDetails)))
    removed.push(await measureMs(() => client.delete('/api/sample-data')))
  } while (performance.now() < until)
  const sum = (times: readonly number[]) => times.reduce((total, time) => total + time, 0) / 1_000
  return [
    summarizeTimings('seed a sample practice', 1, seeded, sum(seeded)),
    summarizeTimings('remove a sample practice', 1, removed, sum(removed)),
  ]
}

/** Milliseconds. */
async function measureMs(call: () => Promise<{ status: number }>): Promise<number> {
  const startedAt = performance.now()
  const { status } = await call()
  if (status !== 200) throw new Error(`a sample practice was answered ${status}`)
  return performance.now() - startedAt
}
