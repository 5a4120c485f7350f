import { readFileSync } from 'node:fs'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { parseAddress } from './address.ts'

const timeoutMs = 2_000

/**
 * Creates the function that returns the free bytes on the disks of the servers that an address names, the smallest of them:
 * from their statistics over HTTP. Null where no server reports it: it does not respond, the user may not read statistics, or
 * the address names a DNS entry. A server whose disk is full does not refuse an append: it ends.
 */
export function createFreeSpaceReader(address: string): () => Promise<number | null> {
  const { hosts, dnsDiscover, tls, tlsCAFile, trustsAnyCertificate, defaultCredentials } = parseAddress(address)
  if (dnsDiscover) return async () => null
  const isPlain = tls === false
  // Read at the first call: a certificate that is missing is reported where the store is opened.
  const createOptions = () => ({
    path: '/stats/sys/drive',
    timeout: timeoutMs,
    ...(defaultCredentials ? { auth: `${defaultCredentials.username}:${defaultCredentials.password}` } : {}),
    ...(tlsCAFile === undefined ? {} : { ca: readFileSync(tlsCAFile) }),
    ...(trustsAnyCertificate ? { rejectUnauthorized: false } : {}),
  })
  let options: ReturnType<typeof createOptions> | undefined

  const read = ({ address: host, port }: { address: string; port: number }) =>
    new Promise<number | null>((resolve) => {
      const sent = (isPlain ? requestHttp : requestHttps)({ ...options, host, port }, (response) => {
        let text = ''
        response
          .setEncoding('utf8')
          .on('data', (chunk: string) => (text += chunk))
          .on('end', () => resolve(response.statusCode === 200 ? parseFreeBytes(text) : null))
          .on('error', () => resolve(null))
      })
      sent
        .on('error', () => resolve(null))
        .on('timeout', () => sent.destroy())
        .end()
    })

  return async () => {
    options ??= createOptions()
    return findSmallest(await Promise.all(hosts.map(read)))
  }
}

/** Returns the free bytes in a server's statistics, which name the disk in one or more nested objects. */
function parseFreeBytes(text: string): number | null {
  try {
    return findFreeBytes(JSON.parse(text))
  } catch {
    return null
  }
}

function findFreeBytes(value: unknown): number | null {
  if (typeof value !== 'object' || value === null) return null
  if ('availableBytes' in value && typeof value.availableBytes === 'number') return value.availableBytes
  return findSmallest(Object.values(value).map(findFreeBytes))
}

const findSmallest = (all: readonly (number | null)[]): number | null => {
  const known = all.filter((bytes) => bytes !== null)
  return known.length === 0 ? null : Math.min(...known)
}
