import { describe, expect, it } from 'vitest'
import { currentSubscription } from '#modules/billing/access.ts'
import { addMonth } from '#modules/billing/date-math.ts'
import { sandboxDecider, type SandboxCommand } from '#stand-ins/billing-sandbox/decider.ts'
import { deciderSpec } from '#tests/support/given.ts'
import {
  began,
  card,
  checkoutIdOf,
  live,
  practiceId,
  type Step,
  subscriptionIdOf,
} from '#tests/modules/billing/simulated-subscription.ts'

const given = deciderSpec(sandboxDecider)
const subscriptionId = subscriptionIdOf(1)
const create: SandboxCommand = {
  type: 'Create',
  practiceId,
  now: began,
  subscriptionId,
  checkoutId: checkoutIdOf(1),
  plan: 'professional',
}
const [incomplete] = live([{ does: 'choose', plan: 'professional' }]).moments
const pay = (over: Partial<Extract<SandboxCommand, { type: 'Pay' }>> = {}): SandboxCommand => ({
  type: 'Pay',
  practiceId,
  now: began,
  subscriptionId,
  card,
  confirmed: false,
  ...over,
})
const chosen: Step = { does: 'choose', plan: 'professional' }
const paid: Step = { does: 'pay', with: 'succeeds' }
const wait = (days: number): Step => ({ does: 'wait', days })
const after = (...all: Step[]) => live(all).books
const bills = (...all: Step[]) =>
  Object.values(after(...all).invoices).map(({ invoice: { status, amount } }) => `${status} ${amount.cents}`)

describe('the sandbox processor', () => {
  const created = {
    type: 'SandboxSubscriptionChanged',
    data: {
      practiceId,
      observed: { version: 1, at: began.toISOString() },
      subscription: incomplete?.books.subscriptions[subscriptionId]?.subscription as never,
    },
  } as const

  it('begins with a subscription that nobody paid for', () => {
    given().when(create).then(created)
    given(created).when(create).thenNothing()
    expect(created.data.subscription).toMatchObject({ status: 'incomplete', plan: 'professional', trialEnd: null })
  })

  it('keeps nothing of a card that is refused', () => {
    given(created)
      .when(pay({ card: 'declined' }))
      .thenRefused('card-declined')
    given(created)
      .when(pay({ card: 'insufficient' }))
      .thenRefused('card-declined')
  })

  it('asks the bank where the card wants it', () => {
    const asks = { ...card, behaviour: 'asks-first' } as const
    given(created)
      .when(pay({ card: asks }))
      .thenRefused('confirmation-needed')
    expect(after(chosen, { does: 'pay', with: 'asks-first' }).card?.behaviour).toBe('asks-first')
  })

  it('gives up what was never paid, and nothing else', () => {
    const abandon: SandboxCommand = { type: 'Abandon', practiceId, now: began, subscriptionId }
    const { subscription } = created.data
    given(created)
      .when(abandon)
      .then({
        type: 'SandboxSubscriptionChanged',
        data: {
          practiceId,
          observed: { version: 2, at: began.toISOString() },
          subscription: { ...(subscription as object), status: 'canceled' } as never,
        },
      })
    const running = { ...(subscription as object), status: 'trialing' } as never
    const begun = { version: 2, at: began.toISOString() }
    given(created, {
      type: 'SandboxSubscriptionChanged',
      data: { practiceId, observed: begun, subscription: running },
    })
      .when(abandon)
      .thenNothing()
  })

  it('has a clock that ends before years have five digits', () => {
    const far = { type: 'SandboxClockAdvanced', data: { practiceId, days: 26_900 } } as const
    given(far).when({ type: 'Advance', practiceId, now: began, days: 400 }).thenRefused('clock-limit-reached')
  })

  it('knows only its own subscriptions', () => {
    given().when(pay()).thenRefused('unknown-subscription')
    given(created)
      .when(pay({ subscriptionId: 'sub_other' }))
      .thenRefused('unknown-subscription')
  })

  it('gives a trial of 30 days once, and charges the month after it', () => {
    const trial = currentSubscription(after(chosen, paid))
    expect(trial).toMatchObject({ status: 'trialing', trialEnd: '2026-03-02T12:00:00.000Z' })
    expect(bills(chosen, paid, wait(29))).toEqual([])
    expect(bills(chosen, paid, wait(30))).toEqual(['paid 12900'])
    expect(currentSubscription(after(chosen, paid, wait(30)))).toMatchObject({
      status: 'active',
      currentPeriodEnd: '2026-04-02T12:00:00.000Z',
    })
    const again = [chosen, paid, { does: 'cancel' }, wait(31), chosen, paid] as const
    expect(currentSubscription(after(...again))).toMatchObject({ status: 'active', trialEnd: null })
    expect(bills(...again)).toEqual(['paid 12900'])
  })

  it('makes up for every month that went by', () => {
    expect(bills(chosen, paid, wait(95))).toEqual(['paid 12900', 'paid 12900', 'paid 12900'])
  })

  it('tries a failed payment again, and gives the subscription up with the period', () => {
    const later: Step = { does: 'pay', with: 'fails-later' }
    expect(currentSubscription(after(chosen, later, wait(30)))).toMatchObject({ status: 'past_due' })
    expect(Object.values(after(chosen, later, wait(30), wait(4)).invoices)[0]?.version).toBe(2)
    expect(bills(chosen, later, wait(30), paid)).toEqual(['paid 12900'])
    expect(currentSubscription(after(chosen, later, wait(30), paid))).toMatchObject({ status: 'active' })
    expect(currentSubscription(after(chosen, later, wait(70)))).toMatchObject({ status: 'canceled' })
    expect(bills(chosen, later, wait(70))).toEqual(['void 12900'])
    expect(bills(chosen, later, wait(30), { does: 'cancel' }, wait(40))).toEqual(['void 12900'])
  })

  it('charges what is left of a month for a better plan, in whole cents', () => {
    const better: Step = { does: 'change', plan: 'enterprise' }
    // Half of the 31 days are left, less than a day counted in milliseconds: 120.00 of 31 days, 15 left.
    expect(bills(chosen, paid, wait(30), wait(16), better)).toEqual(['paid 12900', 'paid 5806'])
    expect(bills(chosen, paid, better)).toEqual([])
    expect(currentSubscription(after(chosen, paid, better))?.plan).toBe('enterprise')
  })

  it('takes a smaller plan with the next month', () => {
    const smaller: Step = { does: 'change', plan: 'starter' }
    expect(currentSubscription(after(chosen, paid, smaller))).toMatchObject({
      plan: 'professional',
      nextPlan: 'starter',
    })
    expect(bills(chosen, paid, smaller, wait(30))).toEqual(['paid 4900'])
  })

  it('counts months as calendars do', () => {
    expect(addMonth('2026-01-31T12:00:00.000Z')).toBe('2026-02-28T12:00:00.000Z')
    expect(addMonth('2028-01-30T00:00:00.000Z')).toBe('2028-02-29T00:00:00.000Z')
    expect(addMonth('2026-12-15T23:59:59.999Z')).toBe('2027-01-15T23:59:59.999Z')
  })
})
