import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'

/** Requests that a thread of its own sends, so that the client takes no time of the application's thread. */
export type Load = {
  url: string
  cookie: string
  clients: number
  seconds: number
  /** Sends a new patient with each request. */
  addsPatients: boolean
}

const { url, cookie, clients, seconds, addsPatients } = workerData as Load
const agent = new Agent({ keepAlive: true, maxSockets: clients })
const headers = { cookie, origin: new URL(url).origin, 'content-type': 'application/json' }

/** Sends one request and reads its reply. */
const send = () =>
  new Promise<void>((resolve, reject) => {
    const sent = request(url, { agent, method: addsPatients ? 'POST' : 'GET', headers }, (response) => {
      response.resume()
      response.on('end', () =>
        (response.statusCode ?? 500) < 300 ? resolve() : reject(new Error(`answered ${response.statusCode}`)),
      )
    })
    sent.on('error', reject)
    sent.end(addsPatients ? JSON.stringify({ firstName: 'Bench', lastName: randomUUID() }) : undefined)
  })

const endsAt = performance.now() + seconds * 1_000
let count = 0
await Promise.all(
  Array.from({ length: clients }, async () => {
    while (performance.now() < endsAt) {
      await send()
      count++
    }
  }),
)
agent.destroy()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(count)
