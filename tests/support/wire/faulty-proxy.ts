import net from 'node:net'

/** Proxy that simulates the faults of a network between the application and a server. */
export type FaultyProxy = {
  port: number
  /** Resets all open connections. */
  dropConnections(): void
  /** Cuts every connection after this many more bytes from the application; an earlier cut cancels it. */
  cutAfter(bytes: number): void
  /** Silently stops forwarding in both directions. */
  freeze(): void
  /** Silently stops forwarding on new connections; open ones continue. */
  blackholeNewConnections(): void
  thaw(): void
  /** Freezes the open connections forever, as after a power failure of the other machine; new connections work. */
  strandOpenConnections(): void
  /** Resets all connections and refuses new ones, as if the server were down. */
  stopListening(): Promise<void>
  resumeListening(): Promise<void>
  close(): Promise<void>
}

/** Starts the proxy in front of a local port. */
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
      if (bytesUntilCut <= 0) dropAll()
    })
    if (frozen) pause(pair)
  })
  const pause = ({ near, far }: { near: net.Socket; far: net.Socket }) => {
    near.pause()
    far.pause()
  }
  const dropAll = () => {
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
        server.off('error', reject)
        port = (server.address() as net.AddressInfo).port
        resolve()
      })
    })
  const stop = async () => {
    dropAll()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  await open()
  return {
    port,
    dropConnections: dropAll,
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
    stopListening: stop,
    resumeListening: open,
    close: stop,
  }
}
