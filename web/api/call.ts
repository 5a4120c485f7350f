import { backgroundHeader } from '#contracts/accounts.ts'
import { type Endpoint, mayWrite, type Reply, type RequestInput } from '#contracts/endpoint.ts'
import { Problem } from '#contracts/problem.ts'
import { dropEarlyReplies, takeEarlyReply } from './early-replies.ts'
import { eitherSignal } from './either-signal.ts'
import { withIntent } from './intent.ts'
import { isScreenLocked } from './screen-lock.ts'
import { isBackgroundRequest, noteReport } from './user-activity.ts'

/** Failed API call. `message` is "{status}: {text}" (spec); `detail` is the text alone. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly problem: Problem
  /** Seconds to wait before retrying, from `Retry-After`; null without that header. */
  readonly retryAfter: number | null
  constructor(problem: Problem, retryAfter: number | null = null) {
    // Status 0 means that there was no response, so there is no status to show.
    super(problem.status === 0 ? problem.message : `${problem.status}: ${problem.message}`)
    this.name = 'ApiProblem'
    this.status = problem.status
    this.code = problem.code
    this.detail = problem.message
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

/** Returns a message for users for any thrown value. */
export const errorMessage = (error: unknown): string =>
  error instanceof ApiProblem ? error.message : 'Something went wrong in this window. Reload the page and try again.'

const createProblem = (status: number, code: string, message: string): Problem => ({
  type: 'about:blank',
  title: message,
  status,
  code,
  message,
  errors: [],
})

type RequestParts = { params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown }

/** Builds the URL of an endpoint; query parameters that are undefined are left out. */
export function buildUrl(endpoint: Pick<Endpoint, 'path'>, { params = {}, query = {} }: RequestParts): string {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

type SendOptions = { signal?: AbortSignal | undefined; idempotencyKey?: string }

/** Milliseconds after which a request without a reply is given up, well after the server's own limits. */
const maxReplyMs = { read: 15_000, write: 120_000 }

/** Code of a problem: the time for a reply was over. */
const noReply = 'no-reply'

async function send(
  endpoint: Pick<Endpoint, 'path' | 'access' | 'readsOnly'> & { method: Endpoint['method'] | 'HEAD' },
  parts: RequestParts,
  { signal, idempotencyKey }: SendOptions = {},
): Promise<Response> {
  // Without a session, whatever the hidden page asks for would only be refused.
  if (isScreenLocked() && endpoint.access !== 'public')
    throw new ApiProblem(createProblem(0, 'locked', 'Everchart is locked. Please unlock it first.'))
  const limit = AbortSignal.timeout(maxReplyMs[isRead(endpoint) ? 'read' : 'write'])
  const isBackground = isBackgroundRequest()
  if (!isBackground) noteReport()
  const init: RequestInit = {
    method: endpoint.method,
    credentials: 'include',
    headers: {
      ...(isBackground ? { [backgroundHeader]: 'true' } : {}),
      ...(parts.body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': `"${idempotencyKey}"` }),
    },
    ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
    signal: signal ? eitherSignal(limit, signal) : limit,
  }
  // What it changes is not in them.
  if (!isRead(endpoint)) dropEarlyReplies()
  let response: Response
  try {
    const url = buildUrl(endpoint, parts)
    // Without one, or when it failed, the request is sent.
    const early = endpoint.method === 'GET' ? await takeEarlyReply(url)?.catch(() => undefined) : undefined
    response = early ?? (await fetch(url, init))
  } catch (error) {
    if (signal?.aborted) throw error
    const code = limit.aborted ? noReply : 'offline'
    throw new ApiProblem(createProblem(0, code, 'Everchart cannot be reached. Check the connection and try again.'))
  }
  if (response.ok) return response
  throw await toApiProblem(response)
}

const isRead = ({ method, readsOnly }: { method: string; readsOnly?: true }) =>
  method === 'GET' || method === 'HEAD' || readsOnly === true

/** Checks whether a GET would succeed, without its reply. Throws `ApiProblem`, which has a status but no text of the server. */
export async function checkGet<const E extends Endpoint>(endpoint: E, request: RequestInput<E>): Promise<void> {
  await send({ ...endpoint, method: 'HEAD' }, request as RequestParts)
}

/** Sends a read; once more when no reply came, because a connection may have been lost unnoticed. */
const sendRead = (endpoint: Endpoint, parts: RequestParts, signal?: AbortSignal): Promise<Response> =>
  send(endpoint, parts, { signal }).catch((error: unknown) => {
    if (error instanceof ApiProblem && error.code === noReply) return send(endpoint, parts, { signal })
    throw error
  })

// A proxy or the sign-in page of a guest network may respond instead of the server, and not with a problem document.
const unavailableMessage = 'Everchart is not available right now. Please try again in a moment.'
const unreadableReplyMessage = 'The server sent a reply that cannot be read.'
/** The limit of a proxy may be below that of the server. Nothing was saved, as when the server refuses it. */
const tooLarge = createProblem(413, 'too-large', 'This is more than can be sent at once.')

async function toApiProblem(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => null)
  const problem = Problem.safeParse(body)
  const seconds = Number(response.headers.get('Retry-After'))
  const retryAfter = Number.isFinite(seconds) && seconds > 0 ? seconds : null
  if (problem.success) return new ApiProblem(problem.data, retryAfter)
  if (response.status === tooLarge.status) return new ApiProblem(tooLarge)
  const message = response.status >= 500 ? unavailableMessage : response.statusText || unreadableReplyMessage
  return new ApiProblem(createProblem(response.status, 'unreadable', message), retryAfter)
}

async function parseReply<E extends Endpoint>(endpoint: E, response: Response): Promise<Reply<E>> {
  const json: unknown = response.status === 204 ? null : await response.json().catch(() => undefined)
  const reply = endpoint.reply.safeParse(json)
  if (reply.success) return reply.data as Reply<E>
  throw new ApiProblem(createProblem(response.status, 'unreadable', unreadableReplyMessage))
}

/**
 * Statuses of refusals before the server looks at the idempotency key: no session, no permission, a body that stopped, a
 * quota. An earlier attempt with the key may have been saved all the same.
 */
const inconclusiveStatuses: ReadonlySet<number> = new Set([401, 403, 408, 429])

const signInRefusals: ReadonlySet<string> = new Set([
  'invalid-credentials',
  'two-factor-required',
  'invalid-code',
  'passkey-required',
])

/** Returns whether a write was refused, so that neither this attempt nor an earlier one was saved or ever will be. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof ApiProblem) || error.status < 400 || error.status >= 500) return false
  // Sign-in itself refuses a wrong password or code: an attempt is over.
  if (signInRefusals.has(error.code)) return true
  return error.code !== 'still-running' && !inconclusiveStatuses.has(error.status)
}

/** Returns whether it is unknown if a write was saved: there was no reply, none of the server's, or the server does not know. */
export const isUnknownOutcome = (error: unknown): error is ApiProblem =>
  error instanceof ApiProblem && (error.status === 0 || ['outcome-unknown', 'unreadable'].includes(error.code))

/** Number of times that a write is sent again while the server is still saving an earlier attempt. */
const maxWaits = 5

/** Sends a write; waits for an earlier attempt with the same key that is still running, whose reply it then receives. */
async function sendWrite(endpoint: Endpoint, parts: RequestParts, options: SendOptions): Promise<Response> {
  for (let waits = 0; ; waits++) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- one attempt after the other
      return await send(endpoint, parts, options)
    } catch (error) {
      const isRunning = error instanceof ApiProblem && error.code === 'still-running'
      if (!isRunning || waits === maxWaits) throw error
      const { retryAfter } = error
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => setTimeout(resolve, (retryAfter ?? 1) * 1_000))
    }
  }
}

