import * as queries from './queries.ts'

/** Counts the calls of a scope: all, by AI, transferred, their average duration in seconds, and the open follow-ups. */
export const countCalls = queries.countCalls

/** Reads the calls of a scope. Does not check what a caller may read of them. */
export const callLogs = queries.callReader
