import pg from 'pg'
import { encryptedHashKeyName, encryptHashKey, decryptHashKey } from './installation-keys.ts'
import { computeFingerprint, type Key } from './cipher.ts'
import { masterKeyName, unwrapKey, wrapKey } from './data-keys.ts'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { inTransaction } from '#database/pool.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'

type Options = { signal: AbortSignal; onProgress: (done: number, total: number) => void }

const pageSize = 1_000

/**
 * Wraps every data key and the hash key with another master key, in one transaction. The keys themselves stay the same, so
 * all data stays readable. Throws OperationRefused while another process uses the keys, because a running application knows
 * only the old master key; `getNext` is called after that check. Returns the number of wrapped keys.
 */
export async function rotateMasterKey(
  pool: pg.Pool,
  from: Key,
  getNext: () => Promise<Key>,
  options: Options,
): Promise<number> {
  const client = new pg.Client({ connectionString: pool.options.connectionString ?? '', keepAlive: true })
  client.on('error', () => undefined)
  await client.connect()
  try {
    const { rows } = await client.query<{ isExclusive: boolean }>('select pg_try_advisory_lock($1) as "isExclusive"', [
      advisoryLocks.keyStore,
    ])
    if (!rows[0]?.isExclusive)
      throw new OperationRefused('Everchart is running, or another tool uses the keys: stop it, then run this again')
    const to = await getNext()
    return await inTransaction(client, 'begin', () => rewrapAll(client, from, to, options))
  } finally {
    await client.end().catch(() => undefined)
  }
}

async function rewrapAll(client: pg.Client, from: Key, to: Key, options: Options): Promise<number> {
  const { rows } = await client.query<{ value: string }>(
    'select value from app.installation where name = $1 for update',
    [masterKeyName],
  )
  if (rows[0]?.value !== computeFingerprint(from))
    throw new OperationRefused('The master key is not the one this database is encrypted with')
  const wrapped = await rewrapDataKeys(client, from, to, options)
  await rewrapHashKey(client, from, to)
  await client.query('update app.installation set value = $2 where name = $1', [masterKeyName, computeFingerprint(to)])
  return wrapped
}

async function rewrapDataKeys(client: pg.Client, from: Key, to: Key, { signal, onProgress }: Options) {
  const counted = await client.query<{ keys: number }>('select count(wrapped_key)::int as keys from app.data_keys')
  const total = counted.rows[0]?.keys ?? 0
  let done = 0
  for (let after = ''; ;) {
    signal.throwIfAborted()
    const { rows } = await client.query<{ subject: string; wrapped: Buffer }>(
      'select subject, wrapped_key as wrapped from app.data_keys where wrapped_key is not null and subject > $1 order by subject limit $2',
      [after, pageSize],
    )
    const last = rows.at(-1)
    if (!last) return done
    const wrapped = rows.map(({ subject, wrapped: before }) => {
      const key = unwrapKey(from, subject, before)
      if (!key) throw new OperationRefused(`The data key of ${subject} is damaged: restore the database from a backup`)
      return wrapKey(to, subject, key)
    })
    await client.query(
      `update app.data_keys k set wrapped_key = u.wrapped_key, master_fingerprint = $3
       from unnest($1::text[], $2::bytea[]) u(subject, wrapped_key) where k.subject = u.subject`,
      [rows.map(({ subject }) => subject), wrapped, computeFingerprint(to)],
    )
    after = last.subject
    done += rows.length
    onProgress(done, total)
  }
}

async function rewrapHashKey(client: pg.Client, from: Key, to: Key): Promise<void> {
  const { rows } = await client.query<{ value: string }>('select value from app.installation where name = $1', [
    encryptedHashKeyName,
  ])
  const encrypted = rows[0]?.value
  if (encrypted === undefined) return
  const hashKey = decryptHashKey(from, encrypted)
  if (hashKey === null) throw new OperationRefused('The hash key is damaged: restore the database from a backup')
  await client.query('update app.installation set value = $2 where name = $1', [
    encryptedHashKeyName,
    encryptHashKey(to, hashKey),
  ])
}
