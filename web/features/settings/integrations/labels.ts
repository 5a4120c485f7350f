import type { Integration, IntegrationName, IntegrationStatus } from '#contracts/integrations.ts'
import type { Status } from '#web/ui/status-badge.tsx'

/** The name of each service, and what it does for the practice. */
export const integrationLabels: Record<IntegrationName, { title: string; purpose: string }> = {
  ai: { title: 'AI provider', purpose: 'Analysis of forms, questions to the assistant' },
  payments: { title: 'Payments provider', purpose: 'Subscription and invoices' },
  email: { title: 'Email provider', purpose: 'Invitations, confirmations and notices' },
  sms: { title: 'Text message provider', purpose: 'Confirmations of appointments' },
  clearinghouse: { title: 'Clearinghouse', purpose: 'Questions to insurers about coverage' },
  database: { title: 'Database host', purpose: 'Lists and search' },
}

/** The badge of each status, with the labels of the specification (page 2, section 2.8). */
export const integrationBadges: Record<IntegrationStatus, { status: Status; label?: string }> = {
  connected: { status: 'connected' },
  operational: { status: 'operational' },
  rate_limited: { status: 'rate-limited' },
  error: { status: 'failed', label: 'Error' },
  unknown: { status: 'unknown' },
  stand_in: { status: 'stand-in' },
  not_configured: { status: 'not-configured' },
}

const failed = 'The last call failed. Test it, or ask the operator of this installation.'
const notUsed = 'Not used yet. Test it to see whether it works.'

const texts: Record<IntegrationName, Partial<Record<IntegrationStatus, string>>> = {
  ai: {
    connected: 'Replies arrive within seconds.',
    rate_limited: 'The provider accepts nothing for now: rules do its work.',
    not_configured: 'No AI model is connected: rules do its work.',
  },
  payments: {
    connected: 'Payments and invoices go through.',
    stand_in: 'Payments use test cards, and no money moves.',
    not_configured: 'Plans cannot be paid for in this installation.',
  },
  email: {
    connected: 'Emails are sent at once.',
    rate_limited: 'Emails may be delayed.',
    stand_in: 'No mail server is set up: messages stay in the outbox of this installation.',
  },
  sms: {
    connected: 'Text messages are sent at once.',
    rate_limited: 'Text messages may be delayed.',
    stand_in: 'No provider is set up: text messages stay in the outbox of this installation.',
  },
  clearinghouse: {
    connected: 'Insurers are asked about coverage.',
    rate_limited: 'Insurers are asked later than usual.',
    error: 'The last question was not answered. It is repeated; new policies wait until then.',
    unknown: 'Not used yet: the next policy that is entered is asked about.',
    not_configured: 'No clearinghouse is connected: people decide about coverage.',
  },
  database: { operational: 'Records can be read and saved.' },
}

/** Describes the state of a service in one sentence. */
export const describeState = ({ name, status }: Pick<Integration, 'name' | 'status'>): string =>
  texts[name][status] ?? (status === 'error' ? failed : notUsed)

const hourMs = 3_600_000

/** Describes how long ago something happened, by the hour: "within the last hour", "3 hours ago", "2 days ago". */
export function formatHoursAgo(instant: string, now: Date): string {
  const hours = Math.floor((now.getTime() - Date.parse(instant)) / hourMs)
  if (hours < 1) return 'within the last hour'
  if (hours < 48) return hours === 1 ? '1 hour ago' : `${hours} hours ago`
  return `${Math.floor(hours / 24)} days ago`
}

/** Describes an error in plain words, followed by its code. */
export function describeError(code: string): string {
  const words = /^(smtp-535|http-40[13]|twilio-(40[13]|20003))$/.test(code)
    ? 'the credentials were refused'
    : /^(smtp-4\d\d|http-429|twilio-(429|20429))$/.test(code)
      ? 'the service accepts nothing for now'
      : code === 'price-not-found'
        ? 'the price of a plan is not known'
        : /^(smtp|http|twilio)-/.test(code)
          ? 'the service refused the call'
          : 'the service did not answer'
  return `${words} (${code})`
}
