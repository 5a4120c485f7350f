import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deriveId } from '#eventstore/derive-id.ts'
import { createAttemptLog } from '#eventstore/kurrentdb/attempt-log.ts'
import { formatPosition } from '#eventstore/kurrentdb/position.ts'

const positionAt = (offset: number) => formatPosition({ commit: BigInt(offset), prepare: BigInt(offset) })

describe('the log of append attempts', () => {
  it('is certain about a new random id beyond everything known', () => {
    const log = createAttemptLog()
    const first = log.begin(randomUUID())
    expect(first.isFirst(positionAt(1))).toBe(true)
    first.end(positionAt(1))
    expect(log.begin(randomUUID()).isFirst(positionAt(2))).toBe(true)
  })

  it('is not certain at a position that is not beyond the newest one known before', () => {
    const log = createAttemptLog()
    log.begin(randomUUID()).end(positionAt(7))
    expect(log.begin(randomUUID()).isFirst(positionAt(7))).toBe(false)
    expect(log.begin(randomUUID()).isFirst(positionAt(3))).toBe(false)
  })

  describe('with derived ids, which another instance can use too', () => {
    let now = 0
    const createLog = () => createAttemptLog(() => now)
    const id = deriveId('a request')
    const learn = (log: ReturnType<typeof createAttemptLog>, offset: number) =>
      log.begin(randomUUID()).end(positionAt(offset))

    it('is not certain unless the caller is', () => {
      const log = createLog()
      learn(log, 1)
      expect(log.begin(id).isFirst(positionAt(2))).toBe(false)
      expect(log.begin(deriveId('another')).isFirst(positionAt(2), true)).toBe(true)
    })

    it('is not certain before it knows a position, such as after a restart', () => {
      const log = createLog()
      expect(log.begin(id).isFirst(positionAt(2), true)).toBe(false)
    })

    it('is not certain at or before a position that was read', () => {
      const log = createLog()
      learn(log, 1)
      log.observe(positionAt(7))
      expect(log.begin(id).isFirst(positionAt(7), true)).toBe(false)
      expect(log.begin(deriveId('another')).isFirst(positionAt(8), true)).toBe(true)
    })

    it('is not certain when it last appended long ago, whatever was read since: the key may have expired', () => {
      const log = createLog()
      learn(log, 1)
      now += 3 * 3_600_000
      log.observe(positionAt(2))
      expect(log.begin(id).isFirst(positionAt(3), true)).toBe(false)
      learn(log, 4)
      expect(log.begin(deriveId('another')).isFirst(positionAt(5), true)).toBe(true)
    })

    it('is not certain after an attempt of unknown outcome', () => {
      const log = createLog()
      learn(log, 1)
      log.begin(id)
      expect(log.begin(id).isFirst(positionAt(2), true)).toBe(false)
    })
  })

  it('is not certain about ids of an attempt in progress, or of one without a known outcome', () => {
    const log = createAttemptLog()
    const id = randomUUID()
    const unknown = log.begin(id)
    expect(log.begin(id).isFirst(positionAt(1))).toBe(false)
    expect(unknown.isFirst(positionAt(1))).toBe(false)
  })

  it('forgets an attempt that ended, such as in a conflict', () => {
    const log = createAttemptLog()
    const id = randomUUID()
    log.begin(id).end()
    expect(log.begin(id).isFirst(positionAt(1))).toBe(true)
  })

  it('never takes a repetition for a first append, whatever happened before', () => {
    const ids = [randomUUID(), randomUUID(), deriveId('one'), deriveId('two')]
    // An attempt with one of four ids begins, and ends later with or without a reply; the server writes an id once. Both
    // instances use the derived ids, and are certain of the first attempt until there is a second one.
    const step = fc.record({
      id: fc.integer({ min: 0, max: 3 }),
      instance: fc.integer({ min: 0, max: 1 }),
      isLost: fc.boolean(),
      endsAfter: fc.nat({ max: 3 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const logs = [createAttemptLog(), createAttemptLog()] as const
        const written = new Map<number, number>()
        const counts = new Map<number, number>()
        const open: { due: number; settle: () => void }[] = []
        steps.forEach(({ id, instance, isLost, endsAfter }, now) => {
          const attempt = logs[id < 2 || instance === 0 ? 0 : 1].begin(ids[id] ?? '')
          counts.set(id, (counts.get(id) ?? 0) + 1)
          const isRepetition = written.has(id)
          const offset = written.get(id) ?? now + 1
          written.set(id, offset)
          const settle = () => {
            if (isLost) return
            const isFirst = attempt.isFirst(positionAt(offset), counts.get(id) === 1)
            expect(isFirst && isRepetition).toBe(false)
            attempt.end(positionAt(offset))
          }
          open.push({ due: now + endsAfter, settle })
          for (const { settle: settleDue } of open.filter(({ due }) => due === now)) settleDue()
        })
      }),
    )
  })
})
