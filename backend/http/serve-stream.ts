import type Router from '@koa/router'
import type { Endpoint, Reply } from '#contracts/endpoint.ts'
import { authorize } from './access.ts'
import { ProblemError } from './problems.ts'
import type { Caller, Member } from './session.ts'
import type { StreamRegistry } from './stream-registry.ts'

/** An endpoint for members that answers with server-sent events. */
export type StreamEndpoint = Endpoint & { stream: true; access: Exclude<Endpoint['access'], 'public' | 'signed-in'> }

/** Proxies close what is silent for a minute. */
const heartbeatMs = 20_000
/** Who does not read is let go; they come back and fetch everything anew. */
const maxBufferedBytes = 64 * 1024

type Options = { intervalMs?: number }

/**
 * Serves one contract as server-sent events: a message named `open`, then one named `change` for each reply. With every
 * heartbeat the session is looked up again without counting as a click: the stream ends with the session and the right.
 */
export function serveStream<const E extends StreamEndpoint>(
  router: Router,
  endpoint: E,
  subscribe: (caller: Member, send: (message: Reply<E>) => void) => Promise<() => void>,
  { intervalMs: every = heartbeatMs }: Options = {},
): void {
  router.get(endpoint.path, async (ctx) => {
    const caller = authorize(endpoint.access, ctx.state.caller as Caller | undefined) as Member
    const stream = (ctx as unknown as { streams: StreamRegistry }).streams.open(caller.userId)
    if (!stream)
      throw new ProblemError(429, 'too-many-streams', 'Everchart is open in too many places at once.', {
        headers: { 'Retry-After': '60' },
      })
    const askAgain = ctx.state.askAgain as () => Promise<Caller | null>

    const write = (text: string) => {
      if (stream.writableLength > maxBufferedBytes) stream.destroy()
      else if (stream.writable) stream.write(text)
    }
    const stillAdmitted = async () => {
      const now = await askAgain()
      return now !== null && now.practiceId === caller.practiceId && authorize(endpoint.access, now) !== undefined
    }
    const timer = setInterval(() => {
      stillAdmitted()
        // A database that is away is no reason to send anybody off.
        .catch((error: unknown) => !(error instanceof ProblemError))
        .then((admitted) => (admitted ? write(': still here\n\n') : stream.end()))
        .catch(() => stream.destroy())
    }, every)
    timer.unref()
    let unsubscribe: (() => void) | undefined
    const gone = () => {
      clearInterval(timer)
      unsubscribe?.()
      stream.destroy()
    }
    stream.once('close', gone)
    stream.once('end', gone)
    ctx.res.once('close', gone)

    ctx.compress = false
    ctx.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
    ctx.type = 'text/event-stream'
    unsubscribe = await subscribe(caller, (message) => {
      write(`event: change\ndata: ${JSON.stringify(endpoint.reply.parse(message))}\n\n`)
    })
    if (stream.destroyed) unsubscribe()
    // Not before: from here on nothing is missed.
    write('retry: 3000\nevent: open\ndata: {}\n\n')
    ctx.body = stream
  })
}
