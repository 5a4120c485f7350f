import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findChosenPlan, forgetChosenPlan, keepChosenPlan, parseChosenPlan } from '#web/entities/billing/chosen-plan.ts'
import { toAuthSearch } from '#web/shell/auth-redirect.ts'

let stored: Map<string, string>
beforeEach(() => {
  stored = new Map()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
})
afterEach(() => vi.unstubAllGlobals())

it('is remembered for a week, the last one only, and for no other user', () => {
  const [now, day] = [Date.parse('2026-11-20T08:00:00.000Z'), 24 * 3_600_000]
  expect(findChosenPlan('ada', now)).toBe(null)
  keepChosenPlan('starter', null, now)
  keepChosenPlan('enterprise', null, now)
  // Chosen before signing in: it belongs to the one who signs in next.
  expect(findChosenPlan('ada', now + 6 * day)).toBe('enterprise')
  keepChosenPlan('professional', 'ada', now)
  expect(findChosenPlan('ada', now + 6 * day)).toBe('professional')
  expect(findChosenPlan('grace', now)).toBe(null)
  expect(findChosenPlan(null, now)).toBe(null)
  expect(findChosenPlan('ada', now + 7 * day)).toBe(null)
  forgetChosenPlan()
  expect(findChosenPlan('ada', now)).toBe(null)
})

it.each(['', 'enterprise', '{', '{"plan":"gold","at":0,"userId":null}'])('is not read from %j', (text) => {
  stored.set('everchart.chosen-plan', text)
  expect(findChosenPlan(null, 0)).toBe(null)
})

it('is kept on the way to an account, whose creation is offered first, and leads to its payment', () => {
  const chosen = toAuthSearch({
    pathname: '/subscription',
    href: '/subscription?plan=enterprise',
    search: { plan: 'enterprise' },
  })
  expect(chosen).toEqual({ tab: 'register', redirect: '/subscription?plan=enterprise&step=payment' })
  expect(parseChosenPlan(chosen.redirect)).toBe('enterprise')
  expect(toAuthSearch({ pathname: '/subscription', href: '/subscription', search: {} })).toEqual({
    tab: 'register',
    redirect: '/subscription',
  })
})

it('is not invented: other pages lead to the sign-in, and back', () => {
  const href = '/patients?search=ada'
  expect(toAuthSearch({ pathname: '/patients', href, search: { search: 'ada' } })).toEqual({ redirect: href })
  for (const path of [undefined, '', '/', '/subscription', '/subscription?plan=gold', '/subscription?plan='])
    expect(parseChosenPlan(path)).toBe(null)
})
