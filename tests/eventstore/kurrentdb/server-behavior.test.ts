import { randomUUID } from 'node:crypto'
import {
  type AppendExpectedRevision,
  BACKWARDS,
  binaryEvent,
  END,
  FORWARDS,
  START,
  type ReadAllOptions,
  type ReadStreamOptions,
} from '@eventstore/db-client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect, type Connection, withCallTimeout } from '#eventstore/kurrentdb/client.ts'
import { startWireServer } from '#tests/support/wire/server.ts'

const url = process.env['EVENTSTORE_URL']?.trim()
const ours = async () => {
  const server = await startWireServer()
  return { url: server.url, stop: server.stop }
}
const theirs = async () => ({ url: url ?? '', stop: async () => undefined })
const targets = [
  { name: 'our wire server', open: ours },
  ...(url && url !== 'postgres' ? [{ name: 'the server at EVENTSTORE_URL', open: theirs }] : []),
]

/** Returns valid JSON of a number of bytes, for tests that read the whole log. */
const json = (length: number) => `"${'x'.repeat(length - 2)}"`
const bytes = (text: string) => new TextEncoder().encode(text)
const mebibyte = 1_048_576

/**
 * The server behavior that the adapter depends on, recorded from EventStoreDB 23.10.8: the test server must reply the same,
 * word for word. Other versions word some errors differently.
 */
