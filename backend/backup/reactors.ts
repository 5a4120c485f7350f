import type { ClientBase, Pool } from 'pg'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { parsePosition } from '#eventstore/postgres/position.ts'
import { prepareTables } from '#projections/tables.ts'
import { tableExists } from './tables.ts'

/** How far something is that follows the record and has no table: it starts at the end, and cannot be derived anew. */
export type ProcessManagerCheckpoint = { name: string; version: number; position: Position | null }

/** The same in any store: how many events it has seen, from the first. */
export type ProcessManagerProgress = { name: string; version: number; eventCount: number }

/** The section in which they are kept; after the events. */
export const processManagerSection = 'read: reactors'

/** The checkpoints that belong to no table, in the snapshot of the transaction. */
export async function readProcessManagerCheckpoints(client: ClientBase): Promise<ProcessManagerCheckpoint[]> {
  if (!(await tableExists(client, 'read.checkpoints'))) return []
  const { rows } = await client.query<ProcessManagerCheckpoint>(
    `select name, version, position from read.checkpoints
     where name not like '%~%' and to_regclass(format('read.%I', name)) is null order by name`,
  )
  return rows
}

/** Counts what each has seen, while the events pass by. */
export function createProgressCounter(reactors: readonly ProcessManagerCheckpoint[]): {
  pass(event: Pick<Recorded, 'position'>): void
  seen(): ProcessManagerProgress[]
} {
  const counts = reactors.map(() => 0)
  return {
    pass: ({ position }) =>
      reactors.forEach((reactor, index) => {
        if (reactor.position !== null && position <= reactor.position) counts[index] = (counts[index] ?? 0) + 1
      }),
    seen: () => reactors.map(({ name, version }, index) => ({ name, version, eventCount: counts[index] ?? 0 })),
  }
}

/** Returns the progress of process managers that follow the PostgreSQL store, whose positions count the events without gaps. */
export const progressFromPositions = (reactors: readonly ProcessManagerCheckpoint[]): ProcessManagerProgress[] =>
  reactors.map(({ name, version, position }) => ({
    name,
    version,
    eventCount: Number(parsePosition(position)),
  }))

/** As a section has its rows. */
export const encodeJsonRows = (values: readonly object[]): Buffer =>
  Buffer.from(values.map((value) => `${JSON.stringify(value).replaceAll('\\', '\\\\')}\n`).join(''))

const pageSize = 1_000

/** Lets them go on after the events they had seen, in a store that may be another one. Call before anything follows it. */
export async function resumeProcessManagers(
  pool: Pool,
  store: EventStore,
  reactors: readonly ProcessManagerProgress[],
): Promise<void> {
  await prepareTables(pool, [])
  const positions = await findPositions(store, new Set(reactors.map(({ eventCount: seen }) => seen)))
  for (const { name, version, eventCount: seen } of reactors)
    await pool.query(
      'insert into read.checkpoints (name, version, position) values ($1, $2, $3) on conflict (name) do nothing',
      [name, version, positions.get(seen) ?? null],
    )
}

async function findPositions(store: EventStore, counts: ReadonlySet<number>): Promise<ReadonlyMap<number, Position>> {
  const found = new Map<number, Position>()
  const last = Math.max(0, ...counts)
  let done = 0
  for (let after: Position | null = null; done < last;) {
    const { events, next } = await store.readAll(after, { limit: pageSize })
    if (events.length === 0) break
    for (const { position } of events) if (counts.has(++done)) found.set(done, position)
    after = next
  }
  return found
}
