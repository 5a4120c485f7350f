import type { CommonQueryMethods } from 'slonik'
import { createExpiringMap, type ExpiringMap } from '#database/expiring-map.ts'
import type { Services } from '#modules/module.ts'

type Readers = Pick<Services, 'db' | 'keyStore'>

/** A list as it was read. `generation` is that of the key store before the list was decrypted. */
type Kept<List> = { list: List; version: string; generation: number }

/** A list with the version of its rows; `size` is the number of characters in it. */
export type VersionedList<List> = { list: List; version: string; size: number }

type Queries<Query, List> = {
  /** Returns the version of a list without reading its rows. */
  findVersion: (db: CommonQueryMethods, query: Query) => Promise<string>
  read: (readers: Readers, query: Query) => Promise<VersionedList<List>>
}

/** Decrypted fields stay in memory no longer than their keys do. Objects take two or three bytes for each character. */
const limits = { maxSize: 10_000_000, ttlMs: 5_000 }

/**
 * Returns a query that returns the same list, which must not be modified, as long as its version is the same (ADR 44). Equal queries
 * have the same list.
 */
export function keepLists<Query, List>({ findVersion, read }: Queries<Query, List>) {
  const listsByDatabase = new WeakMap<CommonQueryMethods, ExpiringMap<Kept<List>>>()

  return async ({ db, keyStore }: Readers, query: Query): Promise<List> => {
    const lists = listsByDatabase.get(db) ?? createExpiringMap<Kept<List>>(limits)
    listsByDatabase.set(db, lists)
    const name = JSON.stringify(query)
    const kept = lists.get(name)
    const generation = keyStore.getGeneration()
    if (kept?.generation === generation && (await findVersion(db, query)) === kept.version) return kept.list
    const { list, version, size } = await read({ db, keyStore }, query)
    lists.set(name, { list, version, generation }, size)
    return list
  }
}

/** Returns the number of characters in the texts of rows. */
export const countCharacters = (rows: readonly object[]): number =>
  rows.reduce<number>((sum, row) => sum + sumLengths(Object.values(row)), 0)

const sumLengths = (values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0)
