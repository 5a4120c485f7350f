import { expect, it } from 'vitest'
import { UserId } from '#contracts/values/ids.ts'
import { defaultSessionTimeout } from '#contracts/values/session-timeout.ts'
import type { DomainEvent } from '#eventstore/event.ts'
import { practiceStanding } from '#modules/accounts/practice-standing/projection.ts'
import type { Subscription } from '#modules/billing/events.ts'
import { subscriptionsProjection } from '#modules/billing/projection.ts'
import { type AnyProjection, applyEvent, type Rows } from '#projections/projection.ts'
import { practiceId } from '#tests/modules/billing/simulated-subscription.ts'
import { recordedEvent } from '#tests/support/events.ts'

const ownerId = UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11')
const place = { timezone: 'Europe/Berlin', phone: '+49 30 901820' }
const setUp = { type: 'PracticeSetUp', data: { practiceId, ownerId, name: 'Harbor Clinic', ...place } }
const secured = { type: 'PracticeDetailsChanged', data: { practiceId, from: {}, to: { requireTwoFactor: true } } }
const shortened = { type: 'PracticeDetailsChanged', data: { practiceId, from: {}, to: { sessionTimeout: 15 } } }

const subscription: Subscription = {
  subscriptionId: 'sub_1',
  checkoutId: null,
  status: 'trialing',
  plan: 'professional',
  nextPlan: null,
  cancelAtPeriodEnd: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  currentPeriodStart: '2026-01-01T00:00:00.000Z',
  currentPeriodEnd: '2026-02-01T00:00:00.000Z',
  trialEnd: '2026-02-01T00:00:00.000Z',
}
const observed = (version: number, at: string) => ({ version, at })
const trial = {
  type: 'TrialStarted',
  data: { practiceId, observed: observed(1, '2026-01-01T00:00:00.000Z'), subscription },
}
const canceled = {
  type: 'SubscriptionCanceled',
  data: {
    practiceId,
    observed: observed(2, '2026-01-09T00:00:00.000Z'),
    subscription: { ...subscription, status: 'canceled' },
  },
}

function rowAfter(projection: AnyProjection, ...events: DomainEvent[]) {
  const rows: Rows = new Map()
  events.forEach((event, revision) => applyEvent(projection, rows, recordedEvent(event, { revision })))
  return rows.get(practiceId)
}

const newcomer = {
  practice_id: practiceId,
  require_two_factor: false,
  session_timeout: defaultSessionTimeout,
  ...place,
  billing_state: null,
  subscription_status: null,
  access_kind: null,
  access_plan: null,
  access_until: null,
  last_update_at: null,
}

it('keeps what the practice requires of sessions', () => {
  expect(rowAfter(practiceStanding, setUp)).toEqual(newcomer)
  expect(rowAfter(practiceStanding, setUp, secured, shortened)).toEqual({
    ...newcomer,
    require_two_factor: true,
    session_timeout: 15,
  })
})

it('keeps where the practice is', () => {
  const moved = { timezone: 'America/Chicago', phone: '(312) 744-5000' }
  const move = { type: 'PracticeDetailsChanged', data: { practiceId, from: place, to: moved } }
  expect(rowAfter(practiceStanding, setUp, secured)).toMatchObject(place)
  expect(rowAfter(practiceStanding, setUp, move, shortened)).toMatchObject(moved)
  // A message of the payment provider may arrive before anything else.
  expect(rowAfter(practiceStanding, trial)).toMatchObject({ timezone: null, phone: null })
})

it('grants what billing grants, whichever came first', () => {
  const access = { access_kind: 'trial', access_plan: 'professional' }
  expect(rowAfter(practiceStanding, setUp, trial)).toMatchObject({ ...access, access_until: null })
  expect(rowAfter(practiceStanding, trial, setUp, secured)).toMatchObject({ ...access, require_two_factor: true })
  const { status, billing_state, access_until, last_update_at } =
    rowAfter(subscriptionsProjection, trial, canceled) ?? {}
  expect(rowAfter(practiceStanding, setUp, trial, secured, canceled)).toEqual({
    ...newcomer,
    ...access,
    require_two_factor: true,
    subscription_status: status,
    billing_state,
    access_until,
    last_update_at,
  })
  expect(access_until).toBe(subscription.trialEnd)
})
