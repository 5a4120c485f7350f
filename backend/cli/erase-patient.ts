import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Pool } from 'pg'
import type { Opened } from './run-tool.ts'
import { eventsOf, versionsFor } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import type { PatientId } from '#contracts/values/ids.ts'
import { type CommandBus, type CommandContext, CommandRejected } from '#eventstore/command-bus.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { collectPhiFields } from '#encryption/phi-fields.ts'
import { getEncryptedSubject, redactedStore } from '#encryption/encrypted-store.ts'
import { upcastingStore } from '#eventstore/upcasting.ts'
import { erasureDecider } from '#modules/erasures/decider.ts'
import { patientDecider } from '#modules/patients/decider.ts'
import { dropShadowTables } from '#projections/rebuild/drop-shadow-tables.ts'
import { isBehind } from '#projections/runner/subscription.ts'
import { loadCheckpoints } from '#projections/status.ts'
import { type AnyProjection, applyEvent, handlesEvent, type Row, type Rows } from '#projections/projection.ts'
import { rebuild } from '#projections/rebuild/rebuild.ts'
import { quoteTableName } from '#projections/tables.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'

/** The record, its keys, and a bus whose read models are being followed. */
type Parts = Opened & { bus: CommandBus; correlationId: string }

const sealedFields = collectPhiFields(eventsOf(modules))
/** The read models that may hold what identifies a patient. */
const concerned = modules
  .flatMap((module) => module.projections ?? [])
  .filter((projection) => [...sealedFields.keys()].some((type) => handlesEvent(projection, type)))
const page = 2_000
const patience = 60_000

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
  const { pool, store, vault, bus, correlationId } = parts
  const practiceId = await eraseable(parts, patientId)
  const context: CommandContext = { practiceId, actor: { kind: 'process', name: 'keys' }, correlationId }
  await bus.execute(erasureDecider, patientId, { type: 'Decide', patientId, ...decided }, context)
  await remove(bus, patientId, context)
  await untilKnown(pool, await store.head())
  for (const projection of concerned) await forgetCopies(pool, projection)

  const left = await holding(parts, patientId)
  const since = await vault.destroy(patientId)
  for (const projection of left) {
    const { status } = await rebuild(parts, projection)
    if (status !== 'done') throw new OperationRefused(`${projection.name} could not be folded anew: call this again`)
    await forgetCopies(pool, projection)
  }
  // What was deleted stands in the files of the database until it is cleared away.
  for (const table of ['app.data_keys', ...concerned.map(quoteTableName)]) await pool.query(`vacuum ${table}`)
  await bus.execute(erasureDecider, patientId, { type: 'Finish', patientId }, context)
  return since
}

/** Whether everything that is known of a patient is sealed and nothing is on its way. Answers the practice. */
async function eraseable({ raw, pool }: Parts, patientId: PatientId): Promise<string> {
  let registered: Recorded | undefined
  for await (const event of raw.read(`${patientDecider.category}-${patientId}`)) {
    registered ??= event
    if (getEncryptedSubject(event) === null && sealedFields.get(event.type)?.split(event.data).phi !== undefined)
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
async function remove(bus: CommandBus, patientId: PatientId, context: CommandContext): Promise<void> {
  const command = { type: 'Remove', practiceId: context.practiceId as never, reason: 'erased' } as const
  await bus.execute(patientDecider, patientId, command, context).catch((error: unknown) => {
    if (!(error instanceof CommandRejected)) throw error
  })
}

/** Resolves when every read model that may hold something has seen the record up to a position. */
async function untilKnown(pool: Pool, position: Position | null): Promise<void> {
  for (const began = Date.now(); ;) {
    const found = await loadCheckpoints({ pool })
    const behind = concerned.filter(({ name }) => isBehind(found.get(name)?.position ?? null, position))
    const failed = concerned.find(({ name }) => found.get(name)?.state === 'failed')
    if (failed)
      throw new OperationRefused(`The read model ${failed.name} stands still: let it go on first, then call this again`)
    if (behind.length === 0) return
    if (Date.now() - began > patience)
      throw new OperationRefused('The read models are far behind: call this again later')
    await sleep(50)
  }
}

async function forgetCopies(pool: Pool, projection: AnyProjection): Promise<void> {
  if (!(await dropShadowTables(pool, projection)))
    throw new OperationRefused(`${projection.name} is being rebuilt: call this again when that is done`)
}

/**
 * The read models in which something of a patient is left: what follows from the patient's own facts would be another
 * without the key. All of them when the key is gone already, because then nobody can tell.
 */
async function holding({ raw, store, vault }: Parts, patientId: PatientId): Promise<readonly AnyProjection[]> {
  if ((await vault.getMany([patientId])).get(patientId) === null) return concerned
  const streams = await streamsOf(raw, patientId)
  const [readable, unreadable] = [
    await read(store, streams),
    await read(upcastingStore(redactedStore(raw), versionsFor(modules)), streams),
  ]
  return concerned.filter(
    (projection) => !isDeepStrictEqual(rowsOf(projection, readable), rowsOf(projection, unreadable)),
  )
}

/** Every stream that holds something sealed with the key of a subject. */
async function streamsOf(raw: EventStore, subject: string): Promise<ReadonlySet<string>> {
  const streams = new Set<string>()
  for (let after: Position | null = null; ;) {
    const { events, next } = await raw.readAll(after, page)
    if (events.length === 0) return streams
    for (const event of events) if (getEncryptedSubject(event) === subject) streams.add(event.stream)
    after = next
  }
}

async function read(store: EventStore, streams: ReadonlySet<string>): Promise<readonly Recorded[]> {
  const events: Recorded[] = []
  for (const stream of streams) for await (const event of store.read(stream)) events.push(event)
  return events.toSorted((a, b) => (a.position < b.position ? -1 : 1))
}

function rowsOf(projection: AnyProjection, events: readonly Recorded[]): ReadonlyMap<string, Row> {
  const rows: Rows = new Map()
  for (const event of events) applyEvent(projection, rows, event)
  return new Map([...rows].filter((entry): entry is [string, Row] => entry[1] !== null))
}
