import { createHash } from 'node:crypto'
import { FORWARDS, START } from '@eventstore/db-client'
import type { Pool } from 'pg'
import type { Metadata } from '#eventstore/event.ts'
import { connect } from '#eventstore/kurrentdb/client.ts'

/** A stored event without what is encrypted, read past the adapter of its store. */
export type StoredEvent = {
  id: string
  /** A number from 1 without gaps; null in an EventStoreDB, whose positions are addresses. */
  position: number | null
  stream: string
  revision: number
  type: string
  correlationId: string
  causationId: string
  /** The kind of actor in the metadata: a user, or a background process. */
  actorKind: 'user' | 'process'
  /** The MD5 of the stored bytes. */
  content: string
}

/** The length of a log and a hash of it. */
export type LogPrefix = { eventCount: number; fingerprint: string }

/** Reads all events of PostgreSQL in their order. */
export async function readFromPostgres(pool: Pool): Promise<StoredEvent[]> {
  const { rows } = await pool.query<StoredEvent>(
    `select event_id as id, position::int, stream, revision::int, type, metadata::jsonb ->> 'correlationId' as "correlationId",
       metadata::jsonb ->> 'causationId' as "causationId", metadata::jsonb -> 'actor' ->> 'kind' as "actorKind",
       md5(data) as content
     from es.events order by position`,
  )
  return rows
}

/** Reads all events of an EventStoreDB in their order, without those of the server about itself. */
export async function readFromEventStoreDb(url: string): Promise<StoredEvent[]> {
  const { client, credentials } = connect(url)
  try {
    const found: StoredEvent[] = []
    for await (const { event } of client.readAll({ credentials, direction: FORWARDS, fromPosition: START })) {
      if (!event || event.type.startsWith('$') || event.streamId.startsWith('$')) continue
      const { id, streamId, revision, type, data } = event
      const { correlationId, causationId, actor } = event.metadata as Metadata
      const bytes = data instanceof Uint8Array ? data : JSON.stringify(data)
      found.push({
        id,
        position: null,
        stream: streamId,
        revision: Number(revision),
        type,
        correlationId,
        causationId,
        actorKind: actor.kind,
        content: createHash('md5').update(bytes).digest('hex'),
      })
    }
    return found
  } finally {
    await client.dispose()
  }
}

/** Returns the length and hash of the first events of a log; of all of them without a count. */
export function describeLog(events: readonly StoredEvent[], count = events.length): LogPrefix {
  const hash = createHash('md5')
  for (const { id, stream, revision, content } of events.slice(0, count))
    hash.update(`${id} ${stream} ${revision} ${content}\n`)
  return { eventCount: count, fingerprint: hash.digest('hex') }
}

/** Returns what is wrong with a log: gaps, duplicates, or a past that differs from `before`. */
export function checkLog(events: readonly StoredEvent[], before: LogPrefix): string[] {
  const problems: string[] = []
  if (events.some(({ position }, index) => position !== null && position !== index + 1))
    problems.push('positions have gaps')
  const duplicates = events.length - new Set(events.map(({ id }) => id)).size
  if (duplicates > 0) problems.push(`${duplicates} event ids are duplicated`)
  const next = new Map<string, number>()
  const broken = new Set<string>()
  for (const { stream, revision } of events) {
    if (revision !== (next.get(stream) ?? 0)) broken.add(stream)
    next.set(stream, revision + 1)
  }
  if (broken.size > 0) problems.push(`${broken.size} streams have gaps`)
  const { fingerprint } = describeLog(events, before.eventCount)
  if (fingerprint !== before.fingerprint) problems.push('events from before the kill have changed')
  return problems
}
