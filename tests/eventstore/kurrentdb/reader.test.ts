import { describe, expect, it } from 'vitest'
import { ForeignPosition } from '#eventstore/event-store.ts'
import { openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import { newEvent, readStream } from '#tests/support/events.ts'
import { startWireServer } from '#tests/support/wire/server.ts'

describe('reading from EventStoreDB', () => {
  it('skips system events and does not read them repeatedly', async () => {
    const server = await startWireServer()
    const store = openEventStoreDb(server.url, { callTimeoutMs: 10_000 })
    for (let n = 0; n < 300; n++) server.log.writeSystemEvent()
    expect(await store.head()).toBe(null)
    await store.append('ours', 'no-stream', [newEvent('Ours')])
    for (let n = 0; n < 3_000; n++) server.log.writeSystemEvent()
    const head = await store.head()
    expect(await store.readAll(null, { limit: 10 })).toMatchObject({ events: [{ type: 'Ours' }], next: head })
    expect(await store.readAll(head, { limit: 10 })).toEqual({ events: [], next: head, scanned: 0 })
    const before = server.calls.read
    for (let n = 0; n < 5; n++) {
      expect(await store.readAll(head, { limit: 10 })).toEqual({ events: [], next: head, scanned: 0 })
      expect(await store.head()).toBe(head)
    }
    expect(server.calls.read - before).toBe(10)
    await store.append('ours', 0n, [newEvent('More')])
    expect(await store.readAll(head, { limit: 10 })).toMatchObject({ events: [{ type: 'More' }] })
    expect(await store.head()).toBe((await store.readAll(head, { limit: 10 })).next)
    await store.close()
    await server.stop()
  })

  it('refuses a position without an event: before, after and within the log', async () => {
    const server = await startWireServer()
    const store = openEventStoreDb(server.url, { callTimeoutMs: 10_000 })
    for (let n = 0; n < 3; n++) await store.append(`ours-${n}`, 'no-stream', [newEvent('Ours')])
    const { events } = await store.readAll(null, { limit: 10 })
    for (const { position } of events) {
      const commit = BigInt(position.slice(3, 23))
      for (const beside of [commit - 1n, commit + 1n, commit + 1_000_000n]) {
        const digits = String(beside).padStart(20, '0')
        await expect(store.readAll(`es-${digits}-${digits}`, { limit: 10 })).rejects.toThrow(ForeignPosition)
      }
    }
    expect((await store.readAll(events[1]?.position ?? '', { limit: 10 })).events).toHaveLength(1)
    await store.close()
    await server.stop()
  })

  it('stores bytes, and returns events without the attempt id', async () => {
    const server = await startWireServer()
    const store = openEventStoreDb(server.url, { callTimeoutMs: 10_000 })
    const event = newEvent('Kept', { minusZero: -0, text: '\u0000 Zoë 🦷' })
    await store.append('kept', 'no-stream', [event])
    const [stored] = server.log.stream('kept') ?? []
    expect(stored?.contentType).toBe('application/octet-stream')
    expect(Buffer.from(stored?.data ?? []).toString()).toBe(JSON.stringify(event.data))
    const [read] = await readStream(store, 'kept')
    expect(read?.metadata).toEqual(event.metadata)
    await store.close()
    await server.stop()
  })
})
