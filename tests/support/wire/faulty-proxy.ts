import net from 'node:net'

/** The network between the application and a server, which can be as bad as real ones are. */
export type FaultyProxy = {
  port: number
  /** Cuts every connection that is open. */
  dropConnections(): void
  /** Cuts every connection after this many more bytes from the application; an earlier cut cancels it. */
  cutAfter(bytes: number): void
  /** Nothing gets through any more, in either direction, and nobody is told. */
  freeze(): void
  /** New connections lead nowhere, and nobody is told; what is open now goes on. */
  blackholeNewConnections(): void
  thaw(): void
  /** What is open now stays frozen for ever, as when the other machine lost its power; new connections work. */
  strandOpenConnections(): void
  /** Cuts every connection and refuses new ones, as if the server were gone. */
  stopListening(): Promise<void>
  resumeListening(): Promise<void>
  close(): Promise<void>
}

/** Puts a stretch of network in front of a port of this machine. */
export async function startFaultyProxy(target: () => number): Promise<FaultyProxy> {
  const pairs = new Set<{ near: net.Socket; far: net.Socket }>()
  const stranded = new WeakSet<object>()
  let frozen = false
  let bytesUntilCut = Infinity
  let port = 0
  const server = net.createServer((near) => {
    const far = net.connect(target(), '127.0.0.1')
    const pair = { near, far }
    pairs.add(pair)
    const drop = () => {
      near.destroy()
      far.destroy()
      pairs.delete(pair)
    }
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      from
        .setNoDelay(true)
        .on('data', (chunk) => to.write(chunk))
        .on('error', drop)
        .on('close', drop)
    near.on('data', (chunk) => {
      bytesUntilCut -= chunk.length
      if (bytesUntilCut <= 0) cut()
    })
    if (frozen) pause(pair)
  })
  const pause = ({ near, far }: { near: net.Socket; far: net.Socket }) => {
    near.pause()
    far.pause()
  }
  const cut = () => {
    bytesUntilCut = Infinity
    for (const { near, far } of pairs) {
      near.resetAndDestroy()
      far.destroy()
    }
    pairs.clear()
  }
  const open = () =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        port = (server.address() as net.AddressInfo).port
        resolve()
      })
    })
  const shut = async () => {
    cut()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  await open()
  return {
    port,
    dropConnections: cut,
    cutAfter(bytes) {
      bytesUntilCut = bytes
    },
    freeze() {
      frozen = true
      pairs.forEach(pause)
    },
    blackholeNewConnections() {
      frozen = true
    },
    thaw() {
      frozen = false
      for (const pair of pairs) {
        if (stranded.has(pair)) continue
        const { near, far } = pair
        near.resume()
        far.resume()
      }
    },
    strandOpenConnections() {
      frozen = false
      for (const pair of pairs) {
        pause(pair)
        stranded.add(pair)
      }
    },
    stopListening: shut,
    resumeListening: open,
    close: shut,
  }
}
