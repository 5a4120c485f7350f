import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { Session } from 'node:inspector/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { newSubscriber } from '#tests/support/billing.ts'
import { createClient } from '#tests/support/client.ts'
import { drawFlameGraph } from './flame-graph.ts'
import { addPatients, day, fillDay } from './http.ts'
import type { Load } from './load-worker.ts'

const clients = 8
const samplingMicroseconds = 200

/** Profiles three requests with eight clients in another thread, and writes a flame graph of the application's thread for each. */
export async function benchFlames(
  url: string,
  seconds: number,
  folder: string,
): Promise<{ name: string; perSecond: number; file: string }[]> {
  const { client } = await newSubscriber({ newClient: () => createClient(url) })
  const patientIds = await addPatients(client)
  await fillDay(client, patientIds)
  await mkdir(folder, { recursive: true })
  const requests = [
    { name: 'read-patient', path: `/api/patients/${patientIds[0]}`, addsPatients: false },
    { name: 'list-day', path: `/api/appointments?${day}`, addsPatients: false },
    { name: 'create-patient', path: '/api/patients', addsPatients: true },
  ]
  const rows: { name: string; perSecond: number; file: string }[] = []
  for (const { name, path, addsPatients } of requests) {
    const load = { url: `${url}${path}`, cookie: client.cookie() ?? '', clients, addsPatients }
    await run({ ...load, seconds: 1 })
    const session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: samplingMicroseconds })
    await session.post('Profiler.start')
    const count = await run({ ...load, seconds })
    const { profile } = await session.post('Profiler.stop')
    session.disconnect()
    const file = join(folder, `${name}.svg`)
    const milliseconds = ((profile.endTime - profile.startTime) / 1_000 / count).toFixed(2)
    await writeFile(file, drawFlameGraph(profile, `${name}, ${clients} clients: one in ${milliseconds} ms`))
    rows.push({ name, perSecond: Math.round(count / seconds), file })
  }
  return rows
}

/** Sends requests from another thread and returns their number. */
async function run(load: Load): Promise<number> {
  const worker = new Worker(new URL('load-worker.ts', import.meta.url), { workerData: load })
  const [count] = (await once(worker, 'message')) as [number]
  await worker.terminate()
  return count
}
