import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createFreeSpaceReader } from '#eventstore/kurrentdb/free-space.ts'
import { createDiskMonitor } from '#runtime/disk-space.ts'

/** Returns the reply of EventStoreDB 23.10.8, which splits the name of the disk. */
const statistics = (availableBytes: number) => ({
  '/var/lib': { 'event/store': { availableBytes, totalBytes: 88_566_784, usage: '7%', usedBytes: 7_072_768 } },
})

async function startServer(reply: { status: number; body: unknown }) {
  const requests: { url: string | undefined; authorization: string | undefined }[] = []
  const server = createServer(({ url, headers }, response) => {
    requests.push({ url, authorization: headers.authorization })
    response.writeHead(reply.status, { 'content-type': 'application/json' }).end(JSON.stringify(reply.body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { requests, host: `127.0.0.1:${(server.address() as AddressInfo).port}` }
}

it('the free space of EventStoreDB is read from its statistics, with its user', async () => {
  const { requests, host } = await startServer({ status: 200, body: statistics(81_494_016) })
  expect(await createFreeSpaceReader(`esdb://admin:changeit@${host}?tls=false`)()).toBe(81_494_016)
  const authorization = `Basic ${Buffer.from('admin:changeit').toString('base64')}`
  expect(requests).toEqual([{ url: '/stats/sys/drive', authorization }])
})

it('the smallest disk of several servers counts, without those that do not tell', async () => {
  const [large, small, closed] = await Promise.all([
    startServer({ status: 200, body: statistics(2_000) }),
    startServer({ status: 200, body: statistics(1_000) }),
    startServer({ status: 401, body: statistics(1) }),
  ])
  const hosts = [large.host, closed.host, small.host, '127.0.0.1:1'].join(',')
  expect(await createFreeSpaceReader(`esdb://${hosts}?tls=false`)()).toBe(1_000)
  expect(await createFreeSpaceReader(`esdb://${closed.host}?tls=false`)()).toBeNull()
})

it('writes are refused while the event store has no room, and go on when it has or does not tell', async () => {
  let bytes: number | null = 1_000
  const disk = createDiskMonitor({
    readEventStore: async () => bytes,
    limits: { lowBytes: 500, fullBytes: 100 },
    intervalMs: 5,
  })
  onTestFinished(disk.stop)
  const expectSpace = (status: string) =>
    expect.poll(disk.getSpace, { interval: 5 }).toEqual({ status, freeBytes: bytes })
  await expectSpace('ok')
  bytes = 300
  await expectSpace('low')
  expect(disk.refusesWrites()).toBe(false)
  bytes = 99
  await expectSpace('full')
  expect(disk.refusesWrites()).toBe(true)
  bytes = null
  await expectSpace('ok')
  expect(disk.refusesWrites()).toBe(false)
})
