import { randomUUID } from 'node:crypto'
import { type Client, createClient } from '#tests/support/client.ts'
import { newOwner } from '#tests/support/practice.ts'
import { measure, type Timing, summarizeTimings } from './timing.ts'

/** Measures requests that add a patient (visible in the read models when replied), read one, read a page, and check health. */
export async function benchHttp(url: string, seconds: number): Promise<{ rows: Timing[]; lag: Timing[] }> {
  const { client } = await newOwner({ newClient: () => createClient(url) })
  const add = () => client.post('/api/patients', { firstName: 'Bench', lastName: randomUUID() }).then(expectStatus(201))
  const first = await add()
  const rows: Timing[] = []
  for (const clients of [1, 8, 32]) {
    rows.push(await measure('create patient', clients, seconds, add))
    rows.push(await measure('read patient', clients, seconds, () => read(client, `/api/patients/${first.body.id}`)))
    rows.push(await measure('first page of patients', clients, seconds, () => read(client, '/api/patients')))
  }
  return { rows, lag: [await lag(client, seconds)] }
}

/** Measures the lag from the reply of a write until a reader sees it, which read-your-writes should keep near zero. */
async function lag(client: Client, seconds: number): Promise<Timing> {
  const until = performance.now() + seconds * 1_000
  const took: number[] = []
  while (performance.now() < until) {
    const { body } = await client.post('/api/patients', { firstName: 'Lag', lastName: randomUUID() })
    const answered = performance.now()
    let tries = 0
    while ((await client.get(`/api/patients/${body.id}`)).status !== 200) tries++
    took.push(tries === 0 ? 0 : performance.now() - answered)
  }
  return summarizeTimings('lag after the reply', 1, took, seconds)
}

const read = (client: Client, path: string) => client.get(path).then(expectStatus(200))

const expectStatus =
  (status: number) =>
  <A extends { status: number }>(answer: A): A => {
    if (answer.status !== status) throw new Error(`expected ${status}, was answered ${answer.status}`)
    return answer
  }
