import * as queries from './queries.ts'

/** Counts the calls of a scope: all, by AI, transferred, their average duration in seconds, and the open follow-ups. */
export const countCalls = queries.countCalls
