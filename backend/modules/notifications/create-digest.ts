import { subDays } from 'date-fns/subDays'
import type { PracticeId, UserId } from '#contracts/values/ids.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { findAccount, findMemberships } from '#modules/accounts/public.ts'
import { findPracticeInsights, mayReadInsights } from '#modules/insights/public.ts'
import type { Services } from '#modules/module.ts'
import { recordScope } from '#modules/samples/public.ts'
import type { DigestLine } from './digest-message.ts'
import type { NotificationKind } from './kinds.ts'
import { countUnread, findChoices } from './queries.ts'
import { loadReaderView, type NotificationReader } from './visibility.ts'

/** The contents of a daily message, and its recipient. */
export type DigestContents = { email: string; practiceId: PracticeId; lines: readonly DigestLine[] }

const names: Readonly<Record<NotificationKind | 'slot-freed', readonly [one: string, many: string]>> = {
  'emergency-booked': ['emergency', 'emergencies'],
  'appointment-cancelled': ['cancelled appointment', 'cancelled appointments'],
  'appointment-moved': ['moved appointment', 'moved appointments'],
  'slot-freed': ['freed slot for the waitlist', 'freed slots for the waitlist'],
  'confirmation-declined': ['declined appointment', 'declined appointments'],
  'offer-accepted': ['slot taken from the waitlist', 'slots taken from the waitlist'],
  'message-received': ['message of a patient', 'messages of patients'],
  'form-submitted': ['new form', 'new forms'],
  'form-urgent': ['form with an urgent finding', 'forms with an urgent finding'],
  'coverage-denied': ['denied coverage', 'denied coverages'],
  'coverage-expired': ['expired coverage', 'expired coverages'],
  'import-finished': ['finished patient import', 'finished patient imports'],
  'import-failed': ['patient import that needs attention', 'patient imports that need attention'],
  'member-joined': ['new team member', 'new team members'],
  'payment-failed': ['failed payment', 'failed payments'],
  'subscription-ending': ['subscription that will end', 'subscriptions that will end'],
  'subscription-canceled': ['subscription that ended', 'subscriptions that ended'],
}

/** Days for which a notification is counted. */
const digestDays = 7

/**
 * Returns what a person should know this morning: unread notifications of the last seven days, without appointments that have
 * started, and insights of high priority.
 * Null when there is nothing, when the message was switched off, and for members of a practice that has never had a plan.
 */
export async function createDigest(services: Services, userId: UserId): Promise<DigestContents | null> {
  const { db, clock } = services
  const now = clock()
  const account = await findAccount(services, userId)
  if (!account || account.practiceId === null || showsSampleData(account)) return null
  // Not to a member who was suspended since the message was requested.
  if ((await findMemberships(db, [userId], now)).get(userId)?.practiceId !== account.practiceId) return null
  if (!(await findChoices(db, userId)).dailyDigest) return null
  const reader: NotificationReader = { ...account, userId, practiceId: account.practiceId }
  const { visible, choices } = await loadReaderView(services, reader)
  const oldest = subDays(now, digestDays).toISOString()
  const since = visible.since > oldest ? visible.since : oldest
  const counts = await countUnread(db, { ...visible, since }, now)
  const lines = (Object.keys(names) as (keyof typeof names)[]).map((name) => {
    const matching = counts.filter(({ kind, isFreed }) => (isFreed ? 'slot-freed' : kind) === name)
    const count = matching.reduce((sum, { unread }) => sum + unread, 0)
    const [one, many] = names[name]
    return { one, many, count }
  })
  const insights =
    choices.aiAlerts && mayReadInsights(reader) ? await findPracticeInsights(db, recordScope(reader), now) : []
  const urgent = insights.filter(({ priority }) => priority === 'high').length
  const all = [...lines, { one: 'insight of high priority', many: 'insights of high priority', count: urgent }]
  const shown = all.filter(({ count }) => count > 0)
  return shown.length === 0 ? null : { email: account.email, practiceId: reader.practiceId, lines: shown }
}
