import type { Endpoint, Reply, RequestInput } from '#contracts/endpoint.ts'
import { Problem } from '#contracts/problem.ts'

/** The server said no, or nothing. `message` is "{status}: {text}" as the spec has it; `detail` is the text alone. */
export class ApiProblem extends Error {
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly problem: Problem
  /** Seconds to wait before trying again, when the server names them. */
  readonly retryAfter: number | null
  constructor(problem: Problem, retryAfter: number | null = null) {
    // Nobody answered: there is no status to show.
    super(problem.status === 0 ? problem.message : `${problem.status}: ${problem.message}`)
    this.name = 'ApiProblem'
    this.status = problem.status
    this.code = problem.code
    this.detail = problem.message
    this.problem = problem
    this.retryAfter = retryAfter
  }
}

/** Plain words for whatever was thrown. */
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

/** The address of a call with its ids and its query; what is undefined is left out. */
export function buildUrl(endpoint: Endpoint, { params = {}, query = {} }: RequestParts): string {
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const pairs = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]))
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`
}

async function send(endpoint: Endpoint, parts: RequestParts, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { method: endpoint.method, credentials: 'include', ...(signal ? { signal } : {}) }
  if (parts.body !== undefined) {
    init.body = JSON.stringify(parts.body)
    init.headers = { 'content-type': 'application/json' }
  }
  let response: Response
  try {
    response = await fetch(buildUrl(endpoint, parts), init)
  } catch (error) {
    if (signal?.aborted) throw error
    throw new ApiProblem(
      createProblem(0, 'offline', 'Everchart cannot be reached. Check the connection and try again.'),
    )
  }
  if (response.ok) return response
  throw await toApiProblem(response)
}

// What stands between us and the server (a proxy, a network's own sign-in page) answers in its own way.
const unavailableMessage = 'Everchart is not available right now. Please try again in a moment.'
const unreadableReplyMessage = 'The server gave an answer that cannot be read.'

async function toApiProblem(response: Response): Promise<ApiProblem> {
  const body: unknown = await response.json().catch(() => null)
  const problem = Problem.safeParse(body)
  const seconds = Number(response.headers.get('Retry-After'))
  const retryAfter = Number.isFinite(seconds) && seconds > 0 ? seconds : null
  if (problem.success) return new ApiProblem(problem.data, retryAfter)
  const words = response.status >= 500 ? unavailableMessage : response.statusText || unreadableReplyMessage
  return new ApiProblem(createProblem(response.status, 'unreadable', words), retryAfter)
}

async function parseReply<E extends Endpoint>(endpoint: E, response: Response): Promise<Reply<E>> {
  const json: unknown = response.status === 204 ? null : await response.json().catch(() => undefined)
  const reply = endpoint.reply.safeParse(json)
  if (reply.success) return reply.data as Reply<E>
  throw new ApiProblem(createProblem(response.status, 'unreadable', unreadableReplyMessage))
}

/** Calls one contract and returns the reply it promises. Throws `ApiProblem`. */
export async function call<const E extends Endpoint>(
  endpoint: E,
  request: RequestInput<E>,
  signal?: AbortSignal,
): Promise<Reply<E>> {
  return await parseReply(endpoint, await send(endpoint, request as RequestParts, signal))
}

/** Calls a list: its rows, how many there are in all, and where the next page begins. */
export async function callPaged<const E extends Endpoint>(
  endpoint: E,
  request: RequestInput<E>,
  signal?: AbortSignal,
): Promise<{ items: Reply<E>; total: number; next: string | null }> {
  const response = await send(endpoint, request as RequestParts, signal)
  const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('Link') ?? '')?.[1] ?? null
  return { items: await parseReply(endpoint, response), total: Number(response.headers.get('X-Total-Count')), next }
}
