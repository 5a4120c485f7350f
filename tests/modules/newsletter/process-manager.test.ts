import { describe, expect, it } from 'vitest'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import type { UserEvent } from '#modules/accounts/events.ts'
import type { NewsletterEvent } from '#modules/newsletter/events.ts'
import { newsletter } from '#modules/newsletter/module.ts'
import { followNewsletter } from '#modules/newsletter/process-manager.ts'
import type { PracticeEvent } from '#modules/practices/events.ts'
import { getJobRequests } from '#process-managers/process-manager.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { at, confirmed, email, left, requested, subscriberId, subscriptionId } from './fixtures.ts'

const userId = UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11')
const practiceId = PracticeId.parse('0f6f7a52-1b2c-4d3e-8f4a-5b6c7d8e9f00')

/** Returns the requested jobs, whose data the jobs of the module accept. */
function requests(event: NewsletterEvent | UserEvent | PracticeEvent) {
  const recorded = recordedEvent(event, {})
  const found = getJobRequests(followNewsletter, recorded)
  for (const { job, data } of found)
    expect(newsletter.jobs?.find(({ name }) => name === job)?.data.parse(data)).toEqual(data)
  expect(JSON.stringify(found)).not.toContain('@')
  const cause = { correlationId: recorded.metadata.correlationId, causationId: recorded.id }
  return { found, cause }
}

const registered = (newsletterOptIn: boolean): UserEvent => ({
  type: 'UserRegistered',
  data: {
    userId,
    email,
    username: 'reader',
    firstName: 'Ada',
    lastName: 'Okafor',
    role: 'staff',
    newsletterOptIn,
    addressHash: 'hash',
  },
})
const setUp = (newsletterOptIn: boolean): PracticeEvent => ({
  type: 'PracticeSetupCompleted',
  data: { practiceId, ownerId: userId, newsletterOptIn, selectedPlan: 'starter' },
})

describe('the newsletter', () => {
  it('sends a confirmation at once, or when it is due', () => {
    expect(requests(requested(at(20))).found).toEqual([
      { job: 'send-newsletter-confirmation', data: { subscriberId, sendAfter: at(20) } },
    ])
    expect(requests(requested(at(21))).found).toEqual([
      { job: 'send-newsletter-confirmation', data: { subscriberId, sendAfter: at(21) }, startAfter: at(21) },
    ])
  })

  it('erases an address that left', () => {
    expect(requests(left()).found).toEqual([{ job: 'erase-newsletter-address', data: { subscriptionId } }])
  })

  it('does nothing when it is confirmed', () => {
    expect(requests(confirmed).found).toEqual([])
  })

  it('follows the choice at registration, if it was made', () => {
    const { found, cause } = requests(registered(true))
    expect(found).toEqual([{ job: 'apply-newsletter-choice-of-registration', data: { userId, cause } }])
    expect(requests(registered(false)).found).toEqual([])
  })

  it('follows either choice in the set-up of a practice', () => {
    for (const newsletterOptIn of [true, false]) {
      const { found, cause } = requests(setUp(newsletterOptIn))
      const data = { practiceId, userId, newsletterOptIn, cause }
      expect(found).toEqual([{ job: 'apply-newsletter-choice-of-practice-setup', data }])
    }
  })
})
