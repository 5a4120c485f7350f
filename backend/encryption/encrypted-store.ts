import type { NewEvent, Recorded } from '#eventstore/event.ts'
import type { EventSchema } from '#eventstore/event-schemas.ts'
import type { EventStore, StreamAppend } from '#eventstore/event-store.ts'
import { inBatches } from '#eventstore/in-batches.ts'
import type { Key } from './cipher.ts'
import { assertNotReserved, encryptEvent, lazilyDecrypted, parseEncrypted } from './encrypted-event.ts'
import type { DataKeys, KeyStore } from './key-store.ts'
import { collectPhiFields } from './phi-fields.ts'

/**
 * Wraps a store so that the `phi(…)` fields of every event are encrypted with the data key of the event's subject, and
 * readers see them decrypted; they are null where that key was destroyed. The underlying store holds ciphertext only,
 * and is the one to copy or to back up. Appends throw KeyDestroyed, reads KeyMissing.
 */
export function encryptedStore(store: EventStore, keyStore: KeyStore, schemas: readonly EventSchema[]): EventStore {
  const phiFields = collectPhiFields(schemas)

  async function encryptAll(stream: string, events: readonly NewEvent[]): Promise<readonly NewEvent[]> {
    const splits = events.map((event) => {
      assertNotReserved(event)
      const fields = phiFields.get(event.type)
      const { plain, phi } = fields?.split(event.data) ?? {}
      return fields && phi !== undefined ? { subject: fields.getSubject(event.data), plain, phi } : null
    })
    const subjects = [...new Set(splits.flatMap((split) => split?.subject ?? []))]
    if (subjects.length === 0) return events
    const keys = await keyStore.getOrCreateMany(subjects)
    return events.map((event, index) => {
      const split = splits[index]
      return split ? encryptEvent(event, stream, split, keys.get(split.subject) as Key) : event
    })
  }

  const { appendTogether } = store

  return {
    ...decryptingStore(store, (subjects) => keyStore.getMany(subjects)),
    async append(stream, expected, events, options) {
      return await store.append(stream, expected, await encryptAll(stream, events), options)
    },
    ...(appendTogether && {
      async appendTogether(appends, options) {
        const encrypt = async (each: StreamAppend) => ({ ...each, events: await encryptAll(each.stream, each.events) })
        return await appendTogether(await Promise.all(appends.map(encrypt)), options)
      },
    }),
  }
}

/**
 * Returns the read-only view for projections that declare `isMetadataOnly`: it never loads a data key, and access to an
 * encrypted field throws TypeError.
 */
export const metadataOnlyStore = (store: EventStore): EventStore =>
  readOnly(decryptingStore(store, () => Promise.resolve(deniedKeys)))

/** Returns the read-only view for tools that have no keys: encrypted fields are null, all others as they are. */
export const redactedStore = (store: EventStore): EventStore =>
  readOnly(decryptingStore(store, () => Promise.resolve(destroyedKeys)))

const deniedKeys: DataKeys = {
  get() {
    throw new TypeError('A metadata-only reader accessed an encrypted field')
  },
}

const destroyedKeys: DataKeys = { get: () => null }

function readOnly({ appendTogether: _, ...store }: EventStore): EventStore {
  return { ...store, append: () => Promise.reject(new TypeError('This view of the event store is read-only')) }
}

type LoadKeys = (subjects: readonly string[]) => Promise<DataKeys>

/** Wraps reads so that encrypted fields are decrypted on access, with one `loadKeys` call for each page of events. */
function decryptingStore(store: EventStore, loadKeys: LoadKeys): EventStore {
  async function decryptPage(events: readonly Recorded[]): Promise<Recorded[]> {
    const encrypted = events.map(parseEncrypted)
    const subjects = [...new Set(encrypted.flatMap((fields) => fields?.subject ?? []))]
    if (subjects.length === 0) return [...events]
    const keys = await loadKeys(subjects)
    return events.map((event, index) => {
      const fields = encrypted[index]
      return fields ? lazilyDecrypted(event, fields, keys) : event
    })
  }

  return {
    ...store,
    async *read(stream, from) {
      for await (const page of inBatches(store.read(stream, from), pageSize)) yield* await decryptPage(page)
    },
    async readAll(after, options) {
      const page = await store.readAll(after, options)
      return { ...page, events: await decryptPage(page.events) }
    },
  }
}

/** The number of events that the adapters fetch with one query. */
const pageSize = 500
