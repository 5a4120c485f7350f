import { Client } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listenForNotifications } from '#database/listen-notify.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/test-database.ts'
import { type FaultyProxy, startFaultyProxy } from '#tests/support/wire/faulty-proxy.ts'

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

it('hears of news again when its connection leads nowhere and nobody says so', async () => {
  const heard: (string | undefined)[] = []
  const stop = listenForNotifications(url, 'news', (from) => heard.push(from), { probeIntervalMs: 200 })
  await expect.poll(() => heard.length).toBe(1)
  network.strandOpenConnections()
  const teller = new Client({ connectionString: database.url })
  await teller.connect()
  const told = async () => {
    await teller.query(`select pg_notify('news', 'again')`)
    return heard.includes('again')
  }
  await expect.poll(told, { interval: 100 }).toBe(true)
  await teller.end()
  await stop()
})

it('stops soon, also when nobody answers any more', async () => {
  let connected = false
  const stop = listenForNotifications(url, 'news', () => (connected = true), { probeIntervalMs: 60_000 })
  await expect.poll(() => connected).toBe(true)
  network.strandOpenConnections()
  await expect(stop()).resolves.toBeUndefined()
})
