import { invalidRequest } from '#http/problems.ts'
import { Cursor, orderOf } from './list.ts'

type Query = Parameters<typeof orderOf>[0]

/** A cursor as it stands in the address of the next page. */
export const cursorText = (cursor: Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

/** Reads one back. 422 for what we never gave out, and for a cursor of a list in another order. */
export function readCursor(text: string, query: Query): Cursor {
  const cursor = Cursor.safeParse(parsed(text))
  if (cursor.success && cursor.data.order === orderOf(query) && fits(cursor.data)) return cursor.data
  throw invalidRequest([{ path: 'cursor', message: 'This page cannot be found. Start again from the first.' }])
}

function parsed(text: string): unknown {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) return undefined
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** As PostgreSQL writes an instant, in any zone there is. It fails on offsets that no place has and on endless fractions. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-](0\d|1[0-4]):\d\d)$/

/** Whether the place is of the kind its order is made of: PostgreSQL would fail on anything else. */
function fits({ order, at }: Cursor): boolean {
  if (order === 'match') return typeof at === 'number' && Math.abs(at) < 1_000
  if (typeof at !== 'string') return false
  if (order.endsWith('name')) return true
  if (order.endsWith('dateOfBirth')) return /^\d{4}-\d\d-\d\d$/.test(at) && isReal(at)
  return instant.test(at) && isReal(at.slice(0, 10)) && isReal(at)
}

/** JavaScript takes February 30 for March 2, and knows a year 0; PostgreSQL does neither. */
function isReal(moment: string): boolean {
  const time = Date.parse(moment)
  if (Number.isNaN(time) || moment < '0001') return false
  return moment.length > 10 || new Date(time).toISOString().startsWith(moment)
}
