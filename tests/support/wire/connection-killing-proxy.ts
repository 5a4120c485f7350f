import net from 'node:net'

/** Proxy in front of PostgreSQL that can terminate connections at the moment they become ready. */
export type ConnectionKillingProxy = {
  /** URL of the database through this proxy. */
  url: string
  /**
   * Drops open connections whose startup message contains `text`, and terminates each new one when it is ready for the
   * query after the first `after`.
   */
  startKilling(text: string, after?: number): void
  stopKilling(): void
  close(): Promise<void>
}

const encodeMessage = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
/** PostgreSQL's message when an operator stops it: FATAL 57P01. */
const terminationMessage = encodeMessage(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
)
const readyForQuery = encodeMessage('Z', Buffer.from('I'))

/** Starts the proxy in front of a local database. `ReadyForQuery` and the termination arrive in one packet, as a stopping server sends them. */
export async function startConnectionKillingProxy(databaseUrl: string): Promise<ConnectionKillingProxy> {
  const address = new URL(databaseUrl)
  const databasePort = Number(address.port)
  const pairs = new Set<{ startup: string; drop(): void }>()
  let target: { text: string; after: number } | null = null
  const server = net.createServer((near) => {
    const far = net.connect(databasePort, '127.0.0.1')
    const pair = {
      startup: '',
      readyCount: 0,
      drop() {
        near.destroy()
        far.destroy()
        pairs.delete(pair)
      },
    }
    pairs.add(pair)
    near.once('data', (startup) => (pair.startup = startup.toString('latin1')))
    near.on('data', (chunk) => far.write(chunk))
    far.on('data', (chunk) => {
      const isReady = chunk.subarray(-readyForQuery.length).equals(readyForQuery)
      const isKilled = isReady && target && pair.startup.includes(target.text) && pair.readyCount++ >= target.after
      near.write(isKilled ? Buffer.concat([chunk, terminationMessage]) : chunk)
    })
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', pair.drop).on('close', pair.drop)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address.hostname = '127.0.0.1'
  address.port = String((server.address() as net.AddressInfo).port)
  return {
    url: address.href,
    startKilling(text, after = 0) {
      target = { text, after }
      for (const pair of pairs) if (pair.startup.includes(text)) pair.drop()
    },
    stopKilling() {
      target = null
    },
    async close() {
      for (const { drop } of pairs) drop()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
