import type { AutomationAction, AutomationStats } from '#contracts/automation.ts'
import { formatCents } from '#web/entities/billing/prices.ts'
import { formatCount, formatNumber } from '#web/ui/format.ts'
import type { Status } from '#web/ui/status-badge.tsx'
import type { AutomationTab } from './automation-search.ts'

/** A figure above the tabs; null when there is not enough data. */
export type SummaryFigure = {
  key: 'efficiency' | 'interactions' | 'time' | 'savings'
  label: string
  value: string | null
  note: string
}

type Tone = 'success' | 'info' | 'warning' | 'error' | 'none'

/** A card of the overview. The parts with a tone have a share of the bar. */
export type OverviewGroup = {
  title: string
  tab: AutomationTab
  parts: readonly { label: string; value: number; text?: string; tone: Tone }[]
  note: string
}

/** An entry of the log. `at` is a time as it is shown, and `href` a path of the app. */
export type ActivityEntry = {
  id: string
  title: string
  detail: string
  at: string
  status: Status
  href: string | null
}

/** Work that only a person can do. */
export type WaitingEntry = { title: string; detail: string; action: string; href: string }

const minutesPerHour = 60

/** Formats minutes as hours, with one decimal below ten hours: "2.5 hrs". */
export function formatHours(minutes: number): string {
  const hours = minutes / minutesPerHour
  const rounded = hours < 10 ? Math.round(hours * 10) / 10 : Math.round(hours)
  return `${formatNumber(rounded)} ${rounded === 1 ? 'hr' : 'hrs'}`
}

/** Formats dollars per hour without cents that are zero: "$28", "$28.50". */
export const formatRate = (cents: number): string => formatCents(cents).replace('.00', '')

/** Returns the share of actions that needed no person, "94.2%"; null without any action. */
export const formatEfficiency = ({ actions, failed }: { actions: number; failed: number }): string | null =>
  actions === 0 ? null : `${Math.round(((actions - failed) / actions) * 1_000) / 10}%`

/** Returns the figures above the tabs. */
export function toSummaryFigures({ summary, estimates }: AutomationStats): SummaryFigure[] {
  const hasSaved = summary.messages + summary.analyses > 0
  return [
    {
      key: 'efficiency',
      label: 'Automation Efficiency',
      value: formatEfficiency(summary),
      note: 'done without a person',
    },
    {
      key: 'interactions',
      label: 'AI Interactions',
      value: formatNumber(summary.analyses),
      note: 'forms analyzed this month',
    },
    {
      key: 'time',
      label: 'Time Saved',
      value: hasSaved ? formatHours(summary.minutesSaved) : null,
      note: 'this month',
    },
    {
      key: 'savings',
      label: 'Cost Savings',
      value: hasSaved ? formatCents(summary.savedCents).replace(/\.\d\d$/, '') : null,
      note: `at ${formatRate(estimates.hourlyRateCents)} an hour`,
    },
  ]
}

/** Returns the card of the confirmations. */
export function toConfirmationGroup(counts: AutomationStats['appointmentConfirmations']): OverviewGroup {
  const { total, sent, confirmed, pending, declined, failed } = counts
  return {
    title: 'Appointment Confirmations',
    tab: 'appointments',
    parts: [
      { label: 'Confirmed', value: confirmed, tone: 'success' },
      { label: 'Sent', value: sent, tone: 'info' },
      { label: 'Pending', value: pending, tone: 'warning' },
    ],
    note: `${formatNumber(total)} in all, ${formatNumber(declined + failed)} declined or failed`,
  }
}

type RecordStats = Pick<AutomationStats, 'priorAuthorizations'> & {
  callLogs: Omit<AutomationStats['callLogs'], 'followUps'>
  clinicalDocs: Omit<AutomationStats['clinicalDocs'], 'inReview'>
  supplyOrders: Omit<AutomationStats['supplyOrders'], 'proposed'>
}

