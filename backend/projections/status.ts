import type { Position } from '#eventstore/event.ts'
import type { AnyProjection } from './projection.ts'
import type { EngineContext } from './rebuild/rebuild.ts'
import { type Checkpoint, loadCheckpoints } from './runner/checkpoints.ts'
import { createLagCounter } from './runner/lag.ts'
import type { CheckpointOwner } from './runner/subscriber.ts'
import { quoteTableName } from './table-names.ts'
import { asPrevious, asShadow } from './tables.ts'

/** The state of a projection or process manager, for operators. */
export type ProjectionStatus = {
  name: string
  kind: CheckpointOwner['kind']
  /** Version of the current table; null when there is none yet. */
  version: number | null
  /** Version of the calling code. */
  codeVersion: number
  state: string | null
  position: Position | null
  head: Position | null
  /** Events after its position, counted up to a thousand. */
  lag: number
  /** Null for a process manager, which has no table. */
  rows: number | null
  /** Beginning of its current state, an ISO instant in UTC. */
  since: string | null
  /** Position of the event that it failed at. */
  failedPosition: Position | null
  /** Type of that event and kind of error. */
  error: string | null
  /** A rebuild in progress, or an interrupted one. */
  next: ShadowStatus | null
  /** The table from before the last rebuild. */
  previous: ShadowStatus | null
}

type ShadowStatus = {
  version: number
  state: string
  position: Position | null
  failedPosition: Position | null
  error: string | null
}

const isTable = (owner: AnyProjection | CheckpointOwner) => !('kind' in owner) || owner.kind === 'projection'

/** Returns the states stored in the database, whichever instances are running. */
export async function listProjections(
  engine: EngineContext,
  owners: readonly (AnyProjection | CheckpointOwner)[],
): Promise<ProjectionStatus[]> {
  const head = await engine.store.head()
  const checkpoints = await loadCheckpoints(engine)
  const positions = owners.map(({ name }) => checkpoints.get(name)?.position ?? null)
  const lagAt = await createLagCounter(engine.store)(positions, head)
  return await Promise.all(
    owners.map(async (owner) => {
      const { name, version: codeVersion } = owner
      const checkpoint = checkpoints.get(name)
      const position = checkpoint?.position ?? null
      const hasTable = isTable(owner)
      return {
        name,
        kind: hasTable ? 'projection' : 'process-manager',
        version: checkpoint?.version ?? null,
        codeVersion,
        state: checkpoint?.state ?? null,
        position,
        head,
        lag: lagAt(position),
        rows: hasTable ? (checkpoint ? await countRows(engine, name) : 0) : null,
        since: checkpoint?.state_since.toISOString() ?? null,
        failedPosition: checkpoint?.failed_at_position ?? null,
        error: checkpoint?.error ?? null,
        next: toShadowStatus(checkpoints.get(asShadow(owner).name)),
        previous: toShadowStatus(checkpoints.get(asPrevious(owner).name)),
      }
    }),
  )
}

async function countRows({ pool }: EngineContext, name: string): Promise<number> {
  const { rows } = await pool.query<{ rows: string }>(`select count(*) as rows from ${quoteTableName({ name })}`)
  return Number(rows[0]?.rows ?? 0)
}

const toShadowStatus = (checkpoint: Checkpoint | undefined): ShadowStatus | null =>
  checkpoint
    ? {
        version: checkpoint.version,
        state: checkpoint.state,
        position: checkpoint.position,
        failedPosition: checkpoint.failed_at_position,
        error: checkpoint.error,
      }
    : null

/** Describes in words what differs from normal operation. */
export function formatRemarks({
  version,
  codeVersion,
  failedPosition,
  error,
  next,
  previous,
}: ProjectionStatus): string {
  const remarks = [
    version !== null && version !== codeVersion && `the code has version ${codeVersion}`,
    failedPosition !== null && `failed at ${failedPosition} (${error})`,
    next?.state === 'failed' && `its rebuild failed at ${next.failedPosition} (${next.error})`,
    next && next.state !== 'failed' && `a rebuild to version ${next.version} has started`,
    previous && `version ${previous.version} is kept`,
  ]
  return remarks.filter(Boolean).join('; ')
}
