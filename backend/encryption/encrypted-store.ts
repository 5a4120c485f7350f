import { type Key, encrypt, decrypt } from './cipher.ts'
import type { EventData, NewEvent, Recorded } from '#eventstore/event.ts'
import type { EventSchema } from '#eventstore/event-schemas.ts'
import type { EventStore } from '#eventstore/event-store.ts'
import { collectPhiFields, mergePhi } from './phi-fields.ts'
import type { DataKeys, KeyStore } from './key-store.ts'

/** The field in which a stored event holds what is sealed: `1:<subject>:<base64>`. */
const phiField = '$phi'
const encryptedPrefix = '1:'

/** What a sealed event is bound to: at another place, in another stream or under another id it cannot be opened. */
const encryptionContext = ({ id, type }: NewEvent, stream: string, subject: string) =>
  JSON.stringify([id, type, stream, subject])

/** Who may be read in a stored event, if it is sealed, and what. */
function parseEncrypted({ data }: Recorded): { subject: string; text: string } | null {
  const value = data[phiField]
  if (typeof value !== 'string' || !value.startsWith(encryptedPrefix)) return null
  const end = value.indexOf(':', encryptedPrefix.length)
  return end < 0 ? null : { subject: value.slice(encryptedPrefix.length, end), text: value.slice(end + 1) }
}

/** Whose key a stored event is sealed with; null when nothing in it is sealed. Of the store below, not of `sealing`. */
export const getEncryptedSubject = (stored: Recorded): string | null => parseEncrypted(stored)?.subject ?? null

/**
 * A store in which the `phi(…)` fields of every event stand encrypted, each with the key of the one they are about; whoever reads
 * through it sees them as they were. Where that key was destroyed they are null. The store below holds nothing but sealed
 * data, and is the one to copy or to back up. Appends throw KeyDestroyed, reads KeyMissing.
 */
export function encryptedStore(store: EventStore, vault: KeyStore, schemas: readonly EventSchema[]): EventStore {
  const fields = collectPhiFields(schemas)

  async function sealed(stream: string, events: readonly NewEvent[]): Promise<readonly NewEvent[]> {
    const apart = events.map((event) => {
      if (Object.hasOwn(event.data, phiField)) throw new TypeError(`${phiField} is no name for a field`)
      const known = fields.get(event.type)
      const parts = known?.split(event.data)
      if (!known || parts?.phi === undefined) return { event, parts: null }
      return { event, parts: { ...parts, subject: known.getSubject(event.data) } }
    })
    const subjects = [...new Set(apart.flatMap(({ parts }) => parts?.subject ?? []))]
    if (subjects.length === 0) return events
    const keys = await vault.getOrCreateMany(subjects)
    return apart.map(({ event, parts }) => {
      if (!parts) return event
      const { plain: open, phi: taken, subject } = parts
      const context = encryptionContext(event, stream, subject)
      const text = encrypt(keys.get(subject) as Key, context, JSON.stringify(taken)).toString('base64')
      return { ...event, data: { ...(open as EventData), [phiField]: `1:${subject}:${text}` } }
    })
  }

  async function opened(events: readonly Recorded[], closed = false): Promise<Recorded[]> {
    const found = events.map(parseEncrypted)
    const subjects = [...new Set(found.flatMap((sealing) => sealing?.subject ?? []))]
    if (subjects.length === 0) return [...events]
    const keys = closed ? deniedKeys : await vault.getMany(subjects)
    return events.map((event, index) => {
      const sealing = found[index]
      return sealing ? lazilyDecrypted(event, sealing, keys) : event
    })
  }

  return {
    ...store,
    async append(stream, expected, events) {
      return await store.append(stream, expected, await sealed(stream, events))
    },
    async *read(stream, from) {
      for await (const event of store.read(stream, from)) yield* await opened([event])
    },
    async readAll(after, limit, types, closed) {
      const page = await store.readAll(after, limit, types)
      return { ...page, events: await opened(page.events, closed) }
    },
  }
}

/** Of a reader who said that they need none. */
const deniedKeys: DataKeys = {
  get() {
    throw new TypeError('A sealed field was asked for by a reader who said that they need none')
  },
}

/** A store for readers who have no keys and need none: what is sealed is null, everything else is as it was. */
export const redactedStore = (store: EventStore): EventStore =>
  encryptedStore(
    store,
    {
      getOrCreateMany: () => Promise.reject(new TypeError('Nothing is written without keys')),
      getMany: async (subjects) => new Map(subjects.map((subject) => [subject, null])),
    },
    [],
  )

/**
 * Opened when somebody asks for something in it that may be sealed: most read models do not care for most events, and many
 * only for whom one is about.
 */
function lazilyDecrypted(
  event: Recorded,
  { subject, text }: { subject: string; text: string },
  keys: DataKeys,
): Recorded {
  const { id, stream, revision, position, type, metadata, recordedAt, data: stored } = event
  let data: EventData | undefined

  /** What is open of it. As soon as somebody asks for more, all of it takes its place. */
  function closed(): EventData {
    const { [phiField]: _sealed, ...rest } = stored
    return decryptOnAccess(rest, () => {
      if (data !== rest) open(rest)
      data = rest
      return rest
    })
  }
  function open(rest: Record<string, unknown>): void {
    const key = keys.get(subject) ?? null
    if (key === null) return
    const content = decrypt(key, encryptionContext(event, stream, subject), Buffer.from(text, 'base64'))
    if (content === null) throw new Error(`The event ${id} was not sealed here`)
    mergePhi(rest, JSON.parse(content.toString('utf8')))
  }
  return {
    id,
    stream,
    revision,
    position,
    type,
    metadata,
    recordedAt,
    get data() {
      return (data ??= closed())
    },
  }
}

/** What was taken out left a null, or an object or a list with nulls in it: what is neither can be told without opening. */
const isUnencrypted = (value: unknown) => value !== null && typeof value !== 'object'

/** Data whose sealed fields are put back, by `open` and in place, as soon as somebody looks at one of them. */
const decryptOnAccess = (data: Record<string, unknown>, open: () => EventData): EventData =>
  new Proxy(data, {
    get: (closed, name) => (isUnencrypted(closed[name as string]) ? closed[name as string] : open()[name as string]),
    getOwnPropertyDescriptor: (closed, name) =>
      Reflect.getOwnPropertyDescriptor(isUnencrypted(closed[name as string]) ? closed : open(), name),
  })
