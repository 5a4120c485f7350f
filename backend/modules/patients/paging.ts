import { invalidRequest } from '#http/problems.ts'
import { Cursor, getOrder } from './list.ts'

type Query = Parameters<typeof getOrder>[0]

/** Encodes a cursor for the URL of the next page. */
export const encodeCursor = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

/** Decodes a cursor. Throws 422 for a text that is no cursor, and for a cursor of another order. */
export function decodeCursor(text: string, query: Query): Cursor {
  const cursor = Cursor.safeParse(parseJson(text))
  if (cursor.success && cursor.data.order === getOrder(query) && hasValueOfOrder(cursor.data)) return cursor.data
  throw invalidRequest([{ path: 'cursor', message: 'This page cannot be found. Start again from the first.' }])
}

function parseJson(text: string): unknown {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** An instant in the format of PostgreSQL, which fails on offsets that no place has and on longer fractions. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-](0\d|1[0-4]):\d\d)$/

/** Returns whether a cursor's value has the type of its order: PostgreSQL would fail on anything else. */
function hasValueOfOrder({ order, at }: Cursor): boolean {
  if (order === 'match') return typeof at === 'number' && Math.abs(at) < 1_000
  if (typeof at !== 'string') return false
  if (order.endsWith('name')) return true
  if (order.endsWith('dateOfBirth')) return /^\d{4}-\d\d-\d\d$/.test(at) && isReal(at)
  return instant.test(at) && isReal(at.slice(0, 10)) && isReal(at)
}

/**
 * Returns whether a date exists. JavaScript reads February 30 as March 2 and accepts the year 0; PostgreSQL does
 * neither.
 */
function isReal(moment: string): boolean {
  const time = Date.parse(moment)
  if (Number.isNaN(time) || moment < '0001') return false
  return moment.length > 10 || new Date(time).toISOString().startsWith(moment)
}
