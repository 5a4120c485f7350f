/** Codes of Node and PostgreSQL: lost connections, a server that stops, starts or is full, a cancelled query. */
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
  // Read-only, as during a move to another machine.
  '25006',
  '53100',
  '53200',
  '53300',
  // Cancelled: too slow, or by an operator.
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '58030',
])

/** Messages of the driver and slonik without a code. */
const unavailableMessages = new RegExp(
  [
    'query read timeout',
    'connection terminated',
    'connection timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'not accepting connections',
    'is not queryable',
    // A connection that broke while it was acquired.
    'client is (pending|destroyed|not acquired)',
    'released connection',
    'backend has been terminated',
    'connection pool (is|has)',
    'pool after calling end',
  ].join('|'),
  'i',
)

/** Returns whether an error, or one of its causes, means that PostgreSQL is unreachable or overloaded: a transient state. */
export function isDatabaseUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false
  const { code, cause } = error as Error & { code?: unknown }
  return (
    (typeof code === 'string' && unavailableCodes.has(code)) ||
    unavailableMessages.test(error.message) ||
    isDatabaseUnavailable(cause, depth + 1)
  )
}
