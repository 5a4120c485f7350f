import type { ClientBase, Pool } from 'pg'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { readPages } from '#eventstore/read-pages.ts'
import { parsePosition } from '#eventstore/postgres/position.ts'
import { prepareTables } from '#projections/prepare-tables.ts'
import { tableExists } from './tables.ts'

/** The checkpoint of a process manager: it has no table and cannot be rebuilt. */
export type ProcessManagerCheckpoint = { name: string; version: number; position: Position | null }

/** Progress that is independent of the store: the number of events handled since the first. */
export type ProcessManagerProgress = { name: string; version: number; eventCount: number }

/** The section of the process managers, after the events. */
export const processManagerSection = 'read: process managers'

/** Reads the checkpoints without a table, in the snapshot of the transaction. */
export async function readProcessManagerCheckpoints(client: ClientBase): Promise<ProcessManagerCheckpoint[]> {
  if (!(await tableExists(client, 'read.checkpoints'))) return []
  const { rows } = await client.query<ProcessManagerCheckpoint>(
    `select name, version, position from read.checkpoints
     where name not like '%~%' and to_regclass(format('read.%I', name)) is null order by name`,
  )
  return rows
}

/** Creates a counter of the events that each process manager has handled. */
export function createProgressCounter(checkpoints: readonly ProcessManagerCheckpoint[]): {
  count(event: Pick<Recorded, 'position'>): void
  getProgress(): ProcessManagerProgress[]
} {
  const counts = checkpoints.map(() => 0)
  return {
    count: ({ position }) =>
      checkpoints.forEach((checkpoint, index) => {
        if (checkpoint.position !== null && position <= checkpoint.position) counts[index] = (counts[index] ?? 0) + 1
      }),
    getProgress: () =>
      checkpoints.map(({ name, version }, index) => ({ name, version, eventCount: counts[index] ?? 0 })),
  }
}

/** Returns the progress from positions, which in PostgreSQL count the events without gaps. */
export const progressFromPositions = (checkpoints: readonly ProcessManagerCheckpoint[]): ProcessManagerProgress[] =>
  checkpoints.map(({ name, version, position }) => ({
    name,
    version,
    eventCount: Number(parsePosition(position)),
  }))

/** Encodes values as rows of a section: one JSON value per line. */
export const encodeJsonRows = (values: readonly object[]): Buffer =>
  Buffer.from(values.map((value) => `${JSON.stringify(value).replaceAll('\\', '\\\\')}\n`).join(''))

/** Positions process managers after the events they have handled, in a store that may be another one. Call before the runner starts. */
export async function resumeProcessManagers(
  pool: Pool,
  store: EventStore,
  processManagers: readonly ProcessManagerProgress[],
): Promise<void> {
  await prepareTables(pool, [])
  const positions = await findPositions(store, new Set(processManagers.map(({ eventCount }) => eventCount)))
  for (const { name, version, eventCount } of processManagers)
    await pool.query(
      'insert into read.checkpoints (name, version, position) values ($1, $2, $3) on conflict (name) do nothing',
      [name, version, positions.get(eventCount) ?? null],
    )
}

async function findPositions(store: EventStore, counts: ReadonlySet<number>): Promise<ReadonlyMap<number, Position>> {
  const found = new Map<number, Position>()
  const last = Math.max(0, ...counts)
  let done = 0
  if (last === 0) return found
  for await (const { events } of readPages(store)) {
    for (const { position } of events) if (counts.has(++done)) found.set(done, position)
    if (done >= last) break
  }
  return found
}
