/**
 * Settings on which the texts of values and the view of a transaction depend. A server, a database or a role may have others by
 * default: a German server writes dates as 31.12.2026, and a transaction that others cannot change could not be repeated.
 */
const settings = {
  client_encoding: 'UTF8',
  datestyle: 'ISO',
  intervalstyle: 'postgres',
  timezone: 'UTC',
  bytea_output: 'hex',
  extra_float_digits: '1',
  standard_conforming_strings: 'on',
  default_transaction_isolation: 'read committed',
}

const options = Object.entries(settings)
  .map(([name, value]) => `-c ${name}=${value.replaceAll(' ', String.raw`\ `)}`)
  .join(' ')

/** Adds the settings to the address of a database, for every session that is opened there. Those of the address have priority. */
export function withSessionSettings(url: string): string {
  const address = new URL(url)
  const given = address.searchParams.get('options') ?? ''
  if (given.startsWith(options)) return url
  address.searchParams.set('options', `${options} ${given}`.trim())
  // Not every driver reads a plus as a space.
  address.search = address.search.replaceAll('+', '%20')
  return address.href
}
