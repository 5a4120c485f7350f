import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { copyHistory } from '#eventstore/copy-history.ts'
import { callAppend, encodeEvents } from '#eventstore/kurrentdb/append-call.ts'
import { connect } from '#eventstore/kurrentdb/client.ts'
import { openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import { openPool } from '#database/pool.ts'
import { newEvent } from '#tests/support/events.ts'
import { createMemoryStore } from '#tests/support/memory-store.ts'
import { measureInterleaved, type Timing } from './timing.ts'

const data = { patientId: randomUUID(), note: 'x'.repeat(200) }
const stream = () => `bench-${randomUUID()}`
const deadline = 30_000
const copiedEvents = 20_000

type CopyRow = { name: string; events: number; perSecond: number }

/**
 * Measures appends of one event to new streams of an EventStoreDB by 1, 8 and 32 writers: the raw call of its client, and our
 * adapter as the application uses it; then the copy of a history into it. Without an address, the server is our test server
 * in a process of its own. The copy needs an empty server, and comes first.
 */
export async function benchKurrentDb(
  address: string | undefined,
  databaseUrl: string,
  seconds: number,
): Promise<{ appends: (Timing & { ratio: number })[]; copy: CopyRow[] }> {
  const server = address === undefined ? await startServer() : { url: address, stop: () => undefined }
  const pool = openPool(databaseUrl, 2)
  const store = openEventStoreDb(server.url, { callTimeoutMs: deadline, pool })
  const { client, credentials } = connect(server.url)
  try {
    const copy = (await store.head()) === null ? [await measureCopy(store)] : []
    const contenders = [
      {
        name: 'the raw call',
        call: () => {
          const event = newEvent('Benched', data)
          const events = encodeEvents([event], [JSON.stringify(data)])
          return callAppend(client, stream(), 'no-stream', events, { credentials, deadline })
        },
      },
      { name: 'the adapter', call: () => store.append(stream(), 'no-stream', [newEvent('Benched', data)]) },
    ]
    const appends: (Timing & { ratio: number })[] = []
    for (const writers of [1, 8, 32]) appends.push(...(await measureInterleaved(contenders, writers, seconds)))
    return { appends, copy }
  } finally {
    await store.close()
    await client.dispose()
    await pool.end()
    server.stop()
  }
}

async function measureCopy(target: Parameters<typeof copyHistory>[1]): Promise<CopyRow> {
  const source = createMemoryStore()
  for (let count = 0; count < copiedEvents; count++)
    // oxlint-disable-next-line no-await-in-loop -- in this order
    await source.append(stream(), 'no-stream', [newEvent('Benched', data)])
  const startedAt = performance.now()
  const { events } = await copyHistory(source, target)
  const perSecond = Math.round(events / ((performance.now() - startedAt) / 1_000))
  return { name: 'copy of a history, verified', events, perSecond }
}

async function startServer(): Promise<{ url: string; stop(): void }> {
  const child = fork(new URL('./wire-server-process.ts', import.meta.url))
  const [url] = (await once(child, 'message')) as [string]
  return { url, stop: () => void child.kill() }
}
