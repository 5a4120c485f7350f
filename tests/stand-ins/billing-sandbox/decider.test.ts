import { describe, expect, it } from 'vitest'
import { currentSubscription } from '#modules/billing/access.ts'
import { addMonth } from '#modules/billing/date-math.ts'
import { sandboxDecider, type SandboxCommand } from '#stand-ins/billing-sandbox/decider.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import {
  start,
  card,
  createCheckoutId,
  simulate,
  practiceId,
  type Step,
  createSubscriptionId,
} from '#tests/modules/billing/simulated-subscription.ts'

const given = deciderSpec(sandboxDecider)
const subscriptionId = createSubscriptionId(1)
const create: SandboxCommand = {
  type: 'Create',
  practiceId,
  now: start,
  subscriptionId,
  checkoutId: createCheckoutId(1),
  plan: 'professional',
}
const [incomplete] = simulate([{ action: 'choose', plan: 'professional' }]).moments
const pay = (over: Partial<Extract<SandboxCommand, { type: 'Pay' }>> = {}): SandboxCommand => ({
  type: 'Pay',
  practiceId,
  now: start,
  subscriptionId,
  card,
  confirmed: false,
  ...over,
})
const chosen: Step = { action: 'choose', plan: 'professional' }
const paid: Step = { action: 'pay', with: 'succeeds' }
const wait = (days: number): Step => ({ action: 'wait', days })
const after = (...all: Step[]) => simulate(all).ledger
const bills = (...all: Step[]) =>
  Object.values(after(...all).invoices).map(({ invoice: { status, amount } }) => `${status} ${amount.cents}`)

describe('the billing sandbox', () => {
  const created = {
    type: 'SandboxSubscriptionChanged',
    data: {
      practiceId,
      observed: { version: 1, at: start.toISOString() },
      subscription: incomplete?.ledger.subscriptions[subscriptionId]?.subscription as never,
    },
  } as const

  it('creates an unpaid subscription', () => {
    given().when(create).then(created)
    given(created).when(create).thenNothing()
    expect(created.data.subscription).toMatchObject({ status: 'incomplete', plan: 'professional', trialEnd: null })
  })

  it('stores nothing of a declined card', () => {
    given(created)
      .when(pay({ card: 'declined' }))
      .thenRefused('card-declined')
    given(created)
      .when(pay({ card: 'insufficient' }))
      .thenRefused('card-declined')
  })

  it('asks for a confirmation when the card requires it', () => {
    const asks = { ...card, behaviour: 'requires-confirmation' } as const
    given(created)
      .when(pay({ card: asks }))
      .thenRefused('confirmation-needed')
    expect(after(chosen, { action: 'pay', with: 'requires-confirmation' }).card?.behaviour).toBe(
      'requires-confirmation',
    )
  })

  it('abandons only an unpaid subscription', () => {
    const abandon: SandboxCommand = { type: 'Abandon', practiceId, now: start, subscriptionId }
    const { subscription } = created.data
    given(created)
      .when(abandon)
      .then({
        type: 'SandboxSubscriptionChanged',
        data: {
          practiceId,
          observed: { version: 2, at: start.toISOString() },
          subscription: { ...(subscription as object), status: 'canceled' } as never,
        },
      })
    const running = { ...(subscription as object), status: 'trialing' } as never
    const observed = { version: 2, at: start.toISOString() }
    given(created, {
      type: 'SandboxSubscriptionChanged',
      data: { practiceId, observed: observed, subscription: running },
    })
      .when(abandon)
      .thenNothing()
  })

  it('limits its clock to years of four digits', () => {
    const far = { type: 'SandboxClockAdvanced', data: { practiceId, days: 26_900 } } as const
    given(far).when({ type: 'Advance', practiceId, now: start, days: 400 }).thenRefused('clock-limit-reached')
  })

  it('refuses an unknown subscription', () => {
    given().when(pay()).thenRefused('unknown-subscription')
    given(created)
      .when(pay({ subscriptionId: 'sub_other' }))
      .thenRefused('unknown-subscription')
  })

  it('grants one trial of 30 days, then charges the following month', () => {
    const trial = currentSubscription(after(chosen, paid))
    expect(trial).toMatchObject({ status: 'trialing', trialEnd: '2026-03-02T12:00:00.000Z' })
    expect(bills(chosen, paid, wait(29))).toEqual([])
    expect(bills(chosen, paid, wait(30))).toEqual(['paid 12900'])
    expect(currentSubscription(after(chosen, paid, wait(30)))).toMatchObject({
      status: 'active',
      currentPeriodEnd: '2026-04-02T12:00:00.000Z',
    })
    const again = [chosen, paid, { action: 'cancel' }, wait(31), chosen, paid] as const
    expect(currentSubscription(after(...again))).toMatchObject({ status: 'active', trialEnd: null })
    expect(bills(...again)).toEqual(['paid 12900'])
  })

  it('catches up on every elapsed month', () => {
    expect(bills(chosen, paid, wait(95))).toEqual(['paid 12900', 'paid 12900', 'paid 12900'])
  })

  it('retries a failed payment, and cancels the subscription at the end of the period', () => {
    const later: Step = { action: 'pay', with: 'fails-later' }
    expect(currentSubscription(after(chosen, later, wait(30)))).toMatchObject({ status: 'past_due' })
    expect(Object.values(after(chosen, later, wait(30), wait(4)).invoices)[0]?.version).toBe(2)
    expect(bills(chosen, later, wait(30), paid)).toEqual(['paid 12900'])
    expect(currentSubscription(after(chosen, later, wait(30), paid))).toMatchObject({ status: 'active' })
    expect(currentSubscription(after(chosen, later, wait(70)))).toMatchObject({ status: 'canceled' })
    expect(bills(chosen, later, wait(70))).toEqual(['void 12900'])
    expect(bills(chosen, later, wait(30), { action: 'cancel' }, wait(40))).toEqual(['void 12900'])
  })

  it('charges an upgrade pro rata in whole cents', () => {
    const better: Step = { action: 'change', plan: 'enterprise' }
    // 15 of 31 days are left: 15/31 of 120.00, calculated in milliseconds.
    expect(bills(chosen, paid, wait(30), wait(16), better)).toEqual(['paid 12900', 'paid 5806'])
    expect(bills(chosen, paid, better)).toEqual([])
    expect(currentSubscription(after(chosen, paid, better))?.plan).toBe('enterprise')
  })

  it('downgrades with the next month', () => {
    const smaller: Step = { action: 'change', plan: 'starter' }
    expect(currentSubscription(after(chosen, paid, smaller))).toMatchObject({
      plan: 'professional',
      nextPlan: 'starter',
    })
    expect(bills(chosen, paid, smaller, wait(30))).toEqual(['paid 4900'])
  })

  it('uses calendar months', () => {
    expect(addMonth('2026-01-31T12:00:00.000Z')).toBe('2026-02-28T12:00:00.000Z')
    expect(addMonth('2028-01-30T00:00:00.000Z')).toBe('2028-02-29T00:00:00.000Z')
    expect(addMonth('2026-12-15T23:59:59.999Z')).toBe('2027-01-15T23:59:59.999Z')
  })
})
