import type { CommonQueryMethods } from 'slonik'
import type { RecordScope } from '#modules/samples/public.ts'
import { authorizationReader } from './queries.ts'

/** Counts the prior authorizations by status. Statuses without any are missing. */
export const countAuthorizations = (db: CommonQueryMethods, scope: RecordScope): Promise<ReadonlyMap<string, number>> =>
  authorizationReader.countByStatus(db, scope)

/** Reads the prior authorizations of a scope. Does not check what a caller may read of them. */
export const authorizations = authorizationReader
