import { describe, expect, it } from 'vitest'
import type { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { Refusal } from '#http/refusals.ts'
import { createRefusalTally } from '#modules/audit/refusal-tally.ts'

const limits = { windowMs: 60_000, maxPerGroup: 3, maxTotal: 6 }
const at = '2026-11-22T08:00:00.000Z'
const later = '2026-11-22T08:00:30.000Z'

const refusal = (over: Partial<Refusal> = {}): Refusal => ({
  caller: null,
  method: 'GET',
  route: '/api/patients',
  status: 401,
  code: 'signed-out',
  address: '192.0.2.1',
  correlationId: 'first',
  ...over,
})
const from = (address: string) => refusal({ address })
const member = (userId: string, practiceId: string, route: string) =>
  refusal({ caller: { userId: userId as UserId, practiceId: practiceId as PracticeId, role: 'nurse' }, route })

describe('the tally of refusals', () => {
  it('returns the first of equal refusals at once, and the others as one count at the end of the window', () => {
    const tally = createRefusalTally(limits)
    tally.add(refusal(), at)
    expect(tally.takeDue(0)).toEqual([{ refusal: refusal(), scope: 'equal', count: 1, firstAt: at, lastAt: at }])
    tally.add(refusal({ correlationId: 'second' }), at)
    tally.add(refusal({ correlationId: 'third' }), later)
    expect(tally.takeDue(59_999)).toEqual([])
    expect(tally.takeDue(60_000)).toMatchObject([{ count: 2, firstAt: at, lastAt: later }])
    expect(tally.takeDue(120_000)).toEqual([])
    tally.add(refusal(), later)
    expect(tally.takeDue(120_001)).toMatchObject([{ count: 1 }])
  })

  it('counts what differs in person, route, code or address separately', () => {
    const tally = createRefusalTally({ ...limits, maxPerGroup: 10, maxTotal: 10 })
    const different = [
      refusal(),
      from('192.0.2.2'),
      refusal({ route: '/api/appointment-types' }),
      refusal({ status: 429, code: 'too-many-attempts' }),
      member('a', 'p', '/api/appointment-types'),
      member('b', 'p', '/api/appointment-types'),
    ]
    for (const each of different) tally.add(each, at)
    expect(tally.takeDue(0).map((taken) => taken.refusal)).toEqual(different)
  })

  it('limits each practice and all visitors, and does not let one hide another', () => {
    const tally = createRefusalTally(limits)
    for (let host = 1; host <= 100; host++) tally.add(from(`192.0.2.${host}`), at)
    tally.add(member('a', 'p', '/api/appointment-types'), at)
    const taken = tally.takeDue(0)
    expect(taken.map(({ scope, count }) => [scope, count])).toEqual([
      ['equal', 1],
      ['equal', 1],
      ['equal', 1],
      ['group', 97],
      ['equal', 1],
    ])
    expect(taken.at(-1)?.refusal.caller?.userId).toBe('a')
  })

  it('limits the total, however many practices there are', () => {
    const tally = createRefusalTally(limits)
    for (let practice = 1; practice <= 1_000; practice++)
      tally.add(member('a', `p${practice}`, '/api/appointment-types'), at)
    const taken = tally.takeDue(0)
    expect(taken).toHaveLength(limits.maxTotal + 1)
    expect(taken.at(-1)).toMatchObject({ scope: 'all', count: 1_000 - limits.maxTotal })
  })

  it('has room again after the window, and returns everything at the end', () => {
    const tally = createRefusalTally(limits)
    for (let host = 1; host <= 4; host++) tally.add(from(`192.0.2.${host}`), at)
    tally.takeDue(0)
    expect(tally.takeDue(60_000)).toEqual([])
    tally.add(from('192.0.2.5'), at)
    expect(tally.takeAll()).toMatchObject([{ scope: 'equal', refusal: { address: '192.0.2.5' } }])
  })
})
