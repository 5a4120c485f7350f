import { DatabaseError } from 'pg'
import { isForLackOfSpace } from '#runtime/reserved-space.ts'
import { isDriverTimeout, QueryNotSent } from './query-timeout.ts'

/** Codes of a connection that cannot be opened or was lost. */
const socketCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])

/** PostgreSQL's classes for a lost connection, a deadlock, a full disk and operator intervention. */
const transientClasses = /^(?:08|25|40|53|55|57|58)...$/

/** The errors of pg and pg-pool for a lost connection; they have no code. */
const lostConnectionMessages = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'timeout exceeded when trying to connect',
])

/** Returns whether an error of a query is temporary, so that the same query can succeed later. */
export function isTransient(error: unknown): boolean {
  const { code = '' } = (error ?? {}) as { code?: string }
  return (
    isDriverTimeout(error) ||
    (error instanceof Error && lostConnectionMessages.has(error.message)) ||
    socketCodes.has(code) ||
    transientClasses.test(code)
  )
}

/** Codes of a connection that was lost while it was used; 25P03: its transaction was idle for too long. */
const lostConnectionCodes = new Set(['EPIPE', 'ECONNRESET', '25P03'])

/**
 * Returns whether an error means that a connection was lost in use, or that its reply took too long, for example because too
 * much was done in one transaction.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', message } = error as Error & { code?: string }
  return lostConnectionMessages.has(message) || lostConnectionCodes.has(code) || isDriverTimeout(error)
}

/** PostgreSQL's codes for lost connections, a server that stops, starts or is full, and a cancelled query. */
const unavailableCodes = new Set([
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

const storageFullCode = '53100'

/** Returns whether an error, or one of its causes, means that a disk is full: the query changed nothing. */
export function isStorageFull(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false
  const { code, cause, message } = error as Error & { code?: unknown }
  return code === storageFullCode || isForLackOfSpace(message) || isStorageFull(cause, depth + 1)
}

/** Returns whether an error, or one of its causes, only says that PostgreSQL is starting, recovering or stopping. */
export function isDatabaseStarting(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false
  return (error as { code?: unknown }).code === '57P03' || isDatabaseStarting(error.cause, depth + 1)
}

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

/**
 * Returns whether an error, or one of its causes, means that PostgreSQL is unreachable or overloaded. Unlike `isTransient`, it
 * leaves out deadlocks and locks, and knows the errors of slonik.
 */
export function isDatabaseUnavailable(error: unknown, depth = 0): boolean {
  if (!(error instanceof Error) || depth > 4) return false
  const { code, cause } = error as Error & { code?: unknown }
  return (
    (typeof code === 'string' && (socketCodes.has(code) || unavailableCodes.has(code))) ||
    unavailableMessages.test(error.message) ||
    isDatabaseUnavailable(cause, depth + 1)
  )
}

/** PostgreSQL's codes for a lost connection and for a server that stops: a commit may have come before them. */
const unknownOutcomeCodes = /^(?:08...|57P0.)$/

/**
 * Returns whether a failed statement has certainly changed nothing: it was not sent, or the server itself reported the error,
 * and with it a rollback. A caller that got no reply does not know.
 */
export const hasChangedNothing = (error: unknown): boolean =>
  error instanceof QueryNotSent || (error instanceof DatabaseError && !unknownOutcomeCodes.test(error.code ?? '08000'))
