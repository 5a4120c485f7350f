import type Koa from 'koa'
import { ProblemError } from './problems.ts'

/** Even the slowest connection delivers this many bytes within the time-out. */
const minProgressBytes = 1024

/**
 * Runs a function that reads the body of a request, and throws 408 when the body stops, or trickles so slowly that it would
 * occupy the server for ever: fewer than a kilobyte within the time-out, unless the body ends. The connection is then
 * closed after the reply, because the rest of the body would be taken for the next request.
 */
export async function readWithTimeout<Body>(ctx: Koa.Context, read: () => Promise<Body>): Promise<Body> {
  const request = ctx.req
  const { bodyTimeoutMs: timeoutMs } = ctx as unknown as { bodyTimeoutMs: number }
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(bodyTooSlow()), timeoutMs)
  let progress = 0
  const onData = (chunk: Buffer) => {
    progress += chunk.length
    if (progress < minProgressBytes) return
    progress = 0
    timer.refresh()
  }
  try {
    const reading = read()
    // Only now: a listener starts the stream, and the reader must not miss the first bytes.
    request.on('data', onData)
    // When the time is over, nothing waits for the reader any more; it fails when the connection is closed.
    return await Promise.race([reading, stopped])
  } finally {
    clearTimeout(timer)
    request.off('data', onData)
  }
}

const bodyTooSlow = () =>
  new ProblemError(408, 'body-too-slow', 'The request stopped arriving. Please check the connection and try again.', {
    headers: { Connection: 'close' },
  })
