import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type EventStoreDbStore, openEventStoreDb } from '#eventstore/kurrentdb/store.ts'
import { newEvent } from '#tests/support/events.ts'
import { processEnvironment } from '#tests/support/process-environment.ts'
import { runTool } from '#tests/support/run-tool.ts'
import { startWireServer, type WireServer } from '#tests/support/wire/server.ts'

let server: WireServer
let store: EventStoreDbStore
let written = 0

beforeAll(async () => {
  server = await startWireServer()
  store = openEventStoreDb(server.url, { callTimeoutMs: 10_000 })
  for (let n = 0; n < 5; n++) await write()
})
afterAll(async () => {
  await store.close()
  await server.stop()
})

/** Appends an event with masked data to a new stream. */
const write = () => store.append(`tailed-${++written}`, 'no-stream', [newEvent('Told', { n: written, name: 'Hopper' })])

const settings = () => ({ ...processEnvironment, EVENTSTORE_URL: server.url })

/** Starts a tail as a user does. */
function tail(...args: string[]) {
  const child: ChildProcess = spawn(process.execPath, ['backend/cli/events.ts', 'tail', ...args], { env: settings() })
  let out = ''
  let err = ''
  child.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = once(child, 'close').then(([code]) => code as number | null)
  return {
    child,
    streams: () =>
      out
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line).stream as string),
    out: () => out,
    err: () => err,
    ended,
  }
}

const run = (...args: string[]) => runTool('events', args, { EVENTSTORE_URL: server.url })

it('tails events through an outage, and stops on Ctrl-C', async () => {
  const following = tail('--last', '2')
  const lastMessage = () => following.err().trim().split('\n').at(-1)
  await expect.poll(following.streams).toEqual(['tailed-4', 'tailed-5'])
  await write()
  await expect.poll(following.streams).toEqual(['tailed-4', 'tailed-5', 'tailed-6'])

  await server.proxy.stopListening()
  // On a busy machine an earlier call may time out and be reported as well.
  await expect.poll(lastMessage).toBe('The event store is unavailable; waiting')
  await server.proxy.resumeListening()
  await expect
    .poll(() =>
      write().then(
        () => true,
        () => false,
      ),
    )
    .toBe(true)
  await expect.poll(lastMessage).toBe('The event store is available again')
  await write()
  await expect.poll(() => following.streams().at(-1)).toBe(`tailed-${written}`)
  const streams = following.streams()
  expect(streams).toEqual([...new Set(streams)])
  // No stored event is missing, whatever was written during the outage.
  const stored = server.log.all.map(({ stream }) => stream).filter((name) => name.startsWith('tailed-'))
  expect(streams).toEqual(stored.slice(3))
  expect(following.out()).not.toContain('Hopper')

  // npm sends the signal twice: from the terminal and by itself.
  following.child.kill('SIGINT')
  following.child.kill('SIGINT')
  expect(await following.ended).toBe(0)
})

it('starts at the end, and shows matching events', async () => {
  const following = tail('--type', 'ProviderAdded', '--reveal')
  await expect
    .poll(async () => {
      await store.append(`other-${++written}`, 'no-stream', [newEvent('Other')])
      await store.append(`shown-${++written}`, 'no-stream', [newEvent('ProviderAdded', { name: 'Hopper' })])
      return following.streams().length
    })
    .toBeGreaterThan(0)
  expect(following.streams().every((name) => name.startsWith('shown-'))).toBe(true)
  expect(following.out()).toContain('Hopper')
  following.child.kill('SIGTERM')
  expect(await following.ended).toBe(0)
})

it('starts after a position, and ends when its output is closed', async () => {
  const positions = (await store.readAll(null, { limit: 1_000 })).events.map(({ position }) => position)
  const following = tail('--after', positions.at(-3) ?? '')
  await expect.poll(() => following.streams().length).toBe(2)
  following.child.stdout?.destroy()
  await expect
    .poll(async () => {
      await write()
      return await Promise.race([following.ended, 'runs'])
    })
    .toBe(0)
  expect(following.err()).toBe('')
})

it.each([
  ['tail', '--last', 'many'],
  ['tail', '--last', '1', '--after', 'es-1'],
  ['tail', '--after', 'pg-0000000000000000001'],
  ['tail', '--since', '2026-01-01'],
  ['tail', 'tailed-1'],
  ['search', '--last', '3'],
])('refuses nonsense with one line and code 2: %s %s %s %s %s', async (...args) => {
  const { code, out, err } = await run(...args.filter((word) => word !== undefined))
  expect([code, out, err.trim().split('\n').length]).toEqual([2, '', 1])
})
