import { once } from 'node:events'
import { finished } from 'node:stream/promises'
import type { Pool } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { EventStore } from '#eventstore/event-store.ts'
import { escapeCopyText } from '#projections/rebuild/copy-rows.ts'

/** Appends to new streams with COPY. The events are stored once `end` has resolved. */
export type BulkAppends = Pick<EventStore, 'append'> & { end(): Promise<void> }

/**
 * Copies events directly into the table of the event store, after the existing ones. For benchmarks with a million events
 * and no concurrent readers.
 */
export async function startBulkAppends(pool: Pool): Promise<BulkAppends> {
  const client = await pool.connect()
  const { rows } = await client.query<{ head: string }>('select coalesce(max(position), 0) as head from es.events')
  let position = BigInt(rows[0]?.head ?? 0)
  const into = client.query(
    copyFrom('copy es.events (position, stream, revision, event_id, type, data, metadata) from stdin'),
  )
  const written = finished(into)
  return {
    async append(stream, _, events) {
      const lines = events.map(({ id, type, data, metadata }, revision) => {
        const texts = [JSON.stringify(data), JSON.stringify(metadata)].map(escapeCopyText)
        return `${[++position, stream, revision, id, type, ...texts].join('\t')}\n`
      })
      if (!into.write(lines.join(''))) await Promise.race([once(into, 'drain'), written])
      return {
        status: 'appended',
        revision: BigInt(events.length - 1),
        position: `pg-${String(position).padStart(19, '0')}`,
      }
    },
    async end() {
      into.end()
      await written
      client.release()
    },
  }
}