/**
 * Calls an endpoint and returns its validated reply. Throws `ApiProblem`. A write can be repeated after a failure without
 * saving anything twice.
 */
export async function call<const E extends Endpoint>(
  endpoint: E,
  request: RequestInput<E>,
  signal?: AbortSignal,
): Promise<Reply<E>> {
  const parts = request as RequestParts
  if (!mayWrite(endpoint)) return await parseReply(endpoint, await sendRead(endpoint, parts, signal))
  const content = JSON.stringify([endpoint.method, buildUrl(endpoint, parts), parts.body ?? null])
  return await withIntent(content, isRefusal, async (idempotencyKey) =>
    parseReply(endpoint, await sendWrite(endpoint, parts, { signal, idempotencyKey })),
  )
}

/** Reads an endpoint, and returns its reply and a header of it; null when it has none. Throws `ApiProblem`. */
export async function readWithHeader<const E extends Endpoint>(
  endpoint: E,
  request: RequestInput<E>,
  header: string,
  signal?: AbortSignal,
): Promise<{ reply: Reply<E>; header: string | null }> {
  const response = await sendRead(endpoint, request as RequestParts, signal)
  return { reply: await parseReply(endpoint, response), header: response.headers.get(header) }
}

/** Calls a paginated endpoint; `next` is the URL of the next page. Throws `ApiProblem`. */
export async function callPaged<const E extends Endpoint>(
  endpoint: E,
  request: RequestInput<E>,
  signal?: AbortSignal,
): Promise<{ items: Reply<E>; total: number; next: string | null }> {
  const response = await sendRead(endpoint, request as RequestParts, signal)
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('Link') ?? '')?.[1] ?? null
  return { items: await parseReply(endpoint, response), total: Number(response.headers.get('X-Total-Count')), next }
}
