import net from 'node:net'

/** A way to PostgreSQL on which the server can end connections in the very moment in which they are ready. */
export type ConnectionKillingProxy = {
  /** The address of the database by this way. */
  url: string
  /**
   * Cuts what is open, and ends from now on every new connection of those who say `word` when they connect: the first time
   * it is ready, or the time after so many.
   */
  startKilling(word: string, after?: number): void
  stopKilling(): void
  close(): Promise<void>
}

const encodeMessage = (type: string, body: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}
/** What PostgreSQL says to everybody when an operator stops it: FATAL 57P01. */
const terminationMessage = encodeMessage(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
)
const readyForQuery = encodeMessage('Z', Buffer.from('I'))

/** Puts it in front of a database on this machine. Ready and the end of it come in one piece, as they do from a server in a hurry. */
export async function startConnectionKillingProxy(databaseUrl: string): Promise<ConnectionKillingProxy> {
  const address = new URL(databaseUrl)
  const target = Number(address.port)
  const pairs = new Set<{ word: string; drop(): void }>()
  let doomed: { word: string; after: number } | null = null
  const server = net.createServer((near) => {
    const far = net.connect(target, '127.0.0.1')
    const pair = {
      word: '',
      wasReady: 0,
      drop() {
        near.destroy()
        far.destroy()
        pairs.delete(pair)
      },
    }
    pairs.add(pair)
    near.once('data', (startup) => (pair.word = startup.toString('latin1')))
    near.on('data', (chunk) => far.write(chunk))
    far.on('data', (chunk) => {
      const isReady = chunk.subarray(-readyForQuery.length).equals(readyForQuery)
      const ends = isReady && doomed && pair.word.includes(doomed.word) && pair.wasReady++ >= doomed.after
      near.write(ends ? Buffer.concat([chunk, terminationMessage]) : chunk)
    })
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', pair.drop).on('close', pair.drop)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  address.hostname = '127.0.0.1'
  address.port = String((server.address() as net.AddressInfo).port)
  return {
    url: address.href,
    startKilling(word, after = 0) {
      doomed = { word, after }
      for (const pair of pairs) if (pair.word.includes(word)) pair.drop()
    },
    stopKilling() {
      doomed = null
    },
    async close() {
      for (const { drop } of pairs) drop()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