/** Returns the cards of the records. `period` follows the number of all, such as " this month". */
export function toRecordGroups(stats: RecordStats, period = ''): OverviewGroup[] {
  const { priorAuthorizations, callLogs, clinicalDocs, supplyOrders } = stats
  return [
    {
      title: 'Prior Authorizations',
      tab: 'insurance',
      parts: [
        { label: 'Approved', value: priorAuthorizations.approved, tone: 'success' },
        { label: 'Pending', value: priorAuthorizations.pending, tone: 'warning' },
        { label: 'Denied', value: priorAuthorizations.denied, tone: 'error' },
      ],
      note: `${formatNumber(priorAuthorizations.total)}${period || ' in all'}`,
    },
    {
      title: 'AI Phone System',
      tab: 'phone',
      parts: [
        { label: 'AI handled', value: callLogs.aiHandled, tone: 'success' },
        { label: 'Human transfer', value: callLogs.transferredToHuman, tone: 'info' },
        {
          label: 'Average duration',
          value: callLogs.averageDuration,
          text: `${formatNumber(callLogs.averageDuration)} s`,
          tone: 'none',
        },
      ],
      note: `${formatCount(callLogs.total, 'call')}${period || ' in all'}`,
    },
    {
      title: 'Clinical Documentation',
      tab: 'clinical',
      parts: [
        { label: 'Approved', value: clinicalDocs.providerApproved, tone: 'success' },
        { label: 'Pending review', value: clinicalDocs.pending, tone: 'warning' },
        { label: 'AI generated', value: clinicalDocs.aiGenerated, tone: 'none' },
      ],
      note: `${formatCount(clinicalDocs.total, 'note')}${period || ' in all'}`,
    },
    ...(period
      ? []
      : [
          {
            title: 'Supply Orders',
            tab: 'supplies' as const,
            parts: [
              { label: 'Delivered', value: supplyOrders.delivered, tone: 'success' as const },
              { label: 'On their way', value: supplyOrders.pending, tone: 'warning' as const },
              { label: 'Ordered automatically', value: supplyOrders.autoOrdered, tone: 'none' as const },
            ],
            note: `${formatCount(supplyOrders.total, 'order')} in all`,
          },
        ]),
  ]
}

/** Returns the work that waits for a person; documents only for users who may approve them. */
export function toWaiting(
  {
    appointmentConfirmations: { failed },
    callLogs: { followUps },
    openMessages,
    clinicalDocs: { inReview },
    supplyOrders: { proposed },
  }: Pick<AutomationStats, 'appointmentConfirmations' | 'callLogs' | 'openMessages' | 'clinicalDocs' | 'supplyOrders'>,
  mayApprove: boolean,
) {
  const entries: WaitingEntry[] = []
  if (failed > 0)
    entries.push({
      title: failed === 1 ? 'A message was not delivered' : `${formatCount(failed, 'message')} were not delivered`,
      detail: 'These patients do not know that an answer is expected',
      action: 'Show messages',
      href: '/automation?tab=appointments&status=failed',
    })
  if (followUps > 0)
    entries.push({
      title: followUps === 1 ? 'A call needs a follow-up' : `${formatCount(followUps, 'call')} need a follow-up`,
      detail: 'The callers expect to hear from the practice',
      action: 'Show calls',
      href: '/automation?tab=phone&status=open&followUpRequired=true',
    })
  if (openMessages > 0)
    entries.push({
      title:
        openMessages === 1 ? 'A message is not read yet' : `${formatCount(openMessages, 'message')} are not read yet`,
      detail: 'Patients have written, and may expect an answer',
      action: 'Read messages',
      href: '/automation?tab=phone&list=patient-communications&status=sent&direction=inbound',
    })
  if (mayApprove && inReview > 0)
    entries.push({
      title: inReview === 1 ? 'A note is to be approved' : `${formatCount(inReview, 'note')} are to be approved`,
      detail: 'They do not change any more once they are approved',
      action: 'Show notes',
      href: '/automation?tab=clinical&status=review',
    })
  if (proposed > 0)
    entries.push({
      title: proposed === 1 ? 'An order is proposed' : `${formatCount(proposed, 'order')} are proposed`,
      detail: 'Little is left of what they contain',
      action: 'Show orders',
      href: '/automation?tab=supplies&status=pending',
    })
  return entries
}

