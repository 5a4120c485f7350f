import { readFileSync } from 'node:fs'
import { type ChannelCredentialOptions, type Credentials, EventStoreDBClient } from '@eventstore/db-client'
import { parseConnectionString } from '@eventstore/db-client/dist/Client/parseConnectionString.js'
import { NothingWritten, StoreUnavailable } from '#eventstore/event-store.ts'
import { withTimeout } from '#runtime/with-timeout.ts'

/** A connection to EventStoreDB or KurrentDB, and the credentials of every call. */
export type Connection = {
  client: EventStoreDBClient
  /** Sent with every call, also to a server without users: without them the library appends by a path that can hang forever. */
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
/** Keep-alive time-out: with the library's ten seconds between two pings, a dead connection ends after 13 s. */
const keepAliveTimeoutMs = 3_000
const normalizeOptionName = (name: string) => name.trim().toLowerCase().replaceAll(/[_-]/g, '')
const supportedOptionNames = new Set(supportedOptions.map(normalizeOptionName))
const anonymousCredentials: Credentials = { username: 'anonymous', password: 'anonymous' }

/**
 * Parses a connection string, `kurrentdb://` or `esdb://`. Throws when it is invalid. The library logs options that it does
 * not know together with the password, so unknown options are refused before it sees them.
 */
export function parseAddress(address: string) {
  const url = /^(?:esdb|kurrentdb)(\+discover)?:\/\/([^?]+)(?:\?(.*))?$/s.exec(address.trim())
  if (!url) throw new Error('Not a valid event store address')
  const [, discover = '', hosts = '', query = ''] = url
  const pairs = query.split('&').filter((pair) => pair !== '')
  const names = pairs.map((pair) => normalizeOptionName(pair.split('=')[0] ?? ''))
  if (!names.every((name) => supportedOptionNames.has(name)))
    throw new Error('Unknown option in the event store address')
  const verify = names.indexOf('tlsverifycert')
  const rest = pairs.filter((_, index) => index !== verify).join('&')
  const parsed = parseConnectionString(`esdb${discover}://${hosts.replace(/\/+$/, '')}${rest && `?${rest}`}`)
  const trustsAnyCertificate = pairs[verify]?.split('=')[1]?.trim().toLowerCase() === 'false'
  if (parsed.tls !== false && !parsed.defaultCredentials) throw new Error('TLS requires a user name and a password')
  return { ...parsed, trustsAnyCertificate }
}

/** Returns whether a connection string is valid; with TLS it must also name user and password. */
export function isEventStoreDbAddress(address: string): boolean {
  try {
    parseAddress(address)
    return true
  } catch {
    return false
  }
}

const isLoopback = ({ address }: { address: string }) => /^(localhost|127\.[\d.]+|\[?::1\]?)$/.test(address)

/** Returns how the connection of an address is protected; `local` when every host of it is this machine. */
export function describeConnection(address: string): 'encrypted' | 'local' | 'plain' {
  const { tls, hosts } = parseAddress(address)
  if (tls !== false) return 'encrypted'
  return hosts.every(isLoopback) ? 'local' : 'plain'
}

/** Creates a connection; nothing is sent before the first call. Throws when a certificate cannot be read. */
export function connect(address: string): Connection {
  const {
    hosts,
    dnsDiscover,
    defaultCredentials,
    tls,
    trustsAnyCertificate,
    tlsCAFile,
    userCertFile,
    userKeyFile,
    ...settings
  } = parseAddress(address)
  const channel: ChannelCredentialOptions = {
    insecure: tls === false,
    ...(tlsCAFile === undefined ? {} : { rootCertificate: readFileSync(tlsCAFile) }),
    ...(userCertFile === undefined ? {} : { userCertFile: readFileSync(userCertFile) }),
    ...(userKeyFile === undefined ? {} : { userKeyFile: readFileSync(userKeyFile) }),
    ...(trustsAnyCertificate ? { verifyOptions: { rejectUnauthorized: false } } : {}),
  }
  const [first] = hosts
  if (!first) throw new Error('The event store address has no host')
  const options = { keepAliveTimeout: keepAliveTimeoutMs, ...settings, throwOnAppendFailure: true }
  const client = dnsDiscover
    ? new EventStoreDBClient({ ...options, discover: first }, channel, defaultCredentials)
    : hosts.length > 1
      ? new EventStoreDBClient({ ...options, endpoints: hosts }, channel, defaultCredentials)
      : new EventStoreDBClient({ ...options, endpoint: first }, channel, defaultCredentials)
  return { client, credentials: defaultCredentials ?? anonymousCredentials }
}

/** Returns the library's type of an error; empty for an error without one. */
export const getErrorType = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'type' in error ? String(error.type) : ''

/** Converts an error to the port's StoreUnavailable: the outcome is unknown, and the same call may be retried. */
export function toStoreUnavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  if (getErrorType(error) === 'access-denied')
    return new NothingWritten('The event store rejects the user name or password in EVENTSTORE_URL', { cause: error })
  return new StoreUnavailable('The event store does not respond', { cause: error })
}

/** Waits at most `timeoutMs` for a call. Afterwards its outcome is unknown: throws StoreUnavailable. */
export const withCallTimeout = <Result>(timeoutMs: number, call: Promise<Result>): Promise<Result> =>
  withTimeout(call, timeoutMs, () => {
    throw new StoreUnavailable('The event store does not respond in time')
  })
