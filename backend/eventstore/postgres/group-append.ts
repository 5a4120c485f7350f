import type { ClientBase, Pool, QueryConfig, QueryResult } from 'pg'
import { EventIdConflict, StoreUnavailable } from '#eventstore/event-store.ts'
import { queryWithTimeout } from '#database/query-timeout.ts'

/** One append that waits for its turn. `expected` is -1 for a stream that must not exist. */
export type PendingAppend = {
  stream: string
  expected: bigint
  rows: readonly { id: string; type: string; data: string; metadata: string }[]
}

/** What the database says of one append. `revision` is the stream's last, after it or instead of it. */
export type AppendOutcome = { ok: true; revision: bigint; position: bigint } | { ok: false; revision: bigint }

type QueuedAppend = PendingAppend & { resolve: (outcome: AppendOutcome) => void; reject: (error: unknown) => void }
type AppendGroupRow = { head: string; actual: string[] }

const maxGroupAppends = 128
const maxGroupBytes = 4 * 1024 * 1024

/**
 * Group append: while one call is on its way, the appends that arrive wait and go together in the next. Under load this
 * is one lock, one insert and one commit for many; a lone writer waits for nobody.
 */
export function createGroupAppender(pool: Pool): (waiting: PendingAppend) => Promise<AppendOutcome> {
  let queue: QueuedAppend[] = []
  let underWay = false

  /**
   * Not at once but after what is being done: those whose appends a group has just written come with their next ones
   * before the next group leaves. Otherwise it would leave with the first of them alone, and every second group be of one.
   */
  function soon(): void {
    if (underWay) return
    underWay = true
    setImmediate(() => void work())
  }

  async function work(): Promise<void> {
    await writeGroup(pool, nextGroup())
    setImmediate(() => {
      if (queue.length > 0) return void work()
      underWay = false
    })
  }

  /** Two appends to one stream never share a group: the second has to see what the first did. */
  function nextGroup(): QueuedAppend[] {
    const streams = new Set<string>()
    const group: QueuedAppend[] = []
    const rest: QueuedAppend[] = []
    let bytes = 0
    for (const waiting of queue) {
      const size = waiting.rows.reduce((sum, { data }) => sum + data.length, 0)
      const fits = group.length === 0 || (group.length < maxGroupAppends && bytes + size <= maxGroupBytes)
      if (fits && !streams.has(waiting.stream)) {
        group.push(waiting)
        bytes += size
      } else rest.push(waiting)
      // Also one that has to wait keeps its stream: later ones must not overtake it.
      streams.add(waiting.stream)
    }
    queue = rest
    return group
  }

  return (waiting) =>
    new Promise((resolve, fail) => {
      queue.push({ ...waiting, resolve, reject: fail })
      soon()
    })
}

async function writeGroup(pool: Pool, group: readonly QueuedAppend[]): Promise<void> {
  try {
    const outcomes = await callAppendGroup(group, (query) => queryWithTimeout<AppendGroupRow>(pool, query))
    group.forEach((waiting, index) => waiting.resolve(outcomes[index] as AppendOutcome))
  } catch (error) {
    if (!isDuplicateEventId(error)) {
      const unknown = new StoreUnavailable('The event store does not answer', { cause: error })
      for (const waiting of group) waiting.reject(unknown)
    } else if (group.length === 1) {
      group[0]?.reject(new EventIdConflict('An event with this id is already there', { cause: error }))
    } else {
      // One used id fails the whole statement: each goes alone, so that only the guilty one fails.
      for (const waiting of group) await writeGroup(pool, [waiting])
    }
  }
}

/** One call of the function of the record: an outcome for each append. No two of them may be to one stream. */
export const appendGroup = (client: Pool | ClientBase, group: readonly PendingAppend[]): Promise<AppendOutcome[]> =>
  callAppendGroup(group, (query) => client.query<AppendGroupRow>(query))

async function callAppendGroup(
  group: readonly PendingAppend[],
  ask: (query: QueryConfig) => Promise<QueryResult<AppendGroupRow>>,
): Promise<AppendOutcome[]> {
  const { rows } = await ask({
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

function toQueryValues(group: readonly PendingAppend[]): unknown[][] {
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
    group.map(({ stream }) => stream),
    group.map(({ expected }) => expected),
    appends,
    revisions,
    events.map(({ id }) => id),
    events.map(({ type }) => type),
    events.map(({ data }) => data),
    events.map(({ metadata }) => metadata),
  ]
}

const isDuplicateEventId = (error: unknown) =>
  error instanceof Error &&
  (error as { code?: string }).code === '23505' &&
  (error as { constraint?: string }).constraint === 'events_event_id'
