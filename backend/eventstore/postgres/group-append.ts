import type { ClientBase, Pool, QueryConfig, QueryResult } from 'pg'
import { EventIdConflict } from '#eventstore/event-store.ts'
import { toBinaryArray } from '#database/binary-array.ts'
import { writeWithTimeout } from '#database/query-timeout.ts'
import { toUnavailable } from './unavailable.ts'

/** An append to one stream. `expected` is -1 for a stream that must not exist. Without rows, the stream is only compared. */
export type PendingAppend = {
  stream: string
  expected: bigint
  rows: readonly { id: string; type: string; data: string; metadata: string }[]
}

/** Appends that are written together or not at all, each to another stream. Most are alone. */
export type AppendUnit = readonly PendingAppend[]

/**
 * The outcome of one append. `revision` is the last one of the stream: after the append, or instead of it. `ok` is false for each
 * stream that was not at the expected revision; nothing of its unit was written then.
 */
export type AppendOutcome = { ok: true; revision: bigint; position: bigint } | { ok: false; revision: bigint }

type QueuedUnit = {
  appends: AppendUnit
  resolve: (outcomes: readonly AppendOutcome[]) => void
  reject: (error: unknown) => void
}
type AppendGroupRow = { head: string; actual: string[] }

const maxGroupUnits = 128
const maxGroupBytes = 4 * 1024 * 1024

/**
 * Creates a group append: appends that arrive while one call is in flight are sent together in the next one. Under load
 * this is one lock, one insert and one commit for many appends; a single writer is not delayed.
 */
export function createGroupAppender(pool: Pool): (unit: AppendUnit) => Promise<readonly AppendOutcome[]> {
  let queue: QueuedUnit[] = []
  let isScheduled = false

  /**
   * Sends the next group after the current I/O events, not at once: the writers of the last group queue their next appends
   * first. Otherwise the group would contain only the first of them, and every second group would be of one append.
   */
  function schedule(): void {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => void sendNextGroup())
  }

  async function sendNextGroup(): Promise<void> {
    const { group, rest } = takeGroup(queue)
    queue = rest
    await writeGroup(pool, group)
    setImmediate(() => {
      if (queue.length > 0) return void sendNextGroup()
      isScheduled = false
    })
  }

  return (appends) =>
    new Promise((resolve, reject) => {
      queue.push({ appends, resolve, reject })
      schedule()
    })
}

/**
 * Splits the queue. A unit never shares a group with an earlier one that writes one of its streams: it must see the result. Any number
 * may compare a stream before one writes it.
 */
function takeGroup(queue: readonly QueuedUnit[]): { group: QueuedUnit[]; rest: QueuedUnit[] } {
  const written = new Set<string>()
  const isFree = ({ stream }: PendingAppend) => !written.has(stream)
  const group: QueuedUnit[] = []
  const rest: QueuedUnit[] = []
  let bytes = 0
  for (const unit of queue) {
    const { appends } = unit
    const size = appends.reduce((sum, { rows }) => rows.reduce((total, { data }) => total + data.length, sum), 0)
    const fits = group.length === 0 || (group.length < maxGroupUnits && bytes + size <= maxGroupBytes)
    if (fits && appends.every(isFree)) {
      group.push(unit)
      bytes += size
    } else rest.push(unit)
    // A unit that is left over reserves its streams too: later ones must not overtake it.
    for (const { stream, rows } of appends) if (rows.length > 0) written.add(stream)
  }
  return { group, rest }
}

async function writeGroup(pool: Pool, group: readonly QueuedUnit[]): Promise<void> {
  try {
    const units = group.map(({ appends }) => appends)
    const outcomes = await callAppend(units, (query) => writeWithTimeout<AppendGroupRow>(pool, query))
    group.forEach((unit, index) => unit.resolve(outcomes[index] as AppendOutcome[]))
  } catch (error) {
    if (!isDuplicateEventId(error)) {
      const unavailable = toUnavailable(error)
      for (const unit of group) unit.reject(unavailable)
    } else if (group.length === 1) {
      group[0]?.reject(new EventIdConflict('An event with this id already exists', { cause: error }))
    } else {
      // One used id fails the whole statement: each unit is sent alone, so that only the one with that id fails.
      for (const unit of group) await writeGroup(pool, [unit])
    }
  }
}

/**
 * Calls the append function of the database once and returns the outcomes of each unit. A stream that one of them writes is named
 * by none after it.
 */
export const appendGroup = (client: Pool | ClientBase, units: readonly AppendUnit[]): Promise<AppendOutcome[][]> =>
  callAppend(units, (query) => client.query<AppendGroupRow>(query))

async function callAppend(
  units: readonly AppendUnit[],
  runQuery: (query: QueryConfig) => Promise<QueryResult<AppendGroupRow>>,
): Promise<AppendOutcome[][]> {
  const { rows } = await runQuery(toQuery(units))
  const { head, actual } = rows[0] as AppendGroupRow
  let position = BigInt(head)
  let next = 0
  return units.map((appends) => {
    const revisions = appends.map(() => BigInt(actual[next++] as string))
    const isWritten = appends.every(({ expected }, index) => revisions[index] === expected)
    return appends.map(({ expected, rows: events }, index) => {
      const revision = revisions[index] as bigint
      if (revision !== expected) return { ok: false, revision }
      if (!isWritten) return { ok: true, revision, position }
      position += BigInt(events.length)
      return { ok: true, revision: revision + BigInt(events.length), position }
    })
  })
}

/** Returns the call of the function for appends that are alone, or the one for those of which some belong together. */
function toQuery(units: readonly AppendUnit[]): QueryConfig {
  const appends = units.flat()
  const streams = toStreamValues(appends)
  const events = toEventValues(appends)
  if (units.length === appends.length)
    return {
      name: 'es-append-group',
      text: 'select head, actual from es.append_group($1, $2, $3, $4, $5, $6, $7, $8)',
      values: [...streams, ...events],
    }
  const unitNumbers = units.flatMap((unit, index) => unit.map(() => index))
  return {
    name: 'es-append-together',
    text: 'select head, actual from es.append_together($1, $2, $3, $4, $5, $6, $7, $8, $9)',
    values: [...streams, toBinaryArray.int4(unitNumbers), ...events],
  }
}

const toStreamValues = (appends: readonly PendingAppend[]): Buffer[] => [
  toBinaryArray.text(appends.map(({ stream }) => stream)),
  toBinaryArray.int8(appends.map(({ expected }) => expected)),
]

function toEventValues(pending: readonly PendingAppend[]): Buffer[] {
  const appends: number[] = []
  const revisions: bigint[] = []
  const events: PendingAppend['rows'][number][] = []
  for (const [index, { expected, rows }] of pending.entries())
    for (const [ord, row] of rows.entries()) {
      appends.push(index + 1)
      revisions.push(expected + BigInt(ord + 1))
      events.push(row)
    }
  return [
    toBinaryArray.int4(appends),
    toBinaryArray.int8(revisions),
    toBinaryArray.uuid(events.map(({ id }) => id)),
    toBinaryArray.text(events.map(({ type }) => type)),
    toBinaryArray.text(events.map(({ data }) => data)),
    toBinaryArray.text(events.map(({ metadata }) => metadata)),
  ]
}

const isDuplicateEventId = (error: unknown) =>
  error instanceof Error &&
  (error as { code?: string }).code === '23505' &&
  (error as { constraint?: string }).constraint === 'events_event_id'
