import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { StartError } from './start-error.ts'

const waitTimeoutMs = 20_000
const minServerVersion = 150_000
/** The most connections of an instance: its pools, the two of pg-boss, and those that listen for notifications. */
const instanceConnections = 46

/**
 * Waits until an external PostgreSQL accepts connections, for at most 20 seconds, because services often start together.
 * Throws StartError, at once where waiting cannot help. Logs when the role of the application may open too few connections. Never
 * prints the address: it contains a password.
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
    const { problem, connections } = await tryConnect(url)
    if (problem === undefined) {
      if (variable === 'DATABASE_URL' && connections < instanceConnections)
        log(
          `PostgreSQL allows ${connections} connections, and an instance uses up to ${instanceConnections} under load`,
        )
      return
    }
    if (!problem.temporary || Date.now() > deadline) {
      throw new StartError(`The database of ${variable} (${where}) cannot be used: ${problem.reason}`)
    }
    if (!isLogged) log(`Waiting for the database ${where}`)
    await sleep(500, undefined, { signal })
  }
}

/** Creates a client as the application's pools do: some poolers refuse their settings. */
function createClient(url: string): Client {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000, statement_timeout: 5000 })
  client.on('error', () => undefined)
  return client
}

type Problem = { temporary: boolean; reason: string }

/** The reason against using a database, if there is one, and the number of connections that the role may open at once. */
type Found = { problem?: Problem; connections: number }

async function tryConnect(url: string): Promise<Found> {
  try {
    return await check(createClient(url), url)
  } catch (error) {
    // A certificate that the address names cannot be read.
    return refuseForGood((error as Error).message)
  }
}

const refuse = (problem: Problem): Found => ({ problem, connections: 0 })
const refuseForGood = (reason: string) => refuse({ temporary: false, reason })

const serverSql = `
  select current_setting('server_version_num')::int as version, current_setting('server_encoding') as encoding, least(
    current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
      - coalesce(current_setting('reserved_connections', true)::int, 0),
    (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
    (select nullif(datconnlimit, -1) from pg_database where datname = current_database())) as connections`

async function check(client: Client, url: string): Promise<Found> {
  try {
    await client.connect()
    const { rows } = await client.query<{ version: number; encoding: string; connections: number }>(serverSql)
    const [found] = rows
    if (!found || found.version < minServerVersion) return refuseForGood('PostgreSQL 15 or newer is needed')
    if (found.encoding !== 'UTF8') return refuseForGood('its encoding must be UTF8')
    if (await sharesSessions(client, url))
      return refuseForGood('a pooler gives each transaction any session. Use the address of PostgreSQL itself')
    return { connections: found.connections }
  } catch (error) {
    const { code = '', message } = error as Error & { code?: string }
    // Codes of five characters are PostgreSQL's own: 57P03 is "still starting", 53300 "too many connections".
    const temporary = !/^[0-9A-Z]{5}$/.test(code) || code === '57P03' || code === '53300'
    return refuse({ temporary, reason: message || code || 'no answer' })
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Returns whether a pooler, such as PgBouncer with `pool_mode = transaction`, shares the sessions of PostgreSQL between connections. Locks and
 * notifications of a connection would be those of another one.
 */
async function sharesSessions(client: Client, url: string): Promise<boolean> {
  const second = createClient(url)
  try {
    await second.connect()
    const pids: (number | undefined)[] = []
    for (const each of [client, second, client, second]) {
      // oxlint-disable-next-line no-await-in-loop -- a session in use would not be given to the next one
      const { rows } = await each.query<{ pid: number }>('select pg_backend_pid() as pid')
      pids.push(rows[0]?.pid)
    }
    const [one, other, oneAgain, otherAgain] = pids
    return one === other || one !== oneAgain || other !== otherAgain
  } finally {
    await second.end().catch(() => undefined)
  }
}
