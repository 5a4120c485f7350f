import type { Problem } from '#contracts/problem.ts'

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

/** A response with its parsed body. */
export type ApiResponse = { status: number; headers: Headers; body: Json; problem: Problem }

/** An HTTP client that behaves like a browser: keeps cookies, sends JSON and its origin. */
export type Client = {
  url: string
  cookie(): string | undefined
  setCookie(cookie: string | undefined): void
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ApiResponse>
  /** Sends a body unchanged, valid or not. */
  sendRaw(method: string, path: string, text: string | Buffer, headers?: Record<string, string>): Promise<ApiResponse>
  get(path: string): Promise<ApiResponse>
  post(path: string, body?: unknown): Promise<ApiResponse>
  patch(path: string, body: unknown): Promise<ApiResponse>
  delete(path: string): Promise<ApiResponse>
}

/** Creates a client; `defaults` are headers of every request, such as those that a proxy adds. */
export function createClient(url: string, defaults: Record<string, string> = {}): Client {
  let cookie: string | undefined

  async function send(method: string, path: string, text?: string | Buffer, headers: Record<string, string> = {}) {
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: { ...(cookie ? { cookie } : {}), ...(method === 'GET' ? {} : { origin: url }), ...defaults, ...headers },
      ...(text === undefined ? {} : { body: text as string }),
    })
    const set = response.headers.getSetCookie()
    if (set.length > 0) cookie = mergeCookies(cookie, set)
    const answer = await response.text()
    const json = response.headers.get('content-type')?.includes('json') ? JSON.parse(answer) : answer
    return { status: response.status, headers: response.headers, body: json as Json, problem: json as Problem }
  }

  const client: Client = {
    url,
    cookie: () => cookie,
    setCookie(next) {
      cookie = next
    },
    request: (method, path, body, headers) =>
      send(method, path, body === undefined ? undefined : JSON.stringify(body), {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      }),
    sendRaw: send,
    get: (path) => client.request('GET', path),
    post: (path, body) => client.request('POST', path, body),
    patch: (path, body) => client.request('PATCH', path, body),
    delete: (path) => client.request('DELETE', path),
  }
  return client
}

/** Returns the cookie header after a response: new values replace old ones, expired ones are removed. */
function mergeCookies(before: string | undefined, set: readonly string[]): string | undefined {
  const jar = new Map((before?.split('; ') ?? []).map((pair) => [pair.slice(0, pair.indexOf('=')), pair] as const))
  for (const line of set) {
    const pair = line.split(';')[0] ?? ''
    const name = pair.slice(0, pair.indexOf('='))
    if (pair.endsWith('=') || /expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name)
    else jar.set(name, pair)
  }
  return jar.size === 0 ? undefined : [...jar.values()].join('; ')
}
