import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { eitherSignal } from '#web/api/either-signal.ts'

describe.each([true, false])('a signal of two, where the browser can join them: %s', (canJoin) => {
  const { any } = AbortSignal
  beforeEach(() => {
    if (!canJoin) Reflect.deleteProperty(AbortSignal, 'any')
  })
  afterEach(() => {
    AbortSignal.any = any
  })

  it.each([0, 1])('is aborted with signal %i, for its reason', (index) => {
    const controllers = [new AbortController(), new AbortController()] as const
    const signal = eitherSignal(controllers[0].signal, controllers[1].signal)
    expect(signal.aborted).toBe(false)
    controllers[index === 0 ? 0 : 1].abort('enough')
    expect(signal.aborted).toBe(true)
    expect(signal.reason).toBe('enough')
  })

  it('is aborted when one of them was before', () => {
    const signal = eitherSignal(new AbortController().signal, AbortSignal.abort('earlier'))
    expect(signal.aborted).toBe(true)
    expect(signal.reason).toBe('earlier')
  })
})
