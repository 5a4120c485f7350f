import type { Logger } from 'pino'
import type { CommandContext } from '#eventstore/command.ts'
import { ProblemError } from './problems.ts'
import type { Caller } from './session.ts'
import { createSharedUsage } from './shared-usage.ts'
import { type Amount, findWait, type PeriodLimits } from './usage.ts'
import type { UsageStore } from './usage-store.ts'

/** Quotas of an installation (docs/decisions/0028). */
export type Quotas = {
  /** Limits of one practice without a subscription while the e-mail address of its owner is not confirmed. */
  unprovenPractice: PeriodLimits
  /** Limits of one practice without a subscription. Without a mail server, its e-mail address may be invented. */
  demoPractice: PeriodLimits
  subscribedPractice: PeriodLimits
  /** Limits of all practices without a subscription together, with their sample data. */
  allDemoPractices: PeriodLimits
  /** Limits of the open event streams in one instance: far more than the browsers that a practice has open. */
  streams: { demoPractice: number; subscribedPractice: number; allDemoPractices: number }
  /** Registrations from one network within an hour. */
  registrationsPerNetwork: number
  /** Requests on the public form of the newsletter within an hour: from one network, and altogether. */
  newsletterRequestsPerNetwork: number
  newsletterRequests: number
  /** Invitations that one practice sends within an hour. */
  invitationsPerPractice: number
}

const megabyte = 1024 * 1024

/** The quotas of production. A busy practice writes a few hundred events a day by hand, and imports its patients once. */
export const productionQuotas: Quotas = {
  // Enough to try everything by hand.
  unprovenPractice: {
    minute: { rows: 60, bytes: 2 * megabyte },
    hour: { rows: 200, bytes: 5 * megabyte },
    day: { rows: 300, bytes: 10 * megabyte },
  },
  demoPractice: {
    minute: { rows: 3_000, bytes: 40 * megabyte },
    hour: { rows: 20_000, bytes: 120 * megabyte },
    day: { rows: 60_000, bytes: 250 * megabyte },
  },
  subscribedPractice: {
    // More than an import writes, so that it does not stop the other users of its practice.
    minute: { rows: 60_000, bytes: 400 * megabyte },
    hour: { rows: 300_000, bytes: 2_000 * megabyte },
    day: { rows: 1_000_000, bytes: 10_000 * megabyte },
  },
  // Sample data of a practice is about a thousand events.
  allDemoPractices: {
    minute: { rows: 60_000, bytes: 400 * megabyte },
    hour: { rows: 300_000, bytes: 1_000 * megabyte },
    day: { rows: 1_000_000, bytes: 4_000 * megabyte },
  },
  streams: { demoPractice: 50, subscribedPractice: 1_000, allDemoPractices: 2_000 },
  registrationsPerNetwork: 100,
  newsletterRequestsPerNetwork: 20,
  newsletterRequests: 1_000,
  invitationsPerPractice: 100,
}

const unlimited: PeriodLimits = {
  minute: { rows: Infinity, bytes: Infinity },
  hour: { rows: Infinity, bytes: Infinity },
  day: { rows: Infinity, bytes: Infinity },
}

/** No quotas, for tests and measurements that write as fast as they can. */
export const unlimitedQuotas: Quotas = {
  unprovenPractice: unlimited,
  demoPractice: unlimited,
  subscribedPractice: unlimited,
  allDemoPractices: unlimited,
  streams: { demoPractice: Infinity, subscribedPractice: Infinity, allDemoPractices: Infinity },
  registrationsPerNetwork: 1_000_000,
  newsletterRequestsPerNetwork: 1_000_000,
  newsletterRequests: 1_000_000,
  invitationsPerPractice: 1_000_000,
}

/** Limits of the open event streams in this instance, which has their connections. */
export type StreamLimits = { practice: number; demoPractices: number }

/** Limits of requests that the modules themselves count. */
type RequestLimits = Pick<
  Quotas,
  'registrationsPerNetwork' | 'newsletterRequestsPerNetwork' | 'newsletterRequests' | 'invitationsPerPractice'
>

/** Counts what practices write, and refuses more than the quotas. */
export type WriteQuotas = RequestLimits & {
  /**
   * Throws 429 `quota-exceeded` when the caller's practice may not write now, or `email-unconfirmed` when it might if the
   * caller's address were confirmed. A payment is not affected by other practices, nor
   * by what its own has written in this hour or day: it ends the lower quota.
   */
  check(caller: Caller, options?: { isPayment?: boolean }): Promise<void>
  /** Throws 429 `too-many-sign-ups` when no further practice may be set up now. */
  checkSignUp(): Promise<void>
  getStreamLimits(caller: Caller): StreamLimits
  recordBytes(caller: Caller, bytes: number): void
  recordEvents(context: CommandContext, count: number): void
  /** Stores what is not stored yet. */
  stop(): Promise<void>
}

