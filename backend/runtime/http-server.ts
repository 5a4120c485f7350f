import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StartError } from './start-error.ts'

/** The listening HTTP server. */
export type HttpServer = {
  /** The actual port, also where PORT is 0. */
  port: number
  /** Stops accepting requests, lets running ones finish, and aborts those that take longer than `milliseconds`. */
  close(milliseconds: number): Promise<void>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Starts listening. Throws StartError if the port is taken: another port is never used silently. */
export async function startHttpServer(handler: Handler, port: number, host: string): Promise<HttpServer> {
  let stopping = false
  const server = createServer((request, response) => {
    // Browsers keep idle connections open, which would delay the shutdown indefinitely.
    if (stopping) response.setHeader('Connection', 'close')
    handler(request, response)
  })
  await listenOnPort(server, port, host)
  return {
    port: (server.address() as AddressInfo).port,
    close(milliseconds) {
      stopping = true
      return new Promise((resolve) => {
        const idle = setInterval(() => server.closeIdleConnections(), 50)
        const cut = setTimeout(() => server.closeAllConnections(), milliseconds)
        server.close(() => {
          clearInterval(idle)
          clearTimeout(cut)
          resolve()
        })
      })
    },
  }
}

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
