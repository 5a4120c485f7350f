import { readFile } from 'node:fs/promises'
import { type ClientRequest, request } from 'node:http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Client } from '#tests/support/client.ts'
import { collectGarbage } from '#tests/support/collect-garbage.ts'
import { cases } from '#tests/support/long.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

const streamsPerUser = 8
const users = cases(16, 125)

let app: TestApp
let owner: Awaited<ReturnType<typeof newOwner>>
const clients: Client[] = []

beforeAll(async () => {
  app = await startTestApp()
  owner = await newOwner(app)
  const join = () => joinPractice(app, owner.practice.id, 'staff')
  clients.push(owner.client, ...(await Promise.all(Array.from({ length: users - 1 }, join))))
})
afterAll(() => app.dispose())

type Stream = { sent: ClientRequest; status: number; text: string }

/** Opens a stream on a connection of its own. */
function openStream(client: Client): Promise<Stream> {
  return new Promise((resolve, reject) => {
    const sent = request(`${app.url}/api/changes`, { agent: false, headers: { cookie: client.cookie() } })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const stream: Stream = { sent, status: response.statusCode ?? 0, text: '' }
      response.on('error', () => undefined)
      response.on('data', (chunk: Buffer) => (stream.text += chunk.toString()))
      resolve(stream)
    })
    sent.end()
  })
}

/** Returns how many connections to the application this process holds, as Linux lists them; 0 elsewhere. */
async function countConnections(): Promise<number> {
  const port = Number(new URL(app.url).port).toString(16).toUpperCase().padStart(4, '0')
  const sockets = await readFile('/proc/self/net/tcp', 'utf8').catch(() => '')
  const isOpen = (line: string) => {
    const [, , remote = '', state] = line.trim().split(/\s+/)
    return remote.endsWith(`:${port}`) && state === '01'
  }
  return sockets.split('\n').filter(isOpen).length
}

function measureMemory(): number {
  collectGarbage()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** Opens all streams, lets one hint reach them, and closes them. */
async function openAllAndClose(firstName: string): Promise<void> {
  const before = await countConnections()
  const streams = await Promise.all(
    clients.flatMap((client) => Array.from({ length: streamsPerUser }, () => openStream(client))),
  )
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]))
  await waitUntil(() => streams.every(({ text }) => text.includes('event: open')))
  expect((await openStream(owner.client)).status).toBe(429)

  expect((await owner.client.post('/api/patients', { firstName, lastName: 'Okafor' })).status).toBe(201)
  await waitUntil(() => streams.every(({ text }) => text.includes('"patients"')))
  // With a space, which no random id contains.
  expect(streams.some(({ text }) => text.includes(firstName))).toBe(false)

  for (const { sent } of streams) sent.destroy()
  await waitUntil(async () => (await countConnections()) <= before)
  // The places of the owner are free again.
  await waitUntil(async () => {
    const { status, sent } = await openStream(owner.client)
    sent.destroy()
    return status === 200
  })
}

it(`opens ${users * streamsPerUser} streams at once, reaches all of them, and gives everything back`, async () => {
  await openAllAndClose('Ada Maria')
  const before = measureMemory()
  await openAllAndClose('Grace Ann')
  // A stream that stays costs more than its buffers of 16 kB.
  await expect.poll(() => measureMemory() - before).toBeLessThan(users * streamsPerUser * 8_000)
})