/** The owner of the quota that all practices without a subscription share. */
const demoPractices = 'demo practices'

type Dependencies = { store: UsageStore; clock: () => Date; logger: Logger; maxWaitMs?: number }

/** Creates the quotas of this process, which shares what it counts with the other instances. */
export function createWriteQuotas(quotas: Quotas, { store, clock, logger, maxWaitMs }: Dependencies): WriteQuotas {
  const usage = createSharedUsage({
    store,
    clock,
    logger,
    maxWaitMs,
    onDemo: (amount) => usage.add(demoPractices, amount),
  })
  const perPractice = [quotas.unprovenPractice, quotas.demoPractice, quotas.subscribedPractice, quotas.allDemoPractices]
  const isLimited = perPractice.some((limits) => Object.values(limits).some(({ rows }) => Number.isFinite(rows)))

  function record(practiceId: string, amount: Amount, isOfUser: boolean, isSample: boolean): void {
    if (!isLimited) return
    if (isOfUser) usage.add(practiceId, amount)
    if (isSample || usage.isDemo(practiceId) === true) usage.add(demoPractices, amount)
  }
  const getWait = (owner: string, limits: PeriodLimits) => findWait(usage.get(owner), limits, clock().getTime())

  return {
    registrationsPerNetwork: quotas.registrationsPerNetwork,
    newsletterRequestsPerNetwork: quotas.newsletterRequestsPerNetwork,
    invitationsPerPractice: quotas.invitationsPerPractice,
    newsletterRequests: quotas.newsletterRequests,
    async check({ practiceId, subscriptionStatus, mustProveEmail }, { isPayment = false } = {}) {
      if (practiceId === null || !isLimited) return
      const isDemo = subscriptionStatus === 'demo'
      usage.setDemo(practiceId, isDemo)
      await usage.refresh(isDemo ? [practiceId, demoPractices] : [practiceId])
      const limits = isDemo ? quotas.demoPractice : quotas.subscribedPractice
      const ownWait = getWait(practiceId, isPayment ? withReserve(limits) : limits)
      if (ownWait > 0)
        throw quotaExceeded('quota-exceeded', 'Your practice has saved as much as it can for now.', ownWait)
      // The caller is the owner: members have joined by the link of an invitation, and only a confirmed account can invite.
      const unprovenWait = isDemo && mustProveEmail && !isPayment ? getWait(practiceId, quotas.unprovenPractice) : 0
      if (unprovenWait > 0) throw quotaExceeded('email-unconfirmed', unprovenMessage, unprovenWait)
      const sharedWait = isDemo && !isPayment ? getWait(demoPractices, quotas.allDemoPractices) : 0
      if (sharedWait > 0)
        throw quotaExceeded('quota-exceeded', 'The demo practices have saved as much as they can for now.', sharedWait)
    },
    async checkSignUp() {
      if (!isLimited) return
      await usage.refresh([demoPractices])
      const wait = getWait(demoPractices, quotas.allDemoPractices)
      if (wait > 0) throw quotaExceeded('too-many-sign-ups', 'Very many people are trying Everchart right now.', wait)
    },
    getStreamLimits: ({ subscriptionStatus }) => {
      const { demoPractice, allDemoPractices, subscribedPractice } = quotas.streams
      return subscriptionStatus === 'demo'
        ? { practice: demoPractice, demoPractices: allDemoPractices }
        : { practice: subscribedPractice, demoPractices: Infinity }
    },
    recordBytes({ practiceId }, bytes) {
      if (practiceId !== null && bytes > 0) record(practiceId, { rows: 0, bytes }, true, false)
    },
    recordEvents({ practiceId, actor, sample = false }, count) {
      if (practiceId !== null) record(practiceId, { rows: count, bytes: 0 }, actor.kind === 'user', sample)
    },
    stop: usage.stop,
  }
}

/** Adds what may be written in a minute to the longer periods: nothing but payments can use it. */
function withReserve({ minute, hour, day }: PeriodLimits): PeriodLimits {
  const add = ({ rows, bytes }: Amount): Amount => ({ rows: rows + minute.rows, bytes: bytes + minute.bytes })
  return { minute, hour: add(hour), day: add(day) }
}

const unprovenMessage =
  'Until you confirm your email with the link that we sent you, your practice can save only a little.'

function quotaExceeded(code: string, message: string, waitMs: number): ProblemError {
  const seconds = Math.ceil(waitMs / 1_000)
  return new ProblemError(429, code, `${message} Please try again in ${formatDuration(seconds)}.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}

/** Formats seconds for a message, rounded up: "1 second", "15 minutes", "3 hours". */
export function formatDuration(seconds: number): string {
  const [value, unit] =
    seconds < 60
      ? [seconds, 'second']
      : seconds <= 7_200
        ? [Math.ceil(seconds / 60), 'minute']
        : [Math.ceil(seconds / 3_600), 'hour']
  return value === 1 ? `1 ${unit}` : `${value} ${unit}s`
}
