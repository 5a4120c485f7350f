import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Pool } from 'pg'
import type { OpenStores } from './run-tool.ts'
import { listEventSchemas, createModuleEventVersions } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import type { PatientId } from '#contracts/values/ids.ts'
import { type CommandBus, type CommandContext, CommandRejected } from '#eventstore/command-bus.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { collectPhiFields } from '#encryption/phi-fields.ts'
import { getEncryptedSubject } from '#encryption/encrypted-event.ts'
import { redactedStore } from '#encryption/encrypted-store.ts'
import { upcastingStore } from '#eventstore/upcasting.ts'
import { erasureDecider } from '#modules/erasures/decider.ts'
import { patientDecider } from '#modules/patients/decider.ts'
import { dropShadowTables } from '#projections/rebuild/drop-shadow-tables.ts'
import { isBehind } from '#projections/position.ts'
import { loadCheckpoints } from '#projections/runner/checkpoints.ts'
import { type AnyProjection, applyEvent, handlesEvent, type Row, type Rows } from '#projections/projection.ts'
import { rebuild } from '#projections/rebuild/rebuild.ts'
import { quoteTableName } from '#projections/tables.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'

/** The record, its keys, and a bus whose read models are being followed. */
type Parts = OpenStores & { bus: CommandBus; correlationId: string }

const phiFieldsByType = collectPhiFields(listEventSchemas(modules))
/** The read models that may hold what identifies a patient. */
const phiProjections = modules
  .flatMap((module) => module.projections ?? [])
  .filter((projection) => [...phiFieldsByType.keys()].some((type) => handlesEvent(projection, type)))
const pageSize = 2_000
const catchUpTimeoutMs = 60_000

/**
 * Makes unreadable for ever what is known of a patient. First the patient is taken out of the lists by an ordinary event, and
 * every read model takes that in; then the key goes, and with it the copies that were made of what it had sealed. Whatever
 * breaks it off, the next call goes on. `why` is for auditors and names nobody. Answers since when it is so. Throws OperationRefused
 * with nothing destroyed.
 */
export async function erasePatient(
  parts: Parts,
  patientId: PatientId,
  decided: { by: string; why: string },
): Promise<Date> {
  const { pool, store, keyStore: vault, bus, correlationId } = parts
  const practiceId = await verifyErasable(parts, patientId)
  const context: CommandContext = { practiceId, actor: { kind: 'process', name: 'keys' }, correlationId }
  await bus.execute(erasureDecider, patientId, { type: 'Decide', patientId, ...decided }, context)
  await removePatient(bus, patientId, context)
  await waitForPhiProjections(pool, await store.head())
  for (const projection of phiProjections) await dropCopies(pool, projection)

  const left = await findAffectedProjections(parts, patientId)
  const since = await vault.destroy(patientId)
  for (const projection of left) {
    const { status } = await rebuild(parts, projection)
    if (status !== 'done') throw new OperationRefused(`${projection.name} could not be folded anew: call this again`)
    await dropCopies(pool, projection)
  }
  // What was deleted stands in the files of the database until it is cleared away.
  for (const table of ['app.data_keys', ...phiProjections.map(quoteTableName)]) await pool.query(`vacuum ${table}`)
  await bus.execute(erasureDecider, patientId, { type: 'Finish', patientId }, context)
  return since
}

/** Whether everything that is known of a patient is sealed and nothing is on its way. Answers the practice. */
async function verifyErasable({ rawStore: raw, pool }: Parts, patientId: PatientId): Promise<string> {
  let registered: Recorded | undefined
  for await (const event of raw.read(`${patientDecider.category}-${patientId}`)) {
    registered ??= event
    if (getEncryptedSubject(event) === null && phiFieldsByType.get(event.type)?.split(event.data).phi !== undefined)
      throw new OperationRefused(
        `${patientId} has facts from before anything was sealed: they cannot be made unreadable`,
      )
  }
  if (!registered) throw new OperationRefused(`There is no patient ${patientId}`)
  const { rowCount } = await pool.query('select from app.import_files where import_id = $1', [
    registered.data['importId'],
  ])
  if (rowCount)
    throw new OperationRefused('The import that brought this patient is under way: call this again when it is done')
  return String(registered.data['practiceId'])
}

/** One who was removed before, for whatever reason, stays so. */
async function removePatient(bus: CommandBus, patientId: PatientId, context: CommandContext): Promise<void> {
  const command = { type: 'Remove', practiceId: context.practiceId as never, reason: 'erased' } as const
  await bus.execute(patientDecider, patientId, command, context).catch((error: unknown) => {
    if (!(error instanceof CommandRejected)) throw error
  })
}

/** Resolves when every read model that may hold something has seen the record up to a position. */
async function waitForPhiProjections(pool: Pool, position: Position | null): Promise<void> {
  for (const began = Date.now(); ;) {
    const found = await loadCheckpoints({ pool })
    const behind = phiProjections.filter(({ name }) => isBehind(found.get(name)?.position ?? null, position))
    const failed = phiProjections.find(({ name }) => found.get(name)?.state === 'failed')
    if (failed)
      throw new OperationRefused(`The read model ${failed.name} stands still: let it go on first, then call this again`)
    if (behind.length === 0) return
    if (Date.now() - began > catchUpTimeoutMs)
      throw new OperationRefused('The read models are far behind: call this again later')
    await sleep(50)
  }
}

async function dropCopies(pool: Pool, projection: AnyProjection): Promise<void> {
  if (!(await dropShadowTables(pool, projection)))
    throw new OperationRefused(`${projection.name} is being rebuilt: call this again when that is done`)
}

/**
 * The read models in which something of a patient is left: what follows from the patient's own facts would be another
 * without the key. All of them when the key is gone already, because then nobody can tell.
 */
async function findAffectedProjections(
  { rawStore: raw, store, keyStore: vault }: Parts,
  patientId: PatientId,
): Promise<readonly AnyProjection[]> {
  if ((await vault.getMany([patientId])).get(patientId) === null) return phiProjections
  const streams = await findEncryptedStreams(raw, patientId)
  const [readable, unreadable] = [
    await readStreams(store, streams),
    await readStreams(upcastingStore(redactedStore(raw), createModuleEventVersions(modules)), streams),
  ]
  return phiProjections.filter(
    (projection) => !isDeepStrictEqual(foldRows(projection, readable), foldRows(projection, unreadable)),
  )
}

/** Every stream that holds something sealed with the key of a subject. */
async function findEncryptedStreams(raw: EventStore, subject: string): Promise<ReadonlySet<string>> {
  const streams = new Set<string>()
  for (let after: Position | null = null; ;) {
    const { events, next } = await raw.readAll(after, { limit: pageSize })
    if (events.length === 0) return streams
    for (const event of events) if (getEncryptedSubject(event) === subject) streams.add(event.stream)
    after = next
  }
}

async function readStreams(store: EventStore, streams: ReadonlySet<string>): Promise<readonly Recorded[]> {
  const events: Recorded[] = []
  for (const stream of streams) for await (const event of store.read(stream)) events.push(event)
  return events.toSorted((a, b) => (a.position < b.position ? -1 : 1))
}

function foldRows(projection: AnyProjection, events: readonly Recorded[]): ReadonlyMap<string, Row> {
  const rows: Rows = new Map()
  for (const event of events) applyEvent(projection, rows, event)
  return new Map([...rows].filter((entry): entry is [string, Row] => entry[1] !== null))
}
