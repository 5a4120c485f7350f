import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewEvent, Recorded } from '#eventstore/event.ts'
import { type EventStore, type ExpectedRevision, StoreUnavailable } from '#eventstore/event-store.ts'
import { createRandom } from '#tests/crash/random.ts'
import { newEvent } from '#tests/support/events.ts'
import { testSeed } from '#tests/support/seed.ts'
import type { FaultyProxy } from '#tests/support/wire/faulty-proxy.ts'

type Opened = { store: EventStore; network: FaultyProxy; close(): Promise<void> }

/** The contract of an event store over an unreliable network: the same cases for every adapter. */
export function networkContract(name: string, open: () => Promise<Opened>): void {
  describe(`the event store contract over an unreliable network: ${name}`, () => {
    let opened: Opened
    let store: EventStore
    const random = createRandom(testSeed)
    const stream = () => `case-${randomUUID()}`

    beforeAll(async () => {
      opened = await open()
      store = opened.store
    })
    afterAll(() => opened.close())

    /** Counts successful calls, so that connections are cut by progress and not by the clock. */
    let progress = 0

    /** Retries while the outcome is unknown, as callers do. */
    async function retryWhileUnavailable<T>(call: () => Promise<T>): Promise<T> {
      for (;;) {
        try {
          const answer = await call()
          progress++
          return answer
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error
          await sleep(20)
        }
      }
    }
    const append = (to: string, expected: ExpectedRevision, events: NewEvent[]) =>
      retryWhileUnavailable(() => store.append(to, expected, events))

    /**
     * Cuts all connections repeatedly while work is running, each time at a random moment after a call has succeeded since
     * the last cut. On a busy machine a cut every few milliseconds would let no call succeed.
     */
    async function whileDroppingConnections<T>(work: Promise<T>): Promise<T> {
      let working = true
      const dropping = (async () => {
        for (let last = -1; working;) {
          const moment = random.next() * 30
          await sleep(moment)
          if (progress === last) continue
          last = progress
          opened.network.dropConnections()
        }
      })()
      try {
        return await work
      } finally {
        working = false
        await dropping
      }
    }

    async function* readWithRetry(of: string): AsyncGenerator<Recorded> {
      for (let next = 0n; ;) {
        try {
          for await (const event of store.read(of, next)) {
            progress++
            yield event
            next = event.revision + 1n
          }
          return
        } catch (error) {
          if (!(error instanceof StoreUnavailable)) throw error
          await sleep(20)
        }
      }
    }

    it('writes once what is sent again after a lost reply', async () => {
      const names = Array.from({ length: 4 }, stream)
      const outcomes = await whileDroppingConnections(
        Promise.all(
          names.map(async (to) => {
            const statuses: string[] = []
            for (let n = 0; n < 6; n++) {
              const events = [newEvent('Sent', { n }), newEvent('Sent', { n: n + 0.5 })]
              statuses.push((await append(to, n === 0 ? 'no-stream' : BigInt(n * 2 - 1), events)).status)
            }
            return statuses
          }),
        ),
      )
      expect(outcomes.flat().filter((status) => !status.endsWith('appended'))).toEqual([])
      for (const of of names) {
        const seen: unknown[] = []
        for await (const { data } of readWithRetry(of)) seen.push(data.n)
        expect(seen).toEqual(Array.from({ length: 12 }, (_, n) => n / 2))
      }
    })

    it('writes all of an append or nothing when the connection breaks', async () => {
      const events = () => Array.from({ length: 40 }, (_, n) => newEvent('Sent', { n, text: 'x'.repeat(3_000) }))
      for (let n = 0; n < 60; n++) {
        const name = stream()
        // Somewhere in the 120 kB of the request, or in the response.
        opened.network.cutAfter(random.next() * 150_000)
        await store.append(name, 'no-stream', events()).catch(() => undefined)
        opened.network.dropConnections()
        let there = 0
        for await (const _ of readWithRetry(name)) there++
        expect([0, 40]).toContain(there)
      }
    })

    it('reads without gaps and duplicates over connections that break', async () => {
      const name = stream()
      const before = await retryWhileUnavailable(() => store.head())
      await append(
        name,
        'no-stream',
        Array.from({ length: 1_203 }, (_, n) => newEvent('Read', { n })),
      )
      const expected = Array.from({ length: 1_203 }, (_, n) => n)
      await whileDroppingConnections(
        (async () => {
          const seen: unknown[] = []
          for await (const { data } of readWithRetry(name)) {
            seen.push(data.n)
            // Slowly enough for connections to break during the read.
            if (seen.length % 100 === 0) await sleep(10)
          }
          expect(seen).toEqual(expected)
          const all: unknown[] = []
          for (let after = before; all.length < expected.length;) {
            const { events, next } = await retryWhileUnavailable(() => store.readAll(after, { limit: 97 }))
            // An earlier append of unknown outcome may be written only now.
            all.push(...events.filter(({ stream: of }) => of === name).map(({ data }) => data.n))
            after = next
            await sleep(5)
          }
          expect(all).toEqual(expected)
        })(),
      )
    })

    it('fails at once while the server is unavailable, and recovers by itself', async () => {
      const name = stream()
      await append(name, 'no-stream', [newEvent()])
      await opened.network.stopListening()
      for (const call of [
        () => store.append(name, 0n, [newEvent()]),
        () => store.readAll(null, { limit: 1 }),
        () => store.head(),
      ])
        await expect(call()).rejects.toThrow(StoreUnavailable)
      await opened.network.resumeListening()
      expect(await append(name, 0n, [newEvent()])).toMatchObject({ revision: 1n })
    })

    it('fails within its time-out while the network is frozen, and writes once what is sent again', async () => {
      const name = stream()
      await append(name, 'no-stream', [newEvent()])
      const events = [newEvent('Sent', { n: 1 })]
      opened.network.freeze()
      const calls = [
        store.append(name, 0n, events),
        store.append(stream(), 'no-stream', [newEvent()]),
        store.readAll(null, { limit: 1 }),
        store.head(),
      ]
      for (const call of await Promise.allSettled(calls)) {
        expect(call.status).toBe('rejected')
        expect((call as PromiseRejectedResult).reason).toBeInstanceOf(StoreUnavailable)
      }
      // The network stays frozen until all of them have failed.
      opened.network.thaw()
      expect((await append(name, 0n, events)).status).toMatch(/appended$/)
      const seen: unknown[] = []
      for await (const { id } of readWithRetry(name)) seen.push(id)
      expect(seen).toEqual([expect.any(String), events[0]?.id])
    })

    it('continues over new connections when the old ones are dead', async () => {
      const name = stream()
      await append(name, 'no-stream', [newEvent()])
      opened.network.strandOpenConnections()
      expect(await append(name, 0n, [newEvent()])).toMatchObject({ revision: 1n })
    })

    it('receives notifications again', async () => {
      let woken = 0
      const stop = store.onWake(() => woken++)
      opened.network.dropConnections()
      // Listening again wakes once by itself; any later wake-up comes from an event.
      await expect.poll(() => woken).toBeGreaterThan(0)
      const before = woken
      await retryWhileUnavailable(() => store.append(stream(), 'no-stream', [newEvent()]))
      await expect.poll(() => woken).toBeGreaterThan(before)
      stop()
    })
  })
}
