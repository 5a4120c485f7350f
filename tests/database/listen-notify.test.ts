import net from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listenForNotifications } from '#database/listen-notify.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { type FaultyProxy, startFaultyProxy } from '#tests/support/wire/faulty-proxy.ts'
import { itLong } from '#tests/support/long.ts'

let database: TestDatabase
let network: FaultyProxy
let url: string
beforeAll(async () => {
  database = await createTestDatabase()
  const address = new URL(database.url)
  const port = Number(address.port)
  network = await startFaultyProxy(() => port)
  address.hostname = '127.0.0.1'
  address.port = String(network.port)
  url = address.href
})
afterAll(async () => {
  await network.close()
  await database.drop()
})

itLong('receives notifications again after its connection silently died', async () => {
  const received: (string | undefined)[] = []
  const stop = listenForNotifications(url, 'news', (from) => received.push(from), { probeIntervalMs: 200 })
  await expect.poll(() => received.length).toBe(1)
  network.strandOpenConnections()
  const sender = new Client({ connectionString: database.url })
  await sender.connect()
  const isReceived = async () => {
    await sender.query(`select pg_notify('news', 'again')`)
    return received.includes('again')
  }
  await expect.poll(isReceived, { interval: 100 }).toBe(true)
  await sender.end()
  await stop()
})

it('stops soon, also when the server no longer replies', async () => {
  let connected = false
  const stop = listenForNotifications(url, 'news', () => (connected = true), { probeIntervalMs: 60_000 })
  await expect.poll(() => connected).toBe(true)
  network.strandOpenConnections()
  await expect(stop()).resolves.toBeUndefined()
})

it('connects again with exponential back-off while it is refused', async () => {
  const triedAt: number[] = []
  const refusing = net.createServer((socket) => {
    triedAt.push(performance.now())
    socket.destroy()
  })
  await new Promise<void>((resolve) => void refusing.listen(0, '127.0.0.1', resolve))
  const { port } = refusing.address() as net.AddressInfo
  const stop = listenForNotifications(`postgres://127.0.0.1:${port}/none`, 'news', () => undefined)
  await expect.poll(() => triedAt.length).toBeGreaterThan(4)
  const pauses = triedAt.slice(1).map((at, index) => at - (triedAt[index] ?? 0))
  // Each delay is at least twice the previous one: a busy machine can only add to it.
  pauses.forEach((pause, index) => expect(pause).toBeGreaterThan(100 * 2 ** index * 0.9))
  await stop()
  await new Promise((resolve) => refusing.close(resolve))
})
