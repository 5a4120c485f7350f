import { randomUUID } from 'node:crypto'
import type { ApiResponse, Client } from './client.ts'
import { waitUntil } from './wait-until.ts'

/**
 * Posts a request until it is answered with its result, for preparations under the time-outs of production, which a
 * starved machine exceeds. The idempotency key is the same each time, so that the request has one effect.
 */
export async function sendUntilAnswered(client: Client, path: string, body: unknown): Promise<ApiResponse> {
  const headers = { 'idempotency-key': randomUUID() }
  return await waitUntil(
    () => client.request('POST', path, body, headers),
    ({ status, problem }) => status !== 503 && problem.code !== 'still-running',
  )
}
