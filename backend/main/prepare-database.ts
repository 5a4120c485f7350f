import { openPool } from '#database/pool.ts'
import { allowIndexChecks, canChangeEvents, parseRole, prepareApplicationRole } from '#database/roles.ts'
import { createEventStoreSchema } from '#eventstore/postgres/store.ts'
import { StartError } from '#runtime/start-error.ts'

/** The addresses of one database with its two roles. */
export type Addresses = {
  /** The address with the application's role. */
  databaseUrl: string
  /** The address with the role that owns the stored events; equal when there is only one role. */
  ownerUrl: string
}

/**
 * Creates or upgrades what only the owner of the events may: their tables and functions, unless an EventStoreDB stores
 * them, and the rights of the application's role. Returns whether that role cannot change stored events. Throws StartError.
 */
export async function prepareDatabase(
  { databaseUrl, ownerUrl }: Addresses,
  { storesEvents }: { storesEvents: boolean },
): Promise<{ isProtected: boolean }> {
  const owner = openPool(ownerUrl, 1)
  try {
    if (storesEvents) await createEventStoreSchema(owner)
    const role = parseRole(databaseUrl)
    const isSeparate = databaseUrl !== ownerUrl && role.name !== parseRole(ownerUrl).name
    if (isSeparate && role.name === '')
      throw new StartError('DATABASE_URL must name a user when OWNER_DATABASE_URL is set.')
    if (isSeparate) await prepareApplicationRole(owner, role)
    await allowIndexChecks(owner, role.name)
    return { isProtected: !(await canChangeEvents(owner, isSeparate ? role : undefined)) }
  } finally {
    await owner.end()
  }
}