const actionTexts: Record<string, { title: (name: string) => string; detail: string; status: Status }> = {
  'message sent': {
    title: (name) => `${name} was asked about an appointment`,
    detail: 'Appointments, message sent',
    status: 'sent',
  },
  'message failed': {
    title: (name) => `Message to ${name} not delivered`,
    detail: 'Appointments, a call is needed',
    status: 'failed',
  },
  'answer confirmed': {
    title: (name) => `${name} confirmed an appointment`,
    detail: 'Appointments, answer to a message',
    status: 'confirmed',
  },
  'answer declined': {
    title: (name) => `${name} declined an appointment`,
    detail: 'Appointments, answer to a message',
    status: 'declined',
  },
  'offer sent': {
    title: (name) => `${name} was offered a free time`,
    detail: 'Waitlist, message sent',
    status: 'sent',
  },
  'offer failed': {
    title: (name) => `Offer to ${name} not delivered`,
    detail: 'Waitlist, the next patient is asked',
    status: 'failed',
  },
  'offer confirmed': {
    title: (name) => `${name} took a free time`,
    detail: 'Waitlist, appointment booked',
    status: 'confirmed',
  },
  'offer declined': {
    title: (name) => `${name} declined a free time`,
    detail: 'Waitlist, the next patient is asked',
    status: 'declined',
  },
  'survey sent': {
    title: (name) => `${name} was asked about satisfaction`,
    detail: 'Satisfaction, message sent',
    status: 'sent',
  },
  'survey failed': {
    title: (name) => `Question to ${name} not delivered`,
    detail: 'Satisfaction, nothing to do',
    status: 'failed',
  },
  'survey completed': {
    title: (name) => `${name} rated an appointment`,
    detail: 'Satisfaction, answer to a message',
    status: 'completed',
  },
  'analysis completed': {
    title: (name) => `Form of ${name} analyzed`,
    detail: 'Forms, waits for a review',
    status: 'completed',
  },
  'analysis failed': {
    title: (name) => `Form of ${name} not analyzed`,
    detail: 'Forms, a person has to read it',
    status: 'failed',
  },
  'coverage confirmed': {
    title: (name) => `Coverage of ${name} confirmed`,
    detail: 'Insurance, answer of the insurer',
    status: 'confirmed',
  },
  'coverage declined': {
    title: (name) => `${name} is not covered`,
    detail: 'Insurance, answer of the insurer',
    status: 'denied',
  },
  'coverage failed': {
    title: (name) => `Coverage of ${name} not known`,
    detail: 'Insurance, a person has to verify it',
    status: 'failed',
  },
  'expiry completed': {
    title: (name) => `Coverage of ${name} ended`,
    detail: 'Insurance, after its last day',
    status: 'expired',
  },
}

const hrefs: Record<AutomationAction['kind'], (recordId: string) => string> = {
  message: (id) => `/automation?tab=appointments&confirmation=${id}`,
  answer: (id) => `/automation?tab=appointments&confirmation=${id}`,
  offer: () => '/automation?tab=appointments',
  survey: () => '/analytics',
  analysis: (id) => `/forms/${id}`,
  coverage: (id) => `/insurance?verification=${id}`,
  expiry: (id) => `/insurance?verification=${id}`,
}

/** Returns an action as the log shows it. The record of a removed patient cannot be opened. */
export function toActivityEntry(action: AutomationAction, formatAt: (instant: string) => string): ActivityEntry {
  const { id, at, kind, outcome, recordId, patientName } = action
  const text = actionTexts[`${kind} ${outcome}`]
  return {
    id,
    title: text?.title(patientName ?? 'a removed patient') ?? outcome,
    detail: text?.detail ?? '',
    status: text?.status ?? 'unknown',
    at: formatAt(at),
    href: patientName === null ? null : hrefs[kind](recordId),
  }
}
