import type { Pool } from 'pg'
import { advisoryLocks } from '#database/advisory-locks.ts'
import { withTransaction } from '#database/pool.ts'
import type { NewEvent } from '#eventstore/event.ts'
import {
  type Appended,
  type AppendedTogether,
  type AppendOptions,
  EventIdConflict,
  type EventStore,
  type ExpectedRevision,
  maxAppendBytes,
  StoreDamaged,
  type StreamAppend,
} from '#eventstore/event-store.ts'
import { createWakeUps } from '#eventstore/wake-ups.ts'
import { type AppendOutcome, type AppendUnit, createGroupAppender, type PendingAppend } from './group-append.ts'
import { formatPosition, isPosition, parsePosition } from './position.ts'
import { createReader } from './reader.ts'
import { schemaSql } from './schema.ts'

/** The event store in PostgreSQL. `close` stops its listeners; the pools belong to the caller. */
export type PostgresStore = EventStore & { close(): Promise<void> }

/**
 * Opens the event store in PostgreSQL; creates its table when it does not exist, which needs the owner's role. Events are
 * appended on `appendPool`, whose statements the server should cancel before their time-out (`openAppendPool`). `onDamaged`
 * is called for every read and append that meets damaged data.
 */
export async function openPostgresStore(
  pool: Pool,
  { appendPool = pool, onDamaged = () => undefined }: { appendPool?: Pool; onDamaged?: (() => void) | undefined } = {},
): Promise<PostgresStore> {
  let schema = await findSchema(pool)
  if (!schema.isCreated) {
    await createEventStoreSchema(pool)
    schema = await findSchema(pool)
  }
  const wakeUps = createWakeUps(pool)
  const { readPage, read, readAll, head } = createReader(pool, onDamaged)
  const enqueue = createGroupAppender(appendPool)

  const write = (unit: AppendUnit): Promise<readonly AppendOutcome[]> =>
    enqueue(unit).catch((error: unknown) => {
      if (error instanceof StoreDamaged) onDamaged()
      throw error
    })

  async function append(
    stream: string,
    expected: ExpectedRevision,
    events: readonly NewEvent[],
    options?: AppendOptions,
  ): Promise<Appended> {
    const pending = toPendingAppend({ stream, expected, events })
    if (isTooLarge([pending])) return { status: 'too-large' }
    const [outcome] = (await write([pending])) as [AppendOutcome]
    if (!outcome.ok) return (await findDuplicate(pending)) ?? toConflict(outcome)
    const { revision } = outcome
    if (pending.rows.length === 0)
      return { status: 'already-appended', revision, position: (await head()) ?? formatPosition(0n) }
    wakeUps.notify(options)
    return { status: 'appended', revision, position: formatPosition(outcome.position) }
  }

  async function appendTogether(appends: readonly StreamAppend[], options?: AppendOptions): Promise<AppendedTogether> {
    const unit = appends.map(toPendingAppend)
    if (isTooLarge(unit)) return { status: 'too-large' }
    const outcomes = await write(unit)
    const refused = unit.filter((_, index) => outcomes[index]?.ok !== true)
    if (refused.length > 0) {
      const earlier = await Promise.all(unit.filter(({ rows }) => rows.length > 0).map(findDuplicate))
      const written = earlier.flatMap((each) => (each?.status === 'already-appended' ? [each] : []))
      return written.length > 0 && written.length === earlier.length
        ? { status: 'already-appended', written }
        : { status: 'conflict', streams: refused.map(({ stream }) => stream) }
    }
    wakeUps.notify(options)
    const written = outcomes.flatMap((outcome, index) =>
      outcome.ok && unit[index]?.rows.length !== 0
        ? [{ revision: outcome.revision, position: formatPosition(outcome.position) }]
        : [],
    )
    return { status: 'appended', written }
  }

  /** Returns the result of an earlier attempt that appended the same events at the same place; null if there is none. */
  async function findDuplicate({ stream, expected, rows }: PendingAppend): Promise<Appended | null> {
    if (rows.length === 0) return null
    const stored = await readPage(stream, expected + 1n, rows.length)
    const last = stored.at(-1)
    if (!last || stored.length !== rows.length || stored.some(([, , , id], index) => id !== rows[index]?.id))
      return null
    if (stored.some(([, , , , type, data], index) => data !== rows[index]?.data || type !== rows[index]?.type))
      throw new EventIdConflict(`Event ${last[3]} exists with other content`)
    return { status: 'already-appended', revision: BigInt(last[2]), position: formatPosition(last[0]) }
  }

  return {
    append,
    // An earlier version created the database, and none of its owner has started since.
    ...(schema.canAppendTogether ? { appendTogether } : {}),
    read,
    readAll,
    head,
    isOwnPosition: isPosition,
    estimateOffset: (position) => Number(parsePosition(position)),
    onWake: wakeUps.onWake,
    close: wakeUps.close,
  }
}

const isTooLarge = (unit: AppendUnit): boolean =>
  unit.reduce((sum, { rows }) => rows.reduce((bytes, { data }) => bytes + Buffer.byteLength(data), sum), 0) >
  maxAppendBytes

const toPendingAppend = ({ stream, expected, events }: StreamAppend): PendingAppend => ({
  stream,
  expected: expected === 'no-stream' ? -1n : expected,
  rows: events.map(({ id, type, data, metadata }) => ({
    id,
    type,
    data: JSON.stringify(data),
    metadata: JSON.stringify(metadata),
  })),
})

const toConflict = ({ revision }: Extract<AppendOutcome, { ok: false }>): Appended => ({
  status: 'conflict',
  actual: revision === -1n ? 'no-stream' : revision,
})

/** Returns whether the table and its trigger exist, and whether this role can append to several streams at once. */
async function findSchema(pool: Pool): Promise<{ isCreated: boolean; canAppendTogether: boolean }> {
  const { rows } = await pool.query<{ isCreated: boolean; canAppendTogether: boolean }>(
    `select
       exists (select from pg_trigger where tgrelid = to_regclass('es.events') and tgname = 'append_only') as "isCreated",
       coalesce(has_function_privilege(to_regproc('es.append_together')::oid, 'execute'), false) as "canAppendTogether"`,
  )
  return rows[0] ?? { isCreated: false, canAppendTogether: false }
}

/** Creates or upgrades table and functions; instances that start together wait for each other. */
export async function createEventStoreSchema(pool: Pool): Promise<void> {
  await withTransaction(pool, 'begin', async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [advisoryLocks.eventStoreSchema])
    await client.query(schemaSql)
  })
}
