import type { ClientBase, Pool, QueryConfig, QueryResult } from 'pg'
import { EventIdConflict } from '#eventstore/event-store.ts'
import { toBinaryArray } from '#database/binary-array.ts'
import { writeWithTimeout } from '#database/query-timeout.ts'
import { toUnavailable } from './unavailable.ts'

/** One queued append. `expected` is -1 for a stream that must not exist. */
export type PendingAppend = {
  stream: string
  expected: bigint
  rows: readonly { id: string; type: string; data: string; metadata: string }[]
}

/** The outcome of one append. `revision` is the last one of the stream: after the append, or instead of it. */
export type AppendOutcome = { ok: true; revision: bigint; position: bigint } | { ok: false; revision: bigint }

type QueuedAppend = PendingAppend & { resolve: (outcome: AppendOutcome) => void; reject: (error: unknown) => void }
type AppendGroupRow = { head: string; actual: string[] }

const maxGroupAppends = 128
const maxGroupBytes = 4 * 1024 * 1024

/**
 * Creates a group append: appends that arrive while one call is in flight are sent together in the next one. Under load
 * this is one lock, one insert and one commit for many appends; a single writer is not delayed.
 */
export function createGroupAppender(pool: Pool): (append: PendingAppend) => Promise<AppendOutcome> {
  let queue: QueuedAppend[] = []
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

  return (append) =>
    new Promise((resolve, reject) => {
      queue.push({ ...append, resolve, reject })
      schedule()
    })
}

/** Splits the queue. Two appends to one stream never share a group: the second must see the result of the first. */
function takeGroup(queue: readonly QueuedAppend[]): { group: QueuedAppend[]; rest: QueuedAppend[] } {
  const streams = new Set<string>()
  const group: QueuedAppend[] = []
  const rest: QueuedAppend[] = []
  let bytes = 0
  for (const append of queue) {
    const size = append.rows.reduce((sum, { data }) => sum + data.length, 0)
    const fits = group.length === 0 || (group.length < maxGroupAppends && bytes + size <= maxGroupBytes)
    if (fits && !streams.has(append.stream)) {
      group.push(append)
      bytes += size
    } else rest.push(append)
    // An append that is left over reserves its stream too: later ones must not overtake it.
    streams.add(append.stream)
  }
  return { group, rest }
}

async function writeGroup(pool: Pool, group: readonly QueuedAppend[]): Promise<void> {
  try {
    const outcomes = await callAppendGroup(group, (query) => writeWithTimeout<AppendGroupRow>(pool, query))
    group.forEach((append, index) => append.resolve(outcomes[index] as AppendOutcome))
  } catch (error) {
    if (!isDuplicateEventId(error)) {
      const unavailable = toUnavailable(error)
      for (const append of group) append.reject(unavailable)
    } else if (group.length === 1) {
      group[0]?.reject(new EventIdConflict('An event with this id already exists', { cause: error }))
    } else {
      // One used id fails the whole statement: each append is sent alone, so that only the one with that id fails.
      for (const append of group) await writeGroup(pool, [append])
    }
  }
}

/** Calls the append function of the database once and returns an outcome for each append. No two may be to one stream. */
export const appendGroup = (client: Pool | ClientBase, group: readonly PendingAppend[]): Promise<AppendOutcome[]> =>
  callAppendGroup(group, (query) => client.query<AppendGroupRow>(query))

async function callAppendGroup(
  group: readonly PendingAppend[],
  runQuery: (query: QueryConfig) => Promise<QueryResult<AppendGroupRow>>,
): Promise<AppendOutcome[]> {
  const { rows } = await runQuery({
    name: 'es-append-group',
    text: 'select head, actual from es.append_group($1, $2, $3, $4, $5, $6, $7, $8)',
    values: toQueryValues(group),
  })
  const { head, actual } = rows[0] as AppendGroupRow
  let position = BigInt(head)
  return group.map(({ expected, rows: events }, index) => {
    const revision = BigInt(actual[index] as string)
    if (revision !== expected) return { ok: false, revision }
    position += BigInt(events.length)
    return { ok: true, revision: revision + BigInt(events.length), position }
  })
}

function toQueryValues(group: readonly PendingAppend[]): Buffer[] {
  const appends: number[] = []
  const revisions: bigint[] = []
  const events: PendingAppend['rows'][number][] = []
  for (const [index, { expected, rows }] of group.entries())
    for (const [ord, row] of rows.entries()) {
      appends.push(index + 1)
      revisions.push(expected + BigInt(ord + 1))
      events.push(row)
    }
  return [
    toBinaryArray.text(group.map(({ stream }) => stream)),
    toBinaryArray.int8(group.map(({ expected }) => expected)),
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
