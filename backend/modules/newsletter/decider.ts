import { addDays } from 'date-fns/addDays'
import { newsletterConfirmDays } from '#contracts/newsletter.ts'
import type { NewsletterSubscriberId, NewsletterSubscriptionId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { NewsletterEvent, type NewsletterSource } from './events.ts'

/** The commands for the newsletter of one address. `at` is an ISO instant in UTC. */
export type NewsletterCommand =
  | {
      type: 'Request'
      subscriberId: NewsletterSubscriberId
      /** The id of a new subscription; a request that repeats one keeps its own. */
      subscriptionId: NewsletterSubscriptionId
      email: string
      source: NewsletterSource
      at: string
    }
  | { type: 'Confirm'; subscriptionId: NewsletterSubscriptionId }
  /** `account` ends only what accounts requested: it is not proven that the address of an account is its user's. */
  | { type: 'Leave'; reason: 'link' | 'account' }
  | { type: 'Expire'; subscriptionId: NewsletterSubscriptionId; at: string }

type Subscription = { subscriberId: NewsletterSubscriberId; subscriptionId: NewsletterSubscriptionId }

/**
 * The state of an address. `sendAfter` is the instant from which its latest confirmation may be sent. `source` is `form` once
 * it was requested there, also if an account requested it again.
 */
export type NewsletterState =
  | { status: 'none' }
  | ({ status: 'pending'; email: string; sendAfter: string; source: NewsletterSource } & Subscription)
  | ({ status: 'confirmed' | 'left'; sendAfter: string; source: NewsletterSource } & Subscription)

/** Days between two confirmations to one address, so that strangers cannot flood a mailbox. */
const sendIntervalDays = 1

const addDaysTo = (instant: string, days: number): string => addDays(instant, days).toISOString()

/** Returns the instant until which a request can be confirmed. */
export const computeConfirmDeadline = ({ sendAfter }: { sendAfter: string }): string =>
  addDaysTo(sendAfter, newsletterConfirmDays)

/** The rules of the newsletter for one address: requested by anyone, confirmed and left by its owner. */
export const newsletterDecider: Decider<NewsletterCommand, NewsletterEvent, NewsletterState, 'not-requested'> = {
  category: 'newsletter',
  events: NewsletterEvent,
  initial: { status: 'none' },
  decide(command, state) {
    switch (command.type) {
      case 'Request':
        return decideRequest(command, state)
      case 'Confirm':
        if (state.status === 'none' || state.status === 'left' || state.subscriptionId !== command.subscriptionId)
          return reject('not-requested', 'This subscription is no longer requested.')
        return state.status === 'confirmed' ? [] : [{ type: 'NewsletterConfirmed', data: toSubscription(state) }]
      case 'Leave':
        return command.reason === 'account' && state.status !== 'none' && state.source === 'form'
          ? []
          : leave(state, command.reason)
      case 'Expire': {
        const isExpired =
          state.status === 'pending' &&
          state.subscriptionId === command.subscriptionId &&
          computeConfirmDeadline(state) <= command.at
        return isExpired ? leave(state, 'unconfirmed') : []
      }
    }
  },
  evolve(state, event) {
    if (event.type === 'NewsletterRequested') {
      const wasOnForm = state.status === 'pending' && state.source === 'form'
      return { status: 'pending', ...event.data, ...(wasOnForm ? { source: 'form' } : {}) }
    }
    if (state.status === 'none') return state
    const status = event.type === 'NewsletterConfirmed' ? 'confirmed' : 'left'
    return { status, sendAfter: state.sendAfter, source: state.source, ...toSubscription(state) }
  },
}

function decideRequest(
  { subscriberId, subscriptionId, email, source, at }: Extract<NewsletterCommand, { type: 'Request' }>,
  state: NewsletterState,
): NewsletterEvent[] {
  if (state.status === 'confirmed') return []
  const nextAllowed = state.status === 'none' ? at : addDaysTo(state.sendAfter, sendIntervalDays)
  const isPending = state.status === 'pending'
  // The latest confirmation was sent, or will be, within a day.
  if (isPending && nextAllowed > at) return []
  const sendAfter = nextAllowed > at ? nextAllowed : at
  const kept = isPending ? state.subscriptionId : subscriptionId
  return [{ type: 'NewsletterRequested', data: { subscriberId, subscriptionId: kept, email, source, sendAfter } }]
}

function leave(
  state: NewsletterState,
  reason: Extract<NewsletterEvent, { type: 'NewsletterLeft' }>['data']['reason'],
): NewsletterEvent[] {
  if (state.status === 'none' || state.status === 'left') return []
  return [{ type: 'NewsletterLeft', data: { ...toSubscription(state), reason } }]
}

const toSubscription = ({ subscriberId, subscriptionId }: Subscription): Subscription => ({
  subscriberId,
  subscriptionId,
})
