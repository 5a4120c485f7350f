import { randomUUID } from 'node:crypto'
import { deriveId } from './derive-id.ts'
import { currentRequest } from './request-scope.ts'

/**
 * Returns a new id: a random UUID. With a purpose, every attempt at the same request returns the same ids in the same order, so
 * that a repeated request creates a record once.
 */
export function createId(purpose?: string): string {
  const request = currentRequest()
  if (purpose === undefined || !request || request.intentId === null) return randomUUID()
  return deriveId(`${request.intentId}:id:${purpose}:${request.count(`id:${purpose}`)}`)
}
