import { expect, it } from 'vitest'
import { createStreamRegistry, type StreamRegistry } from '#http/stream-registry.ts'

const unlimited = { practice: Infinity, demoPractices: Infinity }

const open = (
  streams: StreamRegistry,
  userId: string,
  { practiceId = 'harbor', isDemo = false, limits = unlimited } = {},
) => streams.open({ userId, practiceId, isDemo }, limits, () => undefined)

it('closes every stream when the process stops, and opens no new ones', async () => {
  const streams = createStreamRegistry()
  const opened = [open(streams, 'ada'), open(streams, 'grace')]
  const ended = Promise.all(opened.map((stream) => new Promise((resolve) => stream?.resume().once('end', resolve))))
  streams.closeAll()
  await ended
  expect(open(streams, 'ada')).toBeNull()
})

it('limits streams per user, and releases closed ones', async () => {
  const streams = createStreamRegistry()
  const own = Array.from({ length: 8 }, () => open(streams, 'ada'))
  expect([open(streams, 'ada'), open(streams, 'grace') === null]).toEqual([null, false])
  const closed = new Promise((resolve) => own[0]?.once('close', resolve))
  own[0]?.destroy()
  await closed
  expect(open(streams, 'ada')).not.toBeNull()
})

it('limits streams per practice', () => {
  const streams = createStreamRegistry()
  const limited = { limits: { ...unlimited, practice: 2 } }
  expect(open(streams, 'ada', limited)).not.toBeNull()
  expect(open(streams, 'grace', limited)).not.toBeNull()
  expect(open(streams, 'hedy', limited)).toBeNull()
  expect(open(streams, 'hedy', { ...limited, practiceId: 'lakeside' })).not.toBeNull()
})

it('limits the streams of all demo practices together, but not those of subscribers', () => {
  const streams = createStreamRegistry()
  const demo = { isDemo: true, limits: { practice: 50, demoPractices: 2 } }
  expect(open(streams, 'ada', demo)).not.toBeNull()
  expect(open(streams, 'grace', { ...demo, practiceId: 'lakeside' })).not.toBeNull()
  expect(open(streams, 'hedy', { ...demo, practiceId: 'pier' })).toBeNull()
  expect(open(streams, 'hedy', { practiceId: 'pier' })).not.toBeNull()
})

it('verifies the streams of one user, or all', () => {
  const streams = createStreamRegistry()
  const verified: string[] = []
  for (const userId of ['ada', 'ada', 'grace'])
    streams.open({ userId, practiceId: 'harbor', isDemo: false }, unlimited, () => verified.push(userId))
  streams.verify('ada')
  expect(verified).toEqual(['ada', 'ada'])
  streams.verify()
  expect(verified).toEqual(['ada', 'ada', 'ada', 'ada', 'grace'])
})
