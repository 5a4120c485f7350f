import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NewsletterSubscriptionId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { computeConfirmDeadline, type NewsletterCommand, newsletterDecider } from '#modules/newsletter/decider.ts'
import { NewsletterEvent } from '#modules/newsletter/events.ts'
import { newsletterSubscribers } from '#modules/newsletter/projection.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { cases } from '#tests/support/long.ts'
import { email, subscriberId } from './fixtures.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const start = Date.parse('2026-11-20T08:00:00.000Z')
const subscriptionIds = [1, 2, 3].map((n) => NewsletterSubscriptionId.parse(`6d1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c0${n}`))

/** A step: what is asked, and how many hours after the step before. */
const step = fc.record({
  hours: fc.integer({ min: 0, max: 60 }),
  type: fc.constantFrom(
    'Request' as const,
    'Request' as const,
    'Confirm' as const,
    'Leave' as const,
    'Expire' as const,
  ),
  source: fc.constantFrom('form' as const, 'registration' as const),
  id: fc.constantFrom(...subscriptionIds),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const toCommand = ({ type, id: subscriptionId, source }: Step, at: string): NewsletterCommand =>
  type === 'Request'
    ? { type, subscriberId, subscriptionId, email, source, at }
    : type === 'Leave'
      ? { type, reason: source === 'form' ? 'link' : 'account' }
      : type === 'Confirm'
        ? { type, subscriptionId }
        : { type, subscriptionId, at }

/** Runs the steps; returns the events with the instants at which they were decided. */
function run(steps: readonly Step[]) {
  const history: { event: NewsletterEvent; at: string }[] = []
  let now = start
  for (const each of steps) {
    now += each.hours * hourMs
    const at = new Date(now).toISOString()
    const before = fold(newsletterDecider, events(history))
    const command = toCommand(each, at)
    const decision = newsletterDecider.decide(command, before)
    if (isRejection(decision)) continue
    for (const event of decision) expect(NewsletterEvent.parse(event)).toEqual(event)
    history.push(...decision.map((event) => ({ event, at })))
    // The same command, repeated at once, changes nothing.
    const repeated = newsletterDecider.decide(command, fold(newsletterDecider, events(history)))
    expect(isRejection(repeated) ? [] : repeated).toEqual([])
  }
  return history
}

const events = (history: readonly { event: NewsletterEvent }[]) => history.map(({ event }) => event)

const holds = (check: (history: ReturnType<typeof run>) => void) =>
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => check(run(steps))),
    { numRuns: cases(500, 20_000) },
  )

it('sends at most one confirmation a day, whatever is asked', () => {
  holds((history) => {
    const sent = events(history).flatMap((event) =>
      event.type === 'NewsletterRequested' ? [Date.parse(event.data.sendAfter)] : [],
    )
    const tooEarly = sent.filter((instant, index) => index > 0 && instant - (sent[index - 1] ?? 0) < dayMs)
    expect(tooEarly).toEqual([])
    const inThePast = history.filter(({ event: { data }, at }) => 'sendAfter' in data && data.sendAfter < at)
    expect(inThePast).toEqual([])
  })
})

it('confirms only what was requested and not left, once', () => {
  holds((history) => {
    let open: string | null = null
    let isConfirmed = false
    for (const { type, data } of events(history)) {
      if (type === 'NewsletterRequested') {
        // A repeated request continues its subscription, and never one that is confirmed.
        expect(isConfirmed).toBe(false)
        if (open !== null) expect(data.subscriptionId).toBe(open)
        open = data.subscriptionId
      } else {
        expect(data.subscriptionId).toBe(open)
        if (type === 'NewsletterConfirmed') expect(isConfirmed).toBe(false)
        isConfirmed = type === 'NewsletterConfirmed'
        if (type === 'NewsletterLeft') open = null
      }
    }
  })
})

it('ends by an account nothing that was requested on the form', () => {
  holds((history) => {
    let wasOnForm = false
    for (const { type, data } of events(history)) {
      const endsAnother = type === 'NewsletterLeft' && data.reason === 'account' && wasOnForm
      expect(endsAnother).toBe(false)
      wasOnForm = type !== 'NewsletterLeft' && (wasOnForm || (type === 'NewsletterRequested' && data.source === 'form'))
    }
  })
})

it('keeps no unconfirmed request once it expired', () => {
  holds((history) => {
    const state = fold(newsletterDecider, events(history))
    if (state.status !== 'pending') return
    const at = computeConfirmDeadline(state)
    const decision = newsletterDecider.decide({ type: 'Expire', subscriptionId: state.subscriptionId, at }, state)
    expect(decision).toMatchObject([{ type: 'NewsletterLeft', data: { reason: 'unconfirmed' } }])
  })
})

it('lists in the read model exactly the addresses that are pending or confirmed', () => {
  holds((history) => {
    const rows: Rows = new Map()
    for (const { event, at } of history)
      applyEvent(newsletterSubscribers, rows, { ...event, metadata: { at } } as never)
    const row = rows.get(subscriberId) ?? null
    const state = fold(newsletterDecider, events(history))
    if (state.status === 'none' || state.status === 'left') expect(row).toBeNull()
    else
      expect(row).toMatchObject({
        subscription_id: state.subscriptionId,
        send_after: state.sendAfter,
        email,
        confirmed_at: state.status === 'confirmed' ? expect.any(String) : null,
      })
  })
})
