import type { ConnectionOptions } from 'node:tls'
import pg from 'pg'

const parameters = ['ssl', 'sslmode', 'sslcert', 'sslkey', 'sslrootcert', 'sslnegotiation']

/**
 * Returns the address of a database without its parameters for TLS, and what they say: as pg understands them, which also reads
 * `PGSSLMODE`. slonik knows three modes only, and no authority for two of them. Throws when a file that they name cannot be read.
 */
export function separateTls(url: string): { url: string; ssl: ConnectionOptions | undefined } {
  const { ssl } = new pg.Client({ connectionString: url }) as unknown as { ssl: boolean | ConnectionOptions }
  const address = new URL(url)
  for (const name of parameters) address.searchParams.delete(name)
  address.search = address.search.replaceAll('+', '%20')
  return { url: address.href, ssl: ssl === true ? {} : ssl || undefined }
}
