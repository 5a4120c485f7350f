import { createRequire } from 'node:module'
import type * as library from '@eventstore/db-client/dist/Client/parseConnectionString.js'

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
const normalizeOptionName = (name: string) => name.trim().toLowerCase().replaceAll(/[_-]/g, '')
const supportedOptionNames = new Set(supportedOptions.map(normalizeOptionName))

/** Parses as the library does. It is loaded here at the first use: its files would prolong the start without an EventStoreDB. */
const parseConnectionString: typeof library.parseConnectionString = (text) =>
  (
    createRequire(import.meta.url)('@eventstore/db-client/dist/Client/parseConnectionString.js') as typeof library
  ).parseConnectionString(text)

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
