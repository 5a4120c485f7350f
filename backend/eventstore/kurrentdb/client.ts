import { readFileSync } from 'node:fs'
import { type ChannelCredentialOptions, type Credentials, EventStoreDBClient } from '@eventstore/db-client'
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js'
import { StoreUnavailable } from '#eventstore/event-store.ts'
import { withTimeout } from '#runtime/with-timeout.ts'

/** One connection to EventStoreDB or KurrentDB, and what every call has to carry. */
export type Connection = {
  client: EventStoreDBClient
  /** Goes with every call, also where nobody asks for a name: without, appends take a path that can hang for ever. */
  credentials: Credentials
}

const supportedOptions = [
  'connectionName',
  'defaultDeadline',
  'discoveryInterval',
  'gossipTimeout',
  'keepAliveInterval',
  'keepAliveTimeout',
  'maxDiscoverAttempts',
  'nodePreference',
  'tls',
  'tlsCAFile',
  'tlsVerifyCert',
  'userCertFile',
  'userKeyFile',
]
/** Milliseconds: with the library's ten seconds between two questions, a connection that leads nowhere ends after 13 s. */
const keepAliveTimeoutMs = 3_000
const normalizeOptionName = (name: string) => name.trim().toLowerCase().replaceAll(/[_-]/g, '')
const supportedOptionNames = new Set(supportedOptions.map(normalizeOptionName))
const anonymousCredentials: Credentials = { username: 'nobody', password: 'nobody' }

/**
 * Reads an address as the client library writes them, `kurrentdb://` and `esdb://` alike. Throws when it is none. The
 * library prints what it does not know together with the password; so nothing unknown gets that far.
 */
function parseAddress(address: string) {
  const url = /^(?:esdb|kurrentdb)(\+discover)?:\/\/([^?]+)(?:\?(.*))?$/s.exec(address.trim())
  if (!url) throw new Error('Not the address of an event store')
  const [, discover = '', hosts = '', query = ''] = url
  const pairs = query.split('&').filter((pair) => pair !== '')
  const names = pairs.map((pair) => normalizeOptionName(pair.split('=')[0] ?? ''))
  if (!names.every((name) => supportedOptionNames.has(name))) throw new Error('Not an option of an event store')
  const verify = names.indexOf('tlsverifycert')
  const rest = pairs.filter((_, index) => index !== verify).join('&')
  const parsed = parseConnectionString(`esdb${discover}://${hosts.replace(/\/+$/, '')}${rest && `?${rest}`}`)
  const trusting = pairs[verify]?.split('=')[1]?.trim().toLowerCase() === 'false'
  if (parsed.tls !== false && !parsed.defaultCredentials) throw new Error('With TLS a user and a password are needed')
  return { ...parsed, trusting }
}

/** Whether an address names an EventStoreDB or KurrentDB that can be asked: with TLS it also names user and password. */
export function isEventStoreDbAddress(address: string): boolean {
  try {
    parseAddress(address)
    return true
  } catch {
    return false
  }
}

/** Prepares the connection; nothing is sent before the first call. Throws when a certificate cannot be read. */
export function connect(address: string): Connection {
  const { hosts, dnsDiscover, defaultCredentials, tls, trusting, tlsCAFile, userCertFile, userKeyFile, ...settings } =
    parseAddress(address)
  const channel: ChannelCredentialOptions = {
    insecure: tls === false,
    ...(tlsCAFile === undefined ? {} : { rootCertificate: readFileSync(tlsCAFile) }),
    ...(userCertFile === undefined ? {} : { userCertFile: readFileSync(userCertFile) }),
    ...(userKeyFile === undefined ? {} : { userKeyFile: readFileSync(userKeyFile) }),
    ...(trusting ? { verifyOptions: { rejectUnauthorized: false } } : {}),
  }
  const [first] = hosts
  if (!first) throw new Error('The address of the event store names no host')
  const more = { keepAliveTimeoutMs, ...settings, throwOnAppendFailure: true }
  const client = dnsDiscover
    ? new EventStoreDBClient({ ...more, discover: first }, channel, defaultCredentials)
    : hosts.length > 1
      ? new EventStoreDBClient({ ...more, endpoints: hosts }, channel, defaultCredentials)
      : new EventStoreDBClient({ ...more, endpoint: first }, channel, defaultCredentials)
  return { client, credentials: defaultCredentials ?? anonymousCredentials }
}

/** The word by which the library names an error; empty for what it does not name. */
export const getErrorType = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'type' in error ? String(error.type) : ''

/** What went wrong as the port says it: nothing is known of what was written, and the same may be tried again. */
export function toStoreUnavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  const message =
    getErrorType(error) === 'access-denied'
      ? 'The event store refuses the user or the password in EVENTSTORE_URL'
      : 'The event store does not answer'
  return new StoreUnavailable(message, { cause: error })
}

/** Waits at most `timeoutMs` for a call. Afterwards its outcome is unknown: throws StoreUnavailable. */
export const withCallTimeout = <Result>(timeoutMs: number, call: Promise<Result>): Promise<Result> =>
  withTimeout(call, timeoutMs, () => {
    throw new StoreUnavailable('The event store does not answer in time')
  })
