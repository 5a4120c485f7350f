import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from './start-error.ts'

/** The listening HTTP server. */
export type HttpServer = {
  /** The actual port, also where PORT is 0. */
  port: number
  /**
   * Stops accepting requests, lets running ones finish, and aborts those that take longer than `milliseconds`. Requests that
   * are on their way when it begins are still answered.
   */
  close(milliseconds: number): Promise<void>
}

/**
 * Milliseconds after the begin of a stop in which requests on open connections are served as before, and asked to be the last
 * ones: closing such a connection at once would reset a request that its client has just sent.
 */
const graceMs = 200

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Starts listening. Throws StartError if the port is taken: another port is never used silently. A stop with open connections
 * closes them after `waitForGrace`.
 */
export async function startHttpServer(
  handler: Handler,
  port: number,
  host: string,
  waitForGrace: () => Promise<unknown> = () => sleep(graceMs),
): Promise<HttpServer> {
  let stopping = false
  const handle: Handler = (request, response) => {
    // Browsers keep idle connections open, which would delay the shutdown indefinitely.
    if (stopping) response.setHeader('Connection', 'close')
    handler(request, response)
  }
  const server = createServer(handle)
  // By default, Node refuses unknown expectations itself, without any header of the application.
  server.on('checkExpectation', handle)
  await listenOnPort(server, port, host)
  return {
    port: (server.address() as AddressInfo).port,
    async close(milliseconds) {
      stopping = true
      if ((await countConnections(server)) > 0) await waitForGrace()
      await new Promise<void>((resolve) => {
        const idle = setInterval(() => server.closeIdleConnections(), 50)
        const cut = setTimeout(() => server.closeAllConnections(), milliseconds - graceMs)
        server.close(() => {
          clearInterval(idle)
          clearTimeout(cut)
          resolve()
        })
      })
    },
  }
}

const countConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))

function listenOnPort(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new StartError(describeListenError(error, port, host))),
    )
    server.listen(port, host, () => {
      server.removeAllListeners('error')
      resolve()
    })
  })
}

function describeListenError(error: NodeJS.ErrnoException, port: number, host: string): string {
  if (error.code === 'EADDRINUSE')
    return `Port ${port} on ${host} is already in use: stop the program that uses it, or set PORT.`
  if (error.code === 'EACCES')
    return `Port ${port} requires more privileges than this user has: set PORT to 1024 or more.`
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return `HOST ${host} is not an address of this machine.`
  return `Everchart cannot listen on ${host}:${port}: ${error.message}`
}
