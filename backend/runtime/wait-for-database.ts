import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { StartError } from './start-error.ts'

const waitTimeoutMs = 20_000
const minServerVersion = 150_000

/**
 * Waits until an external PostgreSQL accepts connections, for at most 20 seconds, because services often start together.
 * Throws StartError, at once where waiting cannot help. Never prints the address: it contains a password.
 */
export async function waitForDatabase(
  variable: 'DATABASE_URL' | 'OWNER_DATABASE_URL',
  url: string,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<void> {
  const { host, pathname } = new URL(url)
  const where = `${host}${pathname}`
  const deadline = Date.now() + waitTimeoutMs
  for (let isLogged = false; ; isLogged = true) {
    signal.throwIfAborted()
    const problem = await tryConnect(url)
    if (problem === undefined) return
    if (!problem.temporary || Date.now() > deadline) {
      throw new StartError(`The database of ${variable} (${where}) cannot be used: ${problem.reason}`)
    }
    if (!isLogged) log(`Waiting for the database ${where}`)
    await sleep(500, undefined, { signal })
  }
}

async function tryConnect(url: string): Promise<{ temporary: boolean; reason: string } | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number; encoding: string }>(
      `select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding`,
    )
    const [found] = rows
    if (!found || found.version < minServerVersion)
      return { temporary: false, reason: 'PostgreSQL 15 or newer is needed' }
    if (found.encoding !== 'UTF8') return { temporary: false, reason: 'its encoding must be UTF8' }
    return undefined
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string }
    // Codes of five characters are PostgreSQL's own: 57P03 is "still starting", 53300 "too many connections".
    const temporary = !/^[0-9A-Z]{5}$/.test(code) || code === '57P03' || code === '53300'
    return { temporary, reason: message || code || 'no answer' }
  } finally {
    await client.end().catch(() => undefined)
  }
}
