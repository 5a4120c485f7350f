import { readFileSync } from 'node:fs'
import { type ChannelCredentialOptions, type Credentials, EventStoreDBClient } from '@eventstore/db-client'
import { NothingWritten, StoreUnavailable } from '#eventstore/event-store.ts'
import { withTimeout } from '#runtime/with-timeout.ts'
import { parseAddress } from './address.ts'

/** A connection to EventStoreDB or KurrentDB, and the credentials of every call. */
export type Connection = {
  client: EventStoreDBClient
  /** Sent with every call, also to a server without users: without them the library appends by a path that can hang forever. */
  credentials: Credentials
}

/** Keep-alive time-out: with the library's ten seconds between two pings, a dead connection ends after 13 s. */
const keepAliveTimeoutMs = 3_000
const anonymousCredentials: Credentials = { username: 'anonymous', password: 'anonymous' }

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

/** Returns whether a call failed because there was no connection on which it could have been sent, as gRPC says. */
const wasNotSent = (error: unknown) =>
  getErrorType(error) === 'unavailable' && error instanceof Error && error.message.includes('No connection established')

/** Converts an error to the port's StoreUnavailable: the outcome is unknown, and the same call may be retried. */
export function toStoreUnavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error
  if (getErrorType(error) === 'access-denied')
    return new NothingWritten('The event store rejects the user name or password in EVENTSTORE_URL', { cause: error })
  if (wasNotSent(error)) return new NothingWritten('The event store does not respond', { cause: error })
  return new StoreUnavailable('The event store does not respond', { cause: error })
}

/** Waits at most `timeoutMs` for a call. Afterwards its outcome is unknown: throws StoreUnavailable. */
export const withCallTimeout = <Result>(timeoutMs: number, call: Promise<Result>): Promise<Result> =>
  withTimeout(call, timeoutMs, () => {
    throw new StoreUnavailable('The event store does not respond in time')
  })
