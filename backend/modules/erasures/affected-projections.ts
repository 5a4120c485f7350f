import { isDeepStrictEqual } from 'node:util'
import { getEncryptedSubject } from '#encryption/encrypted-event.ts'
import type { KeyStore } from '#encryption/key-store.ts'
import type { Position, Recorded } from '#eventstore/event.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { type AnyProjection, applyEvent, type Row, type Rows } from '#projections/projection.ts'

type Stores = {
  store: EventStore
  redactedStore: EventStore
  rawStore: EventStore
  keyStore: Pick<KeyStore, 'getMany'>
}

const pageSize = 2_000

/**
 * Returns the projections whose rows hold data of a patient: those that fold to other rows without the patient's key.
 * Returns all of them when the key is already destroyed, because then the rows can no longer be compared.
 */
export async function findAffectedProjections(
  { store, redactedStore, rawStore, keyStore }: Stores,
  projections: readonly AnyProjection[],
  patientId: string,
): Promise<readonly AnyProjection[]> {
  if ((await keyStore.getMany([patientId])).get(patientId) === null) return projections
  const streams = await findEncryptedStreams(rawStore, patientId)
  const readable = await readStreams(store, streams)
  const redacted = await readStreams(redactedStore, streams)
  return projections.filter(
    (projection) => !isDeepStrictEqual(foldRows(projection, readable), foldRows(projection, redacted)),
  )
}

/** Returns every stream that contains an event encrypted with the key of a subject. */
async function findEncryptedStreams(rawStore: EventStore, subject: string): Promise<ReadonlySet<string>> {
  const streams = new Set<string>()
  for (let after: Position | null = null; ;) {
    const { events, next } = await rawStore.readAll(after, { limit: pageSize })
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