describe.each(targets)('server behavior: $name', ({ open }) => {
  const isOurs = open === ours
  let server: { url: string; stop(): Promise<void> }
  let connection: Connection
  let run: string
  const ids = new Map<string, string>()

  beforeAll(async () => {
    server = await open()
    connection = connect(server.url)
    run = randomUUID()
    await append('s', 'no_stream', [event('a'), event('b')])
  })
  afterAll(async () => {
    await connection.client.dispose()
    await server.stop()
  })

  function event(name: string, data = '{}', type = 'Kept') {
    const id = ids.get(name) ?? randomUUID()
    ids.set(name, id)
    return binaryEvent({ id, type, data: bytes(data), metadata: bytes('{}') })
  }

  async function append(stream: string, expectedRevision: AppendExpectedRevision, events: ReturnType<typeof event>[]) {
    const { client, credentials } = connection
    const options = { expectedRevision, credentials, requiresLeader: true, throwOnAppendFailure: true }
    try {
      const { nextExpectedRevision, position } = await client.appendToStream(`${stream}-${run}`, events, options)
      return [nextExpectedRevision, position !== undefined && position.commit === position.prepare]
    } catch (error) {
      return told(error)
    }
  }

  /** Returns an error by the properties that the adapter uses. */
  const told = (error: unknown) => {
    const { type, actualVersion, message } = error as { type?: string; actualVersion?: unknown; message: string }
    return [type, actualVersion ?? message]
  }

  async function read(stream: string, over: ReadStreamOptions = {}) {
    const { client, credentials } = connection
    const seen: bigint[] = []
    const options = { credentials, maxCount: 10, direction: FORWARDS, fromRevision: START, ...over } as const
    try {
      for await (const found of client.readStream(`${stream}-${run}`, options))
        if (found.event) seen.push(found.event.revision)
      return seen
    } catch (error) {
      return told(error)
    }
  }

  async function readAll(over: ReadAllOptions) {
    const { client, credentials } = connection
    const seen: string[] = []
    const options = { credentials, maxCount: 2, direction: FORWARDS, ...over } as const
    try {
      for await (const { event: found } of client.readAll(options))
        seen.push(
          found?.streamId.startsWith('$') ? '$' : `${found?.streamId.replace(`-${run}`, '')} ${found?.revision}`,
        )
      return seen
    } catch (error) {
      return told(error)
    }
  }

  const conflict = (actual: bigint | 'no_stream') => ['wrong-expected-version', actual]
  const unknown = (message: string) =>
    isOurs ? ['unknown', `2 UNKNOWN: ${message}`] : [expect.any(String), expect.stringMatching(/^[23] /)]

  it('treats the same ids at the same place as a repetition, whole or in part, and nothing else', async () => {
    expect(await append('s', 'no_stream', [event('a'), event('b')])).toEqual([1n, true])
    expect(await append('s', 'no_stream', [event('a')])).toEqual([0n, true])
    expect(await append('s', 0n, [event('b')])).toEqual([1n, true])
    expect(await append('s', 'no_stream', [event('a', '{"other":1}', 'Other'), event('b')])).toEqual([1n, true])
    expect(await append('s', 'no_stream', [event('b')])).toEqual(conflict(1n))
    expect(await append('s', 'no_stream', [event('a'), event('b'), event('c')])).toEqual(conflict(1n))
    expect(await append('elsewhere', 'no_stream', [event('a')])).toEqual([0n, true])
    expect(await append('twice', 'no_stream', [event('t'), event('t')])).toEqual([1n, true])
    expect(await append('again', 'no_stream', [event('g')])).toEqual([0n, true])
    expect(await append('again', 0n, [event('g')])).toEqual([1n, true])
  })

  it('returns the actual revision on a conflict', async () => {
    expect(await append('s', 'no_stream', [event('x')])).toEqual(conflict(1n))
    expect(await append('s', 17n, [event('x')])).toEqual(conflict(1n))
    expect(await append('nothing', 3n, [event('x')])).toEqual(conflict('no_stream'))
  })

  it('compares the revision of an append of nothing', async () => {
    expect(await append('s', 1n, [])).toEqual([1n, true])
    expect(await append('nothing', 'no_stream', [])).toEqual([0n, true])
    expect(await append('s', 0n, [])).toEqual(conflict(1n))
    expect(await append('nothing', 0n, [])).toEqual(conflict('no_stream'))
  })

  it('accepts one mebibyte of data, whatever the metadata, and refuses an empty type', async () => {
    const tooLarge = [
      'maximum-append-size-exceeded',
      `3 INVALID_ARGUMENT: Maximum Append Size of ${mebibyte} Exceeded.`,
    ]
    expect(await append('big', 'no_stream', [event('m', json(mebibyte))])).toEqual([0n, true])
    expect(await append('big', 0n, [event('n', json(mebibyte + 1))])).toEqual(tooLarge)
    expect(await append('big', 'no_stream', [event('m', json(mebibyte + 1))])).toEqual(tooLarge)
    const half = json(mebibyte / 2)
    expect(await append('big', 0n, [event('h1', half), event('h2', half)])).toEqual([2n, true])
    const described = binaryEvent({ type: 'Kept', data: bytes('{}'), metadata: bytes(`{"m":${json(mebibyte)}}`) })
    expect(await append('described', 'no_stream', [described])).toEqual([0n, true])
    expect(await append('untyped', 'no_stream', [event('u', '{}', '')])).toEqual(
      unknown('Exception was thrown by handler.'),
    )
  })

  it('reads a stream in both directions', async () => {
    expect(await read('s')).toEqual([0n, 1n])
    expect(await read('s', { fromRevision: 1n })).toEqual([1n])
    expect(await read('s', { fromRevision: 99n })).toEqual([])
    expect(await read('s', { direction: BACKWARDS, fromRevision: END })).toEqual([1n, 0n])
    expect(await read('s', { direction: BACKWARDS, fromRevision: 99n })).toEqual([1n, 0n])
    expect(await read('s', { direction: BACKWARDS, fromRevision: START })).toEqual([0n])
    for (const over of [{ fromRevision: END }, { maxCount: 0 }] as ReadStreamOptions[])
      expect(await read('s', over)).toEqual(unknown('Unexpected ReadStreamResult: Error'))
    for (const direction of [FORWARDS, BACKWARDS] as const)
      expect(await read('nowhere', { direction })).toEqual(['stream-not-found', `nowhere-${run} not found`])
  })

  it('reads all events from the start of an event, and nothing beyond the end', async () => {
    await append('all', 'no_stream', [event('1'), event('2'), event('3'), event('4')])
    const { client, credentials } = connection
    const found: bigint[] = []
    for await (const { event: one } of client.readStream(`all-${run}`, { credentials }))
      if (one?.position) found.push(one.position.commit)
    const [, second = 0n, third = 0n] = found
    const at = (commit: bigint, prepare = commit) => ({ fromPosition: { commit, prepare } })
    expect(await readAll(at(second))).toEqual(['all 1', 'all 2'])
    expect(await readAll(at(second, 1n))).toEqual(['all 1', 'all 2'])
    expect(await readAll({ ...at(third), direction: BACKWARDS })).toEqual(['all 1', 'all 0'])
    expect(await readAll(at(10n ** 12n))).toEqual([])
    expect(await readAll({ fromPosition: END })).toEqual([])
    expect(await readAll({ fromPosition: START, direction: BACKWARDS })).toEqual([])
    const nowhere = unknown('Unexpected ReadAllResult: Error')
    expect(await readAll(at(second - 5n))).toEqual(nowhere)
    expect(await readAll({ ...at(second - 5n), direction: BACKWARDS })).toEqual(nowhere)
    expect(await readAll({ ...at(10n ** 12n), direction: BACKWARDS })).toEqual(nowhere)
    expect(await readAll(at(second, second + 1n))).toEqual(unknown('Exception was thrown by handler.'))
    if (isOurs)
      await expect(withCallTimeout(500, readAll({ fromPosition: START, maxCount: 0 }))).rejects.toThrow('in time')
  })

  it('sends new events to subscriptions', async () => {
    const { client, credentials } = connection
    const heard = (from: Parameters<typeof client.subscribeToAll>[0], name: string) => {
      const told: string[] = []
      const subscription = client
        .subscribeToAll({ ...from, credentials })
        .on('error', ({ message }) => told.push(message))
        .on('confirmation', () => told.push('confirmation'))
        .on('data', ({ event: one }) => one?.streamId === `${name}-${run}` && told.push(`${one.revision}`))
      return { told, subscription }
    }
    const beyond = { commit: 10n ** 12n, prepare: 10n ** 12n }
    for (const fromPosition of [END, beyond] as const) {
      const name = `news-${String(fromPosition === END)}`
      const { told, subscription } = heard({ fromPosition }, name)
      await expect.poll(() => told).toEqual(['confirmation'])
      await append(name, 'no_stream', [event(name), event(`${name} 2`)])
      await expect.poll(() => told).toEqual(['confirmation', '0', '1'])
      await subscription.unsubscribe()
    }
    const [first] = await positions(1)
    const inside = { commit: (first ?? 0n) + 1n, prepare: (first ?? 0n) + 1n }
    const { told: refused } = heard({ fromPosition: inside }, 'inside')
    await expect.poll(() => refused.at(-1)).toMatch(isOurs ? /^2 UNKNOWN: Exception was thrown by handler.$/ : /^[23] /)
  })

  async function positions(count: number): Promise<bigint[]> {
    const { client, credentials } = connection
    const found: bigint[] = []
    for await (const { event: one } of client.readAll({ credentials, maxCount: count }))
      if (one?.position) found.push(one.position.commit)
    return found
  }
})
