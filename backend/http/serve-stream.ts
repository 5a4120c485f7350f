import type Router from '@koa/router'
import type { Endpoint, Reply } from '#contracts/endpoint.ts'
import { authorize } from './access.ts'
import { ProblemError } from './problems.ts'
import type { Caller, Member } from './session.ts'
import type { StreamRegistry } from './stream-registry.ts'
import type { WriteQuotas } from './write-quotas.ts'

/** An endpoint for members that responds with server-sent events. */
export type StreamEndpoint = Endpoint & { stream: true; access: Exclude<Endpoint['access'], 'public' | 'signed-in'> }

/** Proxies close connections that are silent for a minute. */
const heartbeatMs = 20_000
/** A message and not a comment, which a browser would hide from the page: its silence shows that the connection is dead. */
const heartbeat = 'event: heartbeat\ndata: {}\n\n'
/** A client that does not read is disconnected; it reconnects and refetches everything. */
const maxBufferedBytes = 64 * 1024

type Options = { intervalMs?: number }

/** An open stream, as the source of its messages sees it. */
export type MessageStream<Message> = {
  caller: Member
  send(message: Message): void
  /** Checks at once whether the caller may still read the stream, and ends it otherwise. */
  verify(): void
}

/**
 * Serves a contract as server-sent events: a message named `open`, then one named `change` per reply. Every heartbeat, the
 * end of any session of the user, and `verify` check the session again without extending it: the stream ends when the session
 * or the permission ends.
 */
export function serveStream<const E extends StreamEndpoint>(
  router: Router,
  endpoint: E,
  subscribe: (stream: MessageStream<Reply<E>>) => Promise<() => void>,
  { intervalMs = heartbeatMs }: Options = {},
): void {
  router.get(endpoint.path, async (ctx) => {
    const caller = authorize(endpoint, ctx.state.caller as Caller | undefined) as Member
    const { userId, practiceId } = caller
    const { streams, quotas } = ctx as unknown as { streams: StreamRegistry; quotas?: WriteQuotas }
    const limits = quotas?.getStreamLimits(caller) ?? { practice: Infinity, demoPractices: Infinity }
    const isDemo = caller.subscriptionStatus === 'demo'
    const stream = streams.open({ userId, practiceId, isDemo }, limits, () => verify())
    if (!stream)
      throw new ProblemError(429, 'too-many-streams', 'Everchart is open in too many places at once.', {
        headers: { 'Retry-After': '60' },
      })
    const findCallerAgain = ctx.state.findCallerAgain as () => Promise<Caller | null>

    const write = (text: string) => {
      if (stream.writableLength > maxBufferedBytes) stream.destroy()
      else if (stream.writable) stream.write(text)
    }
    const isStillAuthorized = async () => {
      const now = await findCallerAgain()
      return now !== null && now.practiceId === caller.practiceId && authorize(endpoint, now) !== undefined
    }
    const verify = () => {
      isStillAuthorized()
        // An unavailable database does not end the stream.
        .catch((error: unknown) => !(error instanceof ProblemError))
        .then((isAuthorized) => (isAuthorized ? write(heartbeat) : stream.end()))
        .catch(() => stream.destroy())
    }
    const timer = setInterval(verify, intervalMs)
    timer.unref()
    let unsubscribe: (() => void) | undefined
    const close = () => {
      clearInterval(timer)
      unsubscribe?.()
      stream.destroy()
    }
    stream.once('close', close)
    stream.once('end', close)
    ctx.res.once('close', close)

    ctx.compress = false
    ctx.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
    ctx.type = 'text/event-stream'
    const send = (message: Reply<E>) => {
      write(`event: change\ndata: ${JSON.stringify(endpoint.reply.parse(message))}\n\n`)
    }
    unsubscribe = await subscribe({ caller, send, verify })
    if (stream.destroyed) unsubscribe()
    // Sent after the subscription: from here on no change is missed.
    write('retry: 3000\nevent: open\ndata: {}\n\n')
    ctx.body = stream
  })
}
