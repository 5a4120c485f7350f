import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { describeConnection } from '#eventstore/kurrentdb/address.ts'
import { openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import { newEvent, readStream } from '#tests/support/events.ts'
import { createSelfSignedCertificate } from '#tests/support/wire/certificate.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'

describe('EventStoreDB over TLS', () => {
  const { certificate, key } = createSelfSignedCertificate()
  const user = { user: 'ann', password: 'pa55-word' }
  const outcome = async (url: string) => {
    const store = openEventStoreDb(url, { callTimeoutMs: 20_000 })
    const [answer] = await Promise.allSettled([store.append(`tls-${crypto.randomUUID()}`, 'no-stream', [newEvent()])])
    await store.close()
    return answer?.status === 'fulfilled' ? answer.value.status : String(answer?.reason)
  }

  it('trusts the given certificate, or any when configured so, and authenticates with user and password', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'everchart-tls-'))
    const file = path.join(folder, 'ca.pem')
    await writeFile(file, certificate)
    const server = await startWireServer({ tls: { certificate, key, ...user } })
    expect(await outcome(`${server.url}?tlsCAFile=${file}`)).toBe('appended')
    expect(await outcome(`${server.url.replace('esdb:', 'kurrentdb:')}?tls=true&tlsVerifyCert=false`)).toBe('appended')
    expect(await outcome(server.url)).toMatch('does not respond')
    expect(await outcome(`${server.url.replace('ann', 'bob')}?tlsCAFile=${file}`)).toMatch('rejects the user')
    expect(server.calls.batchAppend).toBe(0)
    await server.stop()
    await rm(folder, { recursive: true })
  })
})

describe('EventStoreDB as a cluster', () => {
  it('follows the leader when another node takes over', async () => {
    const first = await startWireServer()
    const second = await startWireServer({ log: first.log })
    const store = openEventStoreDb(first.url, { callTimeoutMs: 20_000 })
    await store.append('led', 'no-stream', [newEvent('A')])
    first.faults.leader = { host: '127.0.0.1', port: second.port }
    const event = newEvent('B')
    expect(await store.append('led', 0n, [event])).toMatchObject({ status: 'appended', revision: 1n })
    expect(second.calls.append).toBe(1)
    expect((await readStream(store, 'led')).map(({ type }) => type)).toEqual(['A', 'B'])
    await store.close()
    await first.stop()
    await second.stop()
  })

  it('finds the leader by gossip, and the next one after a failover', async () => {
    const nodes: WireServer[] = []
    let leader = 0
    const members = () => [nodes[leader]?.port ?? 0, nodes[1 - leader]?.port ?? 0]
    const one = await startWireServer({ members })
    const two = await startWireServer({ members, log: one.log })
    nodes.push(one, two)
    const store = openEventStoreDb(`kurrentdb+discover://127.0.0.1:${two.port}?tls=false&discoveryInterval=50`)
    expect(await store.append('found', 'no-stream', [newEvent()])).toMatchObject({ revision: 0n })
    expect([one.calls.append, two.calls.append]).toEqual([1, 0])
    leader = 1
    await one.proxy.stopListening()
    await expect
      .poll(() =>
        store.append('found', 0n, [newEvent()]).then(
          ({ status }) => status,
          () => 'away',
        ),
      )
      .toBe('appended')
    expect(two.calls.append).toBe(1)
    await store.close()
    await one.stop()
    await two.stop()
  })
})

it.each([
  ['esdb://admin:secret@db.example:2113', 'encrypted'],
  ['kurrentdb://db.example:2113?tls=false', 'plain'],
  ['esdb://one.example:2113,localhost:2113?tls=false', 'plain'],
  ['esdb://localhost:2113?tls=false', 'local'],
  ['kurrentdb://127.0.0.1:2113?tls=false', 'local'],
] as const)('describes the connection of %s as %s', (address, protection) => {
  expect(describeConnection(address)).toBe(protection)
})
