import type { Position } from '#eventstore/event.ts'
import { lagCounter } from './runner/lag.ts'
import type { AnyProjection } from './projection.ts'
import { isReactor, type ReactorEntry } from '#process-managers/subscription.ts'
import type { Engine } from './rebuild/rebuild.ts'
import { nextOf, previousOf, tableOf } from './tables.ts'

/** Everything an operator wants to know of a read model. */
export type Listed = {
  name: string
  kind: 'projection' | 'reactor'
  /** Of the table that answers; null when there is none yet. */
  version: number | null
  /** Of the code that asks. */
  codeVersion: number
  state: string | null
  position: Position | null
  head: Position | null
  /** Events after its position, counted up to a thousand. */
  lag: number
  /** Null where there is no table: a reactor puts jobs down instead. */
  rows: number | null
  /** Since when it has been in its state, an ISO instant in UTC. */
  since: string | null
  /** Where it stands still, and at what kind of event. */
  stoppedAt: Position | null
  error: string | null
  /** A rebuild that is under way or was left. */
  next: Beside | null
  /** The table of before the last rebuild. */
  previous: Beside | null
}

type Beside = {
  version: number
  state: string
  position: Position | null
  stoppedAt: Position | null
  error: string | null
}

type Checkpoint = {
  name: string
  version: number
  position: Position | null
  state: string
  stopped_at: Position | null
  error: string | null
  since: Date
}

/** The checkpoint rows, with those of the tables beside, by name. */
export async function checkpoints({ pool }: Pick<Engine, 'pool'>): Promise<ReadonlyMap<string, Checkpoint>> {
  const { rows } = await pool.query<Checkpoint>(
    'select name, version, position, state, stopped_at, error, since from read.checkpoints',
  )
  return new Map(rows.map((row) => [row.name, row]))
}

/** The state of read models as the database has it, whoever follows them. */
export async function list(engine: Engine, projections: readonly (AnyProjection | ReactorEntry)[]): Promise<Listed[]> {
  const { pool, store } = engine
  const head = await store.head()
  const found = await checkpoints(engine)
  const positions = projections.map(({ name }) => found.get(name)?.position ?? null)
  const lagOf = await lagCounter(store)(positions, head)
  return await Promise.all(
    projections.map(async (projection) => {
      const { name, version: codeVersion } = projection
      const row = found.get(name)
      const position = row?.position ?? null
      const reacts = isReactor(projection)
      const counted =
        row && !reacts && (await pool.query<{ rows: string }>(`select count(*) as rows from ${tableOf(projection)}`))
      return {
        name,
        kind: reacts ? 'reactor' : 'projection',
        version: row?.version ?? null,
        codeVersion,
        state: row?.state ?? null,
        position,
        head,
        lag: lagOf(position),
        rows: reacts ? null : Number((counted && counted.rows[0]?.rows) ?? 0),
        since: row?.since.toISOString() ?? null,
        stoppedAt: row?.stopped_at ?? null,
        error: row?.error ?? null,
        next: beside(found.get(nextOf(projection).name)),
        previous: beside(found.get(previousOf(projection).name)),
      }
    }),
  )
}

const beside = (row: Checkpoint | undefined): Beside | null =>
  row
    ? {
        version: row.version,
        state: row.state,
        position: row.position,
        stoppedAt: row.stopped_at,
        error: row.error,
      }
    : null

/** What stands beside a read model, in words. */
export function remarksOn({ version, codeVersion, stoppedAt, error, next, previous }: Listed): string {
  const remarks = [
    version !== null && version !== codeVersion && `this is version ${codeVersion}`,
    stoppedAt !== null && `stands still at ${stoppedAt} (${error})`,
    next?.state === 'failed' && `its rebuild stands still at ${next.stoppedAt} (${next.error})`,
    next && next.state !== 'failed' && `a rebuild to version ${next.version} has begun`,
    previous && `version ${previous.version} is kept`,
  ]
  return remarks.filter(Boolean).join('; ')
}
