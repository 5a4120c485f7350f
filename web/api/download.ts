import type { Endpoint, RequestInput } from '#contracts/endpoint.ts'
import { buildUrl, checkGet } from './call.ts'

/** Downloads the file that an endpoint replies with, after a check: the browser does not say why a download failed. */
export async function downloadFile<const E extends Endpoint>(endpoint: E, request: RequestInput<E>): Promise<void> {
  await checkGet(endpoint, request)
  const link = document.createElement('a')
  link.href = buildUrl(endpoint, request as Parameters<typeof buildUrl>[1])
  link.download = ''
  link.click()
}
