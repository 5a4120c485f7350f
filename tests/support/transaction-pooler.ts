import net, { type AddressInfo } from 'node:net'
import { Client } from 'pg'

/** A server in front of PostgreSQL that shares one session between all connections. */
export type TransactionPooler = { url: string; stop(): Promise<void> }

const frame = (type: string, body: Buffer) => {
  const header = Buffer.alloc(5)
  header.write(type)
  header.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}

const welcome = Buffer.concat([frame('R', Buffer.alloc(4)), frame('K', Buffer.alloc(8)), frame('Z', Buffer.from('I'))])

/** Splits a stream into messages of PostgreSQL's protocol, each a type, a length and a body. */
function createSplitter(onMessage: (message: Buffer, type: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
      const end = rest.readInt32BE(1) + 1
      onMessage(rest.subarray(0, end), String.fromCharCode(rest.readUInt8(0)))
      rest = rest.subarray(end)
    }
  }
}

/**
 * Starts a pooler as PgBouncer is with `pool_mode = transaction`, for simple queries. With `refuses` it refuses connections that set
 * this parameter, as PgBouncer does unless its configuration ignores it.
 */
export async function startTransactionPooler(
  databaseUrl: string,
  { refuses }: { refuses?: string } = {},
): Promise<TransactionPooler> {
  const client = new Client({ connectionString: databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
  // What the client of the session would read goes to the connections instead.
  const session = (client as unknown as { connection: { stream: net.Socket } }).connection.stream
  session.removeAllListeners('data')
  const waiting: net.Socket[] = []
  session.on(
    'data',
    createSplitter((message, type) => {
      waiting[0]?.write(message)
      if (type === 'Z') waiting.shift()
    }),
  )

  const sockets = new Set<net.Socket>()
  const server = net.createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined)
    socket.once('data', (startup) => {
      if (refuses !== undefined && startup.includes(refuses)) {
        const text = `SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: ${refuses}\0\0`
        return void socket.end(frame('E', Buffer.from(text)))
      }
      const split = createSplitter((message, type) => {
        if (type === 'X') return void socket.end()
        waiting.push(socket)
        session.write(message)
      })
      socket.on('data', split).write(welcome)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    async stop() {
      for (const socket of sockets) socket.destroy()
      session.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
