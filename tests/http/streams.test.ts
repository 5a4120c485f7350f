import { expect, it } from 'vitest'
import { createStreamRegistry } from '#http/stream-registry.ts'

it('closes every stream when the process stops, and opens no new ones', async () => {
  const streams = createStreamRegistry()
  const [one, other] = [streams.open('ada'), streams.open('grace')]
  const ended = Promise.all(
    [one, other].map((stream) => new Promise((resolve) => stream?.resume().once('end', resolve))),
  )
  streams.closeAll()
  await ended
  expect(streams.open('ada')).toBeNull()
})

it('limits streams per user, and releases closed ones', async () => {
  const streams = createStreamRegistry()
  const own = Array.from({ length: 8 }, () => streams.open('ada'))
  expect([streams.open('ada'), streams.open('grace') === null]).toEqual([null, false])
  const closed = new Promise((resolve) => own[0]?.once('close', resolve))
  own[0]?.destroy()
  await closed
  expect(streams.open('ada')).not.toBeNull()
})
