import { describe, expect, it } from 'vitest'
import { type NewsletterCommand, newsletterDecider } from '#modules/newsletter/decider.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { at, confirmed, email, laterSubscriptionId, left, requested, subscriberId, subscriptionId } from './fixtures.ts'

const given = deciderSpec(newsletterDecider)

const request = (instant: string, id = subscriptionId): NewsletterCommand => ({
  type: 'Request',
  subscriberId,
  subscriptionId: id,
  email,
  source: 'form',
  at: instant,
})
const confirm = (id = subscriptionId): NewsletterCommand => ({ type: 'Confirm', subscriptionId: id })
const leave = { type: 'Leave', reason: 'link' } as const
const expire = (instant: string, id = subscriptionId): NewsletterCommand => ({
  type: 'Expire',
  subscriptionId: id,
  at: instant,
})

describe('requesting the newsletter', () => {
  it('sends a confirmation at once', () => {
    given()
      .when(request(at(20)))
      .then(requested(at(20)))
  })

  it('sends no second confirmation within a day', () => {
    given(requested(at(20)))
      .when(request(at(21, '07:59:59.999')))
      .thenNothing()
  })

  it('sends another confirmation a day later, for the same subscription', () => {
    given(requested(at(20)))
      .when(request(at(21), laterSubscriptionId))
      .then(requested(at(21)))
  })

  it('does nothing for a confirmed address', () => {
    given(requested(), confirmed)
      .when(request(at(28)))
      .thenNothing()
  })

  it('begins another subscription after the address left', () => {
    given(requested(), confirmed, left())
      .when(request(at(28), laterSubscriptionId))
      .then(requested(at(28), { subscriptionId: laterSubscriptionId }))
  })

  it('sends the confirmation of an address that left within a day when that day is over', () => {
    given(requested(at(20)), confirmed, left())
      .when(request(at(20, '09:00:00.000'), laterSubscriptionId))
      .then(requested(at(21), { subscriptionId: laterSubscriptionId }))
  })
})

describe('confirming', () => {
  it('subscribes', () => {
    given(requested()).when(confirm()).then(confirmed)
  })

  it('takes effect once', () => {
    given(requested(), confirmed).when(confirm()).thenNothing()
  })

  it('works with the link of an earlier message, too', () => {
    given(requested(at(20)), requested(at(21)))
      .when(confirm())
      .then(confirmed)
  })

  it('is refused without a request, and with a link from before the address left', () => {
    given().when(confirm()).thenRefused('not-requested')
    given(requested(), left()).when(confirm()).thenRefused('not-requested')
    given(requested(), left(), requested(at(22), { subscriptionId: laterSubscriptionId }))
      .when(confirm())
      .thenRefused('not-requested')
  })
})

describe('leaving', () => {
  it('ends a request and a subscription', () => {
    given(requested()).when(leave).then(left())
    given(requested(), confirmed).when(leave).then(left())
  })

  it('by an account ends what an account requested, and nothing that was requested on the form', () => {
    const leaveByAccount = { type: 'Leave', reason: 'account' } as const
    const byAccount = requested(at(22), { source: 'registration' })
    given(byAccount).when(leaveByAccount).then(left('account'))
    given(byAccount, confirmed).when(leaveByAccount).then(left('account'))
    given(requested(), confirmed).when(leaveByAccount).thenNothing()
    given(requested(), byAccount, confirmed).when(leaveByAccount).thenNothing()
    given(requested(), left(), byAccount, confirmed).when(leaveByAccount).then(left('account'))
  })

  it('takes effect once', () => {
    given().when(leave).thenNothing()
    given(requested(), left()).when(leave).thenNothing()
  })
})

describe('a request that is not confirmed', () => {
  it('ends after seven days', () => {
    given(requested(at(20)))
      .when(expire(at(27)))
      .then(left('unconfirmed'))
    given(requested(at(20)))
      .when(expire(at(27, '07:59:59.999')))
      .thenNothing()
  })

  it('ends seven days after the latest message', () => {
    given(requested(at(20)), requested(at(22)))
      .when(expire(at(27)))
      .thenNothing()
  })

  it('stays when it was confirmed, left or begun again', () => {
    given(requested(), confirmed)
      .when(expire(at(28)))
      .thenNothing()
    given(requested(), left())
      .when(expire(at(28)))
      .thenNothing()
    given(requested())
      .when(expire(at(28), laterSubscriptionId))
      .thenNothing()
    given()
      .when(expire(at(28)))
      .thenNothing()
  })
})

it('names streams by the id of the address', () => {
  expect(newsletterDecider.category).toBe('newsletter')
})
