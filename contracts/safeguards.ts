import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { SessionTimeout } from './values/session-timeout.ts'

/** The protection of a connection. `local`: both ends are on one machine, and nothing crosses a network. */
export const ConnectionProtection = z.enum(['encrypted', 'local', 'plain'])
export type ConnectionProtection = z.infer<typeof ConnectionProtection>

const count = z.int().nonnegative()

/** Patients have their own keys, and the newest record is stored encrypted and can be opened. */
const DataEncryption = z.object({
  isActive: z.boolean(),
  patients: count,
  /** Patients with a data key that the master key of this installation protects. */
  patientsWithKey: count,
  /** The newest record as it is stored. `plain`: names can be read in it; `unreadable`: its key does not open it. */
  newestRecord: z.enum(['none', 'encrypted', 'plain', 'unreadable']),
})

/** Every change is an event of the practice that cannot be changed or deleted. */
const AuditLogging = z.object({
  isActive: z.boolean(),
  /** The instant of the practice's first entry; null while it has none. */
  recordedSince: z.iso.datetime().nullable(),
  /** False when the database accepts changes of stored entries. */
  refusesChanges: z.boolean(),
  /** False when the application's own database role could remove that protection. */
  isOwnerSeparate: z.boolean(),
  /** False when damaged entries were found, by the nightly check or by a request. */
  isUndamaged: z.boolean(),
})

/** Everyone signs in with a second factor, and unused sessions end. */
const AccessControls = z.object({
  isActive: z.boolean(),
  /** People who can sign in. */
  members: count,
  membersWithTwoFactor: count,
  isTwoFactorRequired: z.boolean(),
  /** Minutes. */
  sessionTimeout: SessionTimeout,
})

/** Connections that leave the machine of the installation are encrypted. */
const SecureTransmission = z.object({
  isActive: z.boolean(),
  /** The address that users open. */
  address: z.string(),
  isHttps: z.boolean(),
  database: ConnectionProtection,
  /** The value `in-database`: events are stored in the database, over the same connection. */
  eventStore: z.enum([...ConnectionProtection.options, 'in-database']),
  /** `smtp`: to a mail server, which must encrypt unless it is on this machine. `outbox`: messages stay on this machine. */
  mail: z.enum(['smtp', 'outbox']),
})

/** The four HIPAA safeguards (spec page 2, section 2.8), each with what it rests on. */
export const Safeguards = z.object({
  checkedAt: z.iso.datetime(),
  dataEncryption: DataEncryption,
  auditLogging: AuditLogging,
  accessControls: AccessControls,
  secureTransmission: SecureTransmission,
})
export type Safeguards = z.infer<typeof Safeguards>

/** Checks the four safeguards for the caller's practice, at the moment of the request. */
export const checkSafeguards = endpoint({
  method: 'GET',
  path: '/api/safeguards',
  access: { permission: 'settings' },
  reply: Safeguards,
})
