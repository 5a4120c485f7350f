import { randomUUID } from 'node:crypto'
import { newSubscriber } from '#tests/support/billing.ts'
import { type Client, createClient } from '#tests/support/client.ts'
import { measure, type Timing, summarizeTimings } from './timing.ts'

/** Measures requests that add a patient (visible in the read models when replied), read one, read a page, and check health. */
export async function benchHttp(url: string, seconds: number): Promise<{ rows: Timing[]; lag: Timing[] }> {
  const { client } = await newSubscriber({ newClient: () => createClient(url) })
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
  const endsAt = performance.now() + seconds * 1_000
  const lags: number[] = []
  while (performance.now() < endsAt) {
    const { body } = await client.post('/api/patients', { firstName: 'Lag', lastName: randomUUID() })
    const repliedAt = performance.now()
    let attempts = 0
    while ((await client.get(`/api/patients/${body.id}`)).status !== 200) attempts++
    lags.push(attempts === 0 ? 0 : performance.now() - repliedAt)
  }
  return summarizeTimings('lag after the reply', 1, lags, seconds)
}

const read = (client: Client, path: string) => client.get(path).then(expectStatus(200))

const expectStatus =
  (status: number) =>
  <Response extends { status: number }>(response: Response): Response => {
    if (response.status !== status) throw new Error(`expected ${status}, got ${response.status}`)
    return response
  }
