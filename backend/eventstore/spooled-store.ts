import { randomUUID } from 'node:crypto'
import { type FileHandle, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Position, Recorded } from './event.ts'
import type { EventPage, EventStore, ReadAllOptions } from './event-store.ts'

/** A store whose history is read once. `close` deletes the copy; a process that is killed leaves none either. */
export type SpooledStore = { store: EventStore; close(): Promise<void> }

/** The place of each event in the file, in commit order. `offsets` has the end of the last one, too. */
type Index = { positions: Position[]; types: string[]; offsets: number[] }

const pageSize = 5_000

/**
 * Wraps a store that always reads all events, whichever types are asked for, for tools that read the history once for each
 * read model: each page of it is fetched once, and kept in a file in `folder` as the store returned it, encrypted as it is stored there.
 * Events that are appended later are found, too. Without room for the file, everything is read from the store.
 */
export async function spoolHistory(store: EventStore, folder: string): Promise<SpooledStore> {
  const path = join(folder, `history-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600).catch(() => null)
  // The file exists as long as it is open.
  await unlink(path).catch(() => undefined)
  if (!file) return { store, close: async () => undefined }
  const index: Index = { positions: [], types: [], offsets: [0] }
  let isUnusable = false
  let last: Promise<unknown> = Promise.resolve()

  /** Returns a page of the copy, after fetching what it lacks; null for a position that it does not have. */
  async function readPage(after: Position | null, { limit, types }: ReadAllOptions): Promise<EventPage | null> {
    const start = findStart(index.positions, after)
    if (start === null) return null
    while (index.positions.length < start + limit && (await fetchPage(store, file as FileHandle, index)));
    const end = Math.min(start + limit, index.positions.length)
    const next = end > start ? (index.positions[end - 1] ?? null) : after
    return { events: await readEvents(file as FileHandle, index, start, end, types), next, scanned: end - start }
  }

  return {
    store: {
      ...store,
      async readAll(after, options) {
        if (isUnusable) return await store.readAll(after, options)
        // One after the other: two would fetch the same page.
        const page = last.then(() => readPage(after, options))
        last = page.catch(() => undefined)
        const found = await page.catch((error: unknown) => {
          if (!(error instanceof FileUnusable)) throw error
          isUnusable = true
          return null
        })
        return found ?? (await store.readAll(after, options))
      },
    },
    close: () => file.close(),
  }
}

/** Returns the number of the first event after a position; null when no event of the copy is at the position. */
function findStart(positions: readonly Position[], after: Position | null): number | null {
  if (after === null) return 0
  let [low, high] = [0, positions.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((positions[middle] as Position) < after) low = middle + 1
    else high = middle
  }
  return positions[low] === after ? low + 1 : null
}

/** Appends the next page of the history to the copy. Returns whether there may be more. */
async function fetchPage(store: EventStore, file: FileHandle, index: Index): Promise<boolean> {
  const { events, scanned } = await store.readAll(index.positions.at(-1) ?? null, { limit: pageSize })
  const texts = events.map((event) => Buffer.from(JSON.stringify({ ...event, revision: String(event.revision) })))
  let end = index.offsets.at(-1) ?? 0
  await write(file, Buffer.concat(texts), end)
  for (const [number, { position, type }] of events.entries()) {
    end += texts[number]?.length ?? 0
    index.positions.push(position)
    index.types.push(type)
    index.offsets.push(end)
  }
  return scanned === pageSize
}

/** Reads those events between two numbers that have one of the types. */
async function readEvents(
  file: FileHandle,
  { types, offsets }: Index,
  start: number,
  end: number,
  wantedTypes: readonly string[] | undefined,
): Promise<Recorded[]> {
  const wanted = wantedTypes && new Set(wantedTypes)
  const numbers = Array.from({ length: end - start }, (_, each) => start + each).filter(
    (number) => wanted?.has(types[number] ?? '') ?? true,
  )
  const [first] = numbers
  if (first === undefined) return []
  const from = offsets[first] ?? 0
  const until = offsets[(numbers.at(-1) ?? first) + 1] ?? from
  const buffer = await read(file, from, until)
  return numbers.map((number) => {
    const text = buffer.toString('utf8', (offsets[number] ?? 0) - from, (offsets[number + 1] ?? 0) - from)
    const event = JSON.parse(text) as Recorded & { revision: string }
    return { ...event, revision: BigInt(event.revision) }
  })
}

/** The file of the copy cannot be written, such as on a full disk, or read. */
class FileUnusable extends Error {}

const toUnusable = (cause: unknown): never => {
  throw new FileUnusable('The copy of the history cannot be kept', { cause })
}

async function write(file: FileHandle, content: Buffer, at: number): Promise<void> {
  const { bytesWritten } = await file.write(content, 0, content.length, at).catch(toUnusable)
  if (bytesWritten < content.length) throw new FileUnusable('Only a part of the copy was written')
}

async function read(file: FileHandle, from: number, until: number): Promise<Buffer> {
  const content = Buffer.allocUnsafe(until - from)
  const { bytesRead } = await file.read(content, 0, content.length, from).catch(toUnusable)
  if (bytesRead < content.length) throw new FileUnusable('Only a part of the copy was read')
  return content
}
