/** What Node and PostgreSQL call it: lost connections, a server that stops, starts or is full, a query that was given up. */
const unavailableCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  // It is being moved to another machine: this one only reads by now.
  '25006',
  '53100',
  '53200',
  '53300',
  // It gave up itself: too slow, or an operator told it to.
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '58030',
])

/** What the driver and slonik say of it without a code. */
const unavailableMessages = new RegExp(
  [
    'query read timeout',
    'connection terminated',
    'connection timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'not accepting connections',
    'is not queryable',
    // A connection that broke in the very moment in which it was lent.
    'client is (pending|destroyed|not acquired)',
    'released connection',
    'backend has been terminated',
    'connection pool (is|has)',
    'pool after calling end',
  ].join('|'),
  'i',
)

/** Whether PostgreSQL could not be reached, or had no time, however deep a library has wrapped it. It will pass. */
export function isDatabaseUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false
  const { code, cause } = error as Error & { code?: unknown }
  return (
    (typeof code === 'string' && unavailableCodes.has(code)) ||
    unavailableMessages.test(error.message) ||
    isDatabaseUnavailable(cause, depth + 1)
  )
}
