import type { UserEvent } from '#modules/accounts/events.ts'
import type { PracticeEvent } from '#modules/practices/events.ts'
import { defineProcessManager, toCause } from '#process-managers/process-manager.ts'
import type { NewsletterEvent } from './events.ts'

/** The names of the jobs that this process manager requests; see jobs.ts. */
export const jobNames = {
  sendConfirmation: 'send-newsletter-confirmation',
  eraseAddress: 'erase-newsletter-address',
  applyRegistration: 'apply-newsletter-choice-of-registration',
  applyEmailChange: 'apply-changed-address-to-newsletter',
  applyPracticeSetup: 'apply-newsletter-choice-of-practice-setup',
} as const

type AccountEvent = Extract<UserEvent, { type: 'UserRegistered' | 'EmailChanged' }>

/** Sends confirmations, erases addresses that left, and passes on what users chose elsewhere. */
export const followNewsletter = defineProcessManager<NewsletterEvent | AccountEvent | PracticeEvent>({
  name: 'follow-newsletter',
  on: {
    NewsletterRequested: (event) => {
      const { subscriberId, sendAfter } = event.data
      const isDue = sendAfter <= event.metadata.at
      const data = { subscriberId, sendAfter }
      return [{ job: jobNames.sendConfirmation, data, ...(isDue ? {} : { startAfter: sendAfter }) }]
    },
    NewsletterLeft: ({ data: { subscriptionId } }) => [{ job: jobNames.eraseAddress, data: { subscriptionId } }],
    UserRegistered: (event) => {
      const { userId, newsletterOptIn } = event.data
      return newsletterOptIn ? [{ job: jobNames.applyRegistration, data: { userId, cause: toCause(event) } }] : []
    },
    EmailChanged: (event) => {
      const { userId, requestId } = event.data
      return [{ job: jobNames.applyEmailChange, data: { userId, requestId, cause: toCause(event) } }]
    },
    PracticeSetupCompleted: (event) => {
      const { practiceId, ownerId: userId, newsletterOptIn } = event.data
      const data = { practiceId, userId, newsletterOptIn, cause: toCause(event) }
      return [{ job: jobNames.applyPracticeSetup, data }]
    },
  },
})
