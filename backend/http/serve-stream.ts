import type Router from '@koa/router'
import type { Endpoint, Reply, Request } from '#contracts/endpoint.ts'
import { authorize } from './access.ts'
import { ProblemError } from './problems.ts'
import { parsePart } from './parse-part.ts'
import type { Caller, Member } from './session.ts'
import type { StreamRegistry } from './stream-registry.ts'
import type { WriteQuotas } from './write-quotas.ts'

/** An endpoint for members that responds with server-sent events. */
export type StreamEndpoint = Endpoint & { stream: true; access: Exclude<Endpoint['access'], 'public' | 'signed-in'> }

/** Proxies close connections that are silent for a minute. */
const heartbeatMs = 20_000
/** A client that does not read is disconnected; it reconnects and is sent what it missed. */
const maxBufferedBytes = 64 * 1024

type Options = { intervalMs?: number }

/** An open stream, as the source of its messages sees it. */
export type MessageStream<Message> = {
  caller: Member
  /** `id` is the point in the source from which a client can resume after this message. */
  send(message: Message, id: string | null): void
  /** Checks at once whether the caller may still read the stream, and ends it otherwise. */
  verify(): void
}

/** The subscription of a stream to a source. */
export type StreamSource = {
  end(): void
  /** The data of the message `open`. */
  opening?: object
  /** Returns the point in the source from which a client can resume now; null when it cannot. */
  getId?(): string | null
}

type Subscribe<E extends Endpoint> = (stream: MessageStream<Reply<E>>, request: Request<E>) => Promise<StreamSource>

const formatMessage = (event: string, data: object, id: string | null = null) =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/**
 * Serves a contract as server-sent events: a message named `open`, then one named `change` per reply. Every heartbeat, the
 * end of any session of the user, and `verify` check the session again without extending it: the stream ends when the session
 * or the permission ends.
 */
export function serveStream<const E extends StreamEndpoint>(
  router: Router,
  endpoint: E,
  subscribe: Subscribe<E>,
  { intervalMs = heartbeatMs }: Options = {},
): void {
  router.get(endpoint.path, async (ctx) => {
    const caller = authorize(endpoint, ctx.state.caller as Caller | undefined) as Member
    const { userId, practiceId } = caller
    const request = parsePart('query', endpoint.query, ctx.query) as Request<E>
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
        // A message and not a comment, which a browser would hide from the page: its silence shows that the connection is dead.
        .then((isAuthorized) =>
          isAuthorized ? write(formatMessage('heartbeat', {}, source?.getId?.() ?? null)) : stream.end(),
        )
        .catch(() => stream.destroy())
    }
    const timer = setInterval(verify, intervalMs)
    timer.unref()
    let source: StreamSource | undefined
    const close = () => {
      clearInterval(timer)
      source?.end()
      stream.destroy()
    }
    stream.once('close', close)
    stream.once('end', close)
    ctx.res.once('close', close)

    ctx.compress = false
    ctx.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' })
    ctx.type = 'text/event-stream'
    const send = (message: Reply<E>, id: string | null) =>
      write(formatMessage('change', endpoint.reply.parse(message) as object, id))
    source = await subscribe({ caller, send, verify }, request)
    if (stream.destroyed) source.end()
    // Sent after the subscription: from here on no change is missed.
    write(`retry: 3000\n${formatMessage('open', source.opening ?? {}, source.getId?.() ?? null)}`)
    ctx.body = stream
  })
}
