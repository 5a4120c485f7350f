import type { Position } from '#eventstore/event.ts'
import { createLagCounter } from './runner/lag.ts'
import type { AnyProjection } from './projection.ts'
import { isProcessManager, type ProcessManagerEntry } from '#process-managers/subscriber.ts'
import type { EngineContext } from './rebuild/rebuild.ts'
import { asShadow, asPrevious, quoteTableName } from './tables.ts'

/** Everything an operator wants to know of a read model. */
export type ProjectionStatus = {
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
  next: ShadowStatus | null
  /** The table of before the last rebuild. */
  previous: ShadowStatus | null
}

type ShadowStatus = {
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
export async function loadCheckpoints({ pool }: Pick<EngineContext, 'pool'>): Promise<ReadonlyMap<string, Checkpoint>> {
  const { rows } = await pool.query<Checkpoint>(
    'select name, version, position, state, stopped_at, error, since from read.checkpoints',
  )
  return new Map(rows.map((row) => [row.name, row]))
}

/** The state of read models as the database has it, whoever follows them. */
export async function listProjections(
  engine: EngineContext,
  projections: readonly (AnyProjection | ProcessManagerEntry)[],
): Promise<ProjectionStatus[]> {
  const { pool, store } = engine
  const head = await store.head()
  const found = await loadCheckpoints(engine)
  const positions = projections.map(({ name }) => found.get(name)?.position ?? null)
  const lagOf = await createLagCounter(store)(positions, head)
  return await Promise.all(
    projections.map(async (projection) => {
      const { name, version: codeVersion } = projection
      const row = found.get(name)
      const position = row?.position ?? null
      const reacts = isProcessManager(projection)
      const counted =
        row &&
        !reacts &&
        (await pool.query<{ rows: string }>(`select count(*) as rows from ${quoteTableName(projection)}`))
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
        next: toShadowStatus(found.get(asShadow(projection).name)),
        previous: toShadowStatus(found.get(asPrevious(projection).name)),
      }
    }),
  )
}

const toShadowStatus = (row: Checkpoint | undefined): ShadowStatus | null =>
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
export function formatRemarks({ version, codeVersion, stoppedAt, error, next, previous }: ProjectionStatus): string {
  const remarks = [
    version !== null && version !== codeVersion && `this is version ${codeVersion}`,
    stoppedAt !== null && `stands still at ${stoppedAt} (${error})`,
    next?.state === 'failed' && `its rebuild stands still at ${next.stoppedAt} (${next.error})`,
    next && next.state !== 'failed' && `a rebuild to version ${next.version} has begun`,
    previous && `version ${previous.version} is kept`,
  ]
  return remarks.filter(Boolean).join('; ')
}
