import type { Pool } from 'pg'
import type { Migration } from '#database/migrations.ts'
import { clientNetwork } from '#http/client-network.ts'
import type { Services } from '#modules/module.ts'
import { normalizeEmail } from '#modules/kit/normalize-email.ts'

/** The networks from which accounts have signed in. `key` is a keyed hash, from which neither can be recovered. */
export const knownNetworksMigration: Migration = {
  id: 'accounts-006-known-networks',
  sql: `create table app.known_networks (
          key text collate "C" primary key,
          seen_at timestamptz not null);
        create index on app.known_networks (seen_at);`,
}

/** Days after a sign-in for which its network stays known to the account. */
const knownDays = 90

type Dependencies = Pick<Services, 'relaxedPool' | 'keyedHash' | 'clock'>

const createKey = ({ keyedHash }: Pick<Services, 'keyedHash'>, email: string, address: string) =>
  keyedHash('account network', `${clientNetwork(address)} ${normalizeEmail(email)}`)

const knownSince = (now: Date) => new Date(now.getTime() - knownDays * 86_400_000)

/** Remembers that an account has signed in from the network of a client address. */
export async function rememberNetwork(services: Dependencies, email: string, address: string): Promise<void> {
  await services.relaxedPool.query(
    `insert into app.known_networks (key, seen_at) values ($1, $2)
     on conflict (key) do update set seen_at = excluded.seen_at`,
    [createKey(services, email, address), services.clock()],
  )
}

/** Returns whether an account has signed in from the network of a client address within the last 90 days. */
export async function isKnownNetwork(services: Dependencies, email: string, address: string): Promise<boolean> {
  const { rowCount } = await services.relaxedPool.query(
    'select from app.known_networks where key = $1 and seen_at > $2',
    [createKey(services, email, address), knownSince(services.clock())],
  )
  return rowCount !== 0
}

/** Deletes the networks from which no one has signed in for 90 days. */
export async function forgetNetworks(pool: Pool, now: Date): Promise<void> {
  await pool.query('delete from app.known_networks where seen_at < $1', [knownSince(now)])
}
