import type { Safeguards } from '#contracts/safeguards.ts'
import type { FormatInstant } from '#web/entities/practices/practice-time.ts'
import { formatNumber } from '#web/ui/format.ts'

/** A condition of a safeguard; the text says what is missing when it is not met. */
type Finding = { isMet: boolean; text: string }

/** A place where more about a safeguard can be seen or changed: a screen (`to`), or a public page outside of the application. */
type SafeguardLink = { label: string } & ({ to: '/team' } | { href: '/security' })

export type DescribedSafeguard = {
  /** The label of the specification (page 2, section 2.8). */
  label: string
  isActive: boolean
  purpose: string
  findings: readonly Finding[]
  link?: SafeguardLink
}

const count = (number: number, singular: string, plural: string) =>
  `${formatNumber(number)} ${number === 1 ? singular : plural}`

const met = (text: string): Finding => ({ isMet: true, text })
const unmet = (text: string): Finding => ({ isMet: false, text })

/** Describes the four safeguards and what they rest on, in the order of the specification. */
export const describeSafeguards = (
  safeguards: Safeguards,
  formatInstant: FormatInstant,
): readonly DescribedSafeguard[] => [
  {
    label: 'Data Encryption',
    isActive: safeguards.dataEncryption.isActive,
    purpose: 'Names and health data are stored encrypted. Each patient has a key of their own.',
    findings: describeEncryption(safeguards.dataEncryption),
    link: { label: 'How records are protected', href: '/security' },
  },
  {
    label: 'Audit Logging',
    isActive: safeguards.auditLogging.isActive,
    purpose: 'Every change is kept with its author and its time, and so is every refused request.',
    findings: describeAudit(safeguards.auditLogging, formatInstant),
  },
  {
    label: 'Access Controls',
    isActive: safeguards.accessControls.isActive,
    purpose: 'Everyone has an account of their own, with a role that limits what it opens.',
    findings: describeAccess(safeguards.accessControls),
    link: { label: 'Open the team', to: '/team' },
  },
  {
    label: 'Secure Transmission',
    isActive: safeguards.secureTransmission.isActive,
    purpose: 'What is sent over a network is encrypted on the way.',
    findings: describeTransmission(safeguards.secureTransmission),
  },
]

const newestRecordFindings: Record<Safeguards['dataEncryption']['newestRecord'], Finding> = {
  none: met('There are no records yet. The first one gets its key when it is saved.'),
  encrypted: met('The newest record is stored encrypted, and its key opens it.'),
  plain: unmet('The newest record is stored in plain text. Ask the operator of this installation to look into it.'),
  unreadable: unmet(
    'The key of the newest record does not open it. Ask the operator to restore the keys from a backup.',
  ),
}

function describeEncryption({ patients, patientsWithKey, newestRecord }: Safeguards['dataEncryption']): Finding[] {
  const missing = patients - patientsWithKey
  const newest = newestRecordFindings[newestRecord]
  if (patients === 0) return [newest]
  return [
    missing === 0
      ? met(`${count(patients, 'patient has a key', 'patients have their own keys')}, protected by the master key.`)
      : unmet(
          `${count(missing, 'patient has', 'patients have')} no usable key. Ask the operator to restore the keys from a backup.`,
        ),
    newest,
  ]
}

function describeAudit(found: Safeguards['auditLogging'], formatInstant: FormatInstant): Finding[] {
  return [
    found.recordedSince === null
      ? unmet('Nothing of this practice was recorded yet.')
      : met(`Recorded since ${formatInstant(found.recordedSince)}.`),
    found.refusesChanges
      ? met('Entries can be added, and neither changed nor deleted.')
      : unmet('The protection against changes of entries is switched off in the database.'),
    found.isOwnerSeparate
      ? met('Everchart itself has no right to switch that protection off.')
      : unmet('Everchart could switch that protection off. Ask the operator to set OWNER_DATABASE_URL.'),
    found.isUndamaged
      ? met('No damaged entries were found. All of them are read every night.')
      : unmet('Damaged entries were found. Ask the operator to restore them from a backup.'),
  ]
}

const formatTimeout = (minutes: number) => (minutes < 60 ? `${minutes} minutes` : count(minutes / 60, 'hour', 'hours'))

function describeAccess(found: Safeguards['accessControls']): Finding[] {
  const { members, membersWithTwoFactor, isTwoFactorRequired, sessionTimeout } = found
  const share = `${formatNumber(membersWithTwoFactor)} of ${count(members, 'person uses', 'people use')} two-factor sign-in`
  return [
    isTwoFactorRequired
      ? met(`${share}. It is required: without it, no record opens.`)
      : membersWithTwoFactor === members
        ? met(`${share}.`)
        : unmet(`${share}. Require it of everyone, in Two-Factor for Everyone on this page.`),
    met(`Unused sessions end after ${formatTimeout(sessionTimeout)}.`),
  ]
}

function describeTransmission(found: Safeguards['secureTransmission']): Finding[] {
  const { address, isHttps, database, eventStore, mail } = found
  return [
    isHttps
      ? met(`Browsers connect with https, at ${address}.`)
      : unmet(`Browsers connect without https, at ${address}. Ask the operator to set PUBLIC_URL to an https address.`),
    database === 'encrypted'
      ? met('The connection to the database is encrypted.')
      : database === 'local'
        ? met('The database is on the same machine: records do not cross a network.')
        : unmet('The connection to the database crosses a network without encryption. Ask the operator to use TLS.'),
    ...(eventStore === 'in-database'
      ? []
      : [
          eventStore === 'encrypted'
            ? met('The connection to the event store is encrypted.')
            : eventStore === 'local'
              ? met('The event store is on the same machine.')
              : unmet('The connection to the event store is not encrypted. Ask the operator to use TLS.'),
        ]),
    mail === 'smtp'
      ? met('Email is handed only to a mail server that encrypts, or to one on the same machine.')
      : met('No mail server is set up: messages stay on this machine.'),
  ]
}
