import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { healthy } from '#tests/support/healthy.ts'
import { request, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import Router from '@koa/router'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { endpoint } from '#contracts/endpoint.ts'
import type { Health } from '#contracts/health.ts'
import { Problem } from '#contracts/problem.ts'
import { type App, createApp } from '#http/app.ts'
import { ProblemError } from '#http/problems.ts'
import type { Refusal } from '#http/refusals.ts'
import { serve } from '#http/serve.ts'
import { startHttpServer } from '#runtime/http-server.ts'
import { type Client, createClient } from '#tests/support/client.ts'
import { runUntracked } from '#tests/support/run-untracked.ts'

const echo = endpoint({
  method: 'POST',
  path: '/api/echo',
  access: 'public',
  body: z.strictObject({
    name: z.string().min(1, 'Please enter a name'),
    deep: z.strictObject({ n: z.number() }).optional(),
    few: z.array(z.number()).max(1).optional(),
  }),
  reply: z.object({ name: z.string() }),
  status: 201,
})
const large = endpoint({ ...echo, path: '/api/large', bodyLimit: 3 * 1024 * 1024 })
const item = endpoint({
  method: 'GET',
  path: '/api/items/:itemId',
  access: 'public',
  params: z.object({ itemId: z.uuid() }),
  query: z.strictObject({ limit: z.coerce.number().max(10, 'From 1 to 10').default(5) }),
  reply: z.object({ limit: z.number() }),
})
const nothing = endpoint({ method: 'DELETE', path: '/api/items', access: 'public', reply: z.null() })
const broken = endpoint({ method: 'GET', path: '/api/broken', access: 'public', reply: z.null() })
const member = endpoint({ method: 'GET', path: '/api/member', access: 'member', reply: z.null() })
const leaky = endpoint({ method: 'GET', path: '/api/leaky', access: 'public', reply: z.object({ shown: z.string() }) })

const lines: string[] = []
const refusals: Refusal[] = []
const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })

describe('the HTTP application', () => {
  let folder: string
  let app: App
  let server: Server
  let client: Client
  let state: Health['status'] = 'starting'
  const endless = new PassThrough()

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'everchart-web-'))
    await mkdir(join(folder, 'assets'))
    await writeFile(join(folder, 'index.html'), '<!doctype html><div id="root"></div>')
    await writeFile(join(folder, 'assets', 'main-abc123.js'), 'export {}')
    app = createApp({
      logger,
      health: async () => ({ ...healthy, status: state }),
      webFolder: folder,
      trustedProxies: 0,
    })
    server = await new Promise<Server>((resolve) => {
      const listening = app.koa.listen(0, '127.0.0.1', () => resolve(listening))
    })
    client = createClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  afterAll(async () => {
    server.close()
    await rm(folder, { recursive: true })
  })

  /** Runs a check against another application with these options. It has no routes. */
  async function withApp(
    options: Partial<Parameters<typeof createApp>[0]>,
    check: (client: Client, port: number) => Promise<void>,
  ): Promise<void> {
    const health = () => Promise.reject(new Error('not called'))
    const other = createApp({ logger, health, webFolder: folder, trustedProxies: 0, ...options })
    other.mountRoutes({
      session: () => async (_, next) => next(),
      requestMs: 60_000,
      runWrite: runUntracked,
      routers: [],
    })
    const listening = await startHttpServer(other.koa.callback(), 0, '127.0.0.1')
    try {
      await check(createClient(`http://127.0.0.1:${listening.port}`), listening.port)
    } finally {
      await listening.close(0)
    }
  }

  it('responds before it is ready, and says that it is starting', async () => {
    expect(await client.get('/api/health')).toMatchObject({ status: 503, body: { status: 'starting' } })
    const early = await client.get('/api/items/x')
    expect(early).toMatchObject({ status: 503, problem: { code: 'starting' } })
    expect(early.headers.get('retry-after')).toBe('2')
    expect((await client.get('/')).status).toBe(200)
  })

  it('serves its routes once they are mounted', async () => {
    const router = new Router()
    serve(router, echo, async ({ body }) => ({ name: body.name }))
    serve(router, large, async ({ body }) => ({ name: String(body.name.length) }))
    serve(router, item, async ({ query }) => ({ limit: query.limit }))
    serve(router, nothing, async () => null)
    serve(router, broken, async () => {
      throw new Error('the name of a patient')
    })
    serve(router, member, async () => null)
    serve(router, leaky, async () => ({ shown: 'yes', hidden: 'password' }) as { shown: string })
    router.get('/api/endless', (ctx) => {
      ctx.body = endless
      endless.write('begun')
    })
    router.get('/api/signed-in', (ctx) => {
      ctx.state.caller = { userId: 'u1', practiceId: 'p1', role: 'nurse' }
      throw new ProblemError(403, 'forbidden', 'Not for this role')
    })
    const onRefusal = (refusal: Refusal) => void refusals.push(refusal)
    app.mountRoutes({
      session: () => async (_, next) => next(),
      requestMs: 60_000,
      runWrite: runUntracked,
      routers: [router],
      onRefusal,
    })
    state = 'ok'
    expect(await client.get('/api/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
  })

  it('replies with the fields of the contract and no others', async () => {
    expect(await client.post('/api/echo', { name: 'Ada' })).toMatchObject({ status: 201, body: { name: 'Ada' } })
    expect((await client.get('/api/leaky')).body).toEqual({ shown: 'yes' })
    const gone = await client.delete('/api/items')
    expect(gone).toMatchObject({ status: 204, body: '' })
    expect((await client.get('/api/items/2f0c0f5e-8a52-4b6e-9d29-0c6f3c1f5a11?limit=7')).body).toEqual({ limit: 7 })
  })

  it.each([
    ['an empty text', { name: '' }, 'name', 'Please enter a name'],
    ['a wrong type', { name: 5 }, 'name', 'Not a valid value'],
    ['a missing field', {}, 'name', 'This field is required'],
    ['a field below another', { name: 'a', deep: { n: 'x' } }, 'deep.n', 'Not a valid value'],
    ['a list of too many', { name: 'a', few: [1, 2] }, 'few', 'Not a valid value'],
    ['an unknown field', { name: 'a', admin: true }, 'admin', 'This field is not known'],
    ['an unknown field below another', { name: 'a', deep: { n: 1, m: 2 } }, 'deep.m', 'This field is not known'],
  ])('names the invalid field: %s', async (_, body, path, message) => {
    const answer = await client.post('/api/echo', body)
    expect(answer.status).toBe(422)
    expect(answer.headers.get('content-type')).toContain('application/problem+json')
    expect(Problem.parse(answer.body)).toMatchObject({
      status: 422,
      code: 'invalid-request',
      errors: [{ path, message }],
    })
  })

  it.each(['null', '[]', '5', '"x"'])('refuses a body that is not an object: %s', async (text) => {
    const answer = await client.sendRaw('POST', '/api/echo', text, { 'content-type': 'application/json' })
    expect(answer.status).toBe(422)
  })

  it.each(['{', '{"name": }', '\u0000', '{"name":"a"}}', "{'name':'a'}"])('refuses invalid JSON: %j', async (text) => {
    const answer = await client.sendRaw('POST', '/api/echo', text, { 'content-type': 'application/json' })
    expect(answer).toMatchObject({ status: 400, problem: { code: 'invalid-json' } })
  })

  it('survives JSON that is 400,000 levels deep', async () => {
    const deep = `{"name":"a","deep":${'['.repeat(400_000)}${']'.repeat(400_000)}}`
    const answer = await client.sendRaw('POST', '/api/echo', deep, { 'content-type': 'application/json' })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
  })

  it('accepts one megabyte, and more where the endpoint allows it', async () => {
    const name = 'x'.repeat(1024 * 1024)
    expect(await client.post('/api/echo', { name })).toMatchObject({ status: 413, problem: { code: 'too-large' } })
    expect(await client.post('/api/large', { name })).toMatchObject({ status: 201, body: { name: '1048576' } })
    const chunked = new ReadableStream({
      start(controller) {
        for (let n = 0; n < 40; n++) controller.enqueue(new TextEncoder().encode('x'.repeat(100_000)))
        controller.close()
      },
    })
    const answer = await fetch(`${client.url}/api/large`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: chunked,
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(413)
  })

  it('accepts writes as JSON only', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      expect(await client.sendRaw('POST', '/api/echo', 'name=Ada', { 'content-type': type })).toMatchObject({
        status: 415,
        problem: { code: 'json-only' },
      })
  })

  it.each([
    [{ origin: 'https://evil.example' }],
    [{ origin: 'null' }],
    [{ origin: '', 'sec-fetch-site': 'cross-site' }],
    [{ origin: '', 'sec-fetch-site': 'same-site' }],
  ])('takes writes from its own pages only: %j', async (headers) => {
    const answer = await client.request('POST', '/api/echo', { name: 'a' }, headers)
    expect(answer).toMatchObject({ status: 403, problem: { code: 'foreign-origin' } })
  })

  it('replies 404 to an unknown path', async () => {
    for (const path of ['/api', '/api/', '/api/nothing', '/api/items/not-an-id', '/api/../api/x', '/api/%00'])
      expect(await client.get(path)).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    expect(await client.request('PATCH', '/api/echo', {})).toMatchObject({ status: 404 })
  })

  it('requires a session', async () => {
    expect(await client.get('/api/member')).toMatchObject({ status: 401, problem: { code: 'signed-out' } })
  })

  it('reports an unexpected error without its message', async () => {
    const answer = await client.get('/api/broken')
    expect(answer).toMatchObject({ status: 500, problem: { code: 'internal' } })
    expect(JSON.stringify(answer.body)).not.toContain('patient')
  })

  it('sends a script packed as it was built, where that is accepted', async () => {
    const script = `export const text = '${'words '.repeat(400)}'`
    const file = join(folder, 'assets', 'packed-abc123.js')
    await writeFile(file, script)
    await writeFile(`${file}.br`, brotliCompressSync(script))
    await writeFile(`${file}.gz`, gzipSync(script))
    const other = createApp({ logger, health: async () => healthy, webFolder: folder, trustedProxies: 0 })
    const server = await new Promise<Server>((resolve) => {
      const listening = other.koa.listen(0, '127.0.0.1', () => resolve(listening))
    })
    try {
      const { port } = server.address() as AddressInfo
      const ask = async (accepted: string, path = '/assets/packed-abc123.js') => {
        const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'accept-encoding': accepted } })
        // fetch unpacks what the header names.
        return [reply.status, reply.headers.get('content-encoding'), await reply.text(), reply.headers.get('vary')]
      }
      expect(await ask('gzip, br')).toEqual([200, 'br', script, 'Accept-Encoding'])
      expect(await ask('gzip')).toEqual([200, 'gzip', script, 'Accept-Encoding'])
      expect(await ask('identity')).toEqual([200, null, script, 'Accept-Encoding'])
      expect((await ask('identity', '/assets/packed-abc123.js.br'))[0]).toBe(404)
    } finally {
      server.close()
    }
  })

  it('serves the web app at the paths of its screens, and caches assets for a year', async () => {
    for (const path of ['/', '/patients', '/patients/1234', '/patients?x=1']) {
      const page = await client.get(path)
      expect([page.status, page.body]).toEqual([200, expect.stringContaining('<div id="root">')])
      expect(page.headers.get('cache-control')).toBe('no-cache')
    }
    const asset = await client.get('/assets/main-abc123.js')
    expect(asset.headers.get('cache-control')).toContain('immutable')
    for (const path of ['/assets/gone.js', '/anything?x=1', '/%E0%A4%A', '/..%2f..%2fetc/passwd'])
      expect([path, (await client.get(path)).status]).toEqual([path, 404])
    expect((await client.post('/patients', {})).status).toBe(405)
  })

  it('sends strict security headers', async () => {
    const { headers } = await client.get('/')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-powered-by')).toBeNull()
    expect((await client.get('/api/health')).headers.get('cache-control')).toBe('no-store')
  })

  it('allows the script in the page itself by its hash, on the pages of the application only', async () => {
    const built = await mkdtemp(join(tmpdir(), 'everchart-web-'))
    const script = "document.documentElement.dataset.theme = 'dark'"
    await writeFile(join(built, 'index.html'), `<script>${script}</script><script type="module" src="/a.js"></script>`)
    try {
      await withApp({ webFolder: built }, async ({ get }) => {
        const readPolicy = async (path: string) => (await get(path)).headers.get('content-security-policy') ?? ''
        const hash = createHash('sha256').update(script).digest('base64')
        expect(await readPolicy('/patients')).toContain(`;script-src 'self' 'sha256-${hash}';`)
        expect(await readPolicy('/api/health')).toContain(";script-src 'self';")
      })
    } finally {
      await rm(built, { recursive: true })
    }
  })

  it('finds no page while the web app is not built', async () => {
    const unbuilt = createApp({
      logger,
      health: () => Promise.reject(new Error('not called')),
      webFolder: join(folder, 'missing'),
      trustedProxies: 0,
    })
    const other = await new Promise<Server>((resolve) => {
      const listening = unbuilt.koa.listen(0, '127.0.0.1', () => resolve(listening))
    })
    try {
      const { port } = other.address() as AddressInfo
      expect((await createClient(`http://127.0.0.1:${port}`).get('/patients')).status).toBe(404)
    } finally {
      other.close()
    }
  })

  it('allows Stripe\u2019s card fields on the payment page, and only with Stripe', async () => {
    const getPolicy = async (from: Client, path: string) =>
      (await from.get(path)).headers.get('content-security-policy') ?? ''
    const payment = '/subscription?plan=starter&step=payment'
    expect(await getPolicy(client, payment)).not.toContain('stripe')
    await withApp({ usesStripeCardFields: true }, async (stripeClient) => {
      for (const path of ['/', '/subscription', '/subscription?step=plan', '/manage-subscription?step=payment'])
        expect(await getPolicy(stripeClient, path)).not.toContain('stripe')
      const policy = await getPolicy(stripeClient, payment)
      expect(policy).toContain("script-src 'self' https://js.stripe.com https://*.js.stripe.com;")
      expect(policy).toContain('frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;')
      expect(policy).toContain("connect-src 'self' https://api.stripe.com;")
      expect(policy).toContain("default-src 'none'")
    })
  })

  it('adds a correlation id to every reply: a new one, or that of a trusted proxy', async () => {
    const given = '0b5c3a58-3c1c-4f0e-8f59-2b8f6f9b7d10'
    const getId = async (from: Client, sent: string) =>
      (await from.request('GET', '/api/nothing', undefined, { 'x-correlation-id': sent })).headers.get(
        'x-correlation-id',
      )
    const generated = await getId(client, given)
    expect(generated).toMatch(/^[0-9a-f-]{36}$/)
    expect(generated).not.toBe(given)
    await withApp({ trustedProxies: 1 }, async (proxied) => {
      expect(await getId(proxied, given)).toBe(given)
      expect(await getId(proxied, 'evil\tlog')).toMatch(/^[0-9a-f-]{36}$/)
    })
  })

  it('logs one line per request: its route, never its query, body or cookie', async () => {
    lines.length = 0
    await client.request('POST', '/api/echo?search=Gomez', { name: 'Gomez' }, { cookie: 'sid=secret' })
    const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    expect(requests).toHaveLength(1)
    expect(requests[0]).toMatchObject({ method: 'POST', route: '/api/echo', status: 201 })
    expect(requests[0].correlationId).toMatch(/^[0-9a-f-]{36}$/)
    expect(lines.join()).not.toMatch(/Gomez|secret/)
  })

  it('logs the route, the code and the caller of a refused request, and reports it', async () => {
    lines.length = 0
    refusals.length = 0
    await client.get('/api/member')
    await client.get('/api/items/not-an-id')
    await client.request('GET', '/api/signed-in', undefined, { cookie: 'sid=secret' })
    await client.get('/api/nothing-here')
    const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    expect(requests).toMatchObject([
      { route: '/api/member', status: 401, code: 'signed-out' },
      { route: '/api/items/:itemId', status: 404, code: 'not-found' },
      { route: '/api/signed-in', status: 403, code: 'forbidden', userId: 'u1', practiceId: 'p1' },
      { route: '/api/?', status: 404 },
    ])
    expect(refusals).toMatchObject([
      { route: '/api/member', status: 401, code: 'signed-out', caller: null, address: '127.0.0.1' },
      { route: '/api/items/:itemId', status: 404, code: 'not-found' },
      { route: '/api/signed-in', status: 403, code: 'forbidden', caller: { userId: 'u1', practiceId: 'p1' } },
    ])
  })

  it('logs no failure when a client closes a stream', async () => {
    lines.length = 0
    const closed = new Promise((resolve) => endless.once('close', resolve))
    const leave = new AbortController()
    const response = await fetch(`${client.url}/api/endless`, { signal: leave.signal })
    leave.abort()
    await response.text().catch(() => undefined)
    await closed
    await client.get('/api/health')
    expect(lines.join()).not.toContain('answer failed')
  })

  /** Sends a request as it is and returns the whole response. */
  const sendRaw = (request: string, port = (server.address() as AddressInfo).port) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1')
      let response = ''
      socket.on('data', (data) => (response += String(data)))
      socket.on('end', () => resolve(response))
      socket.on('error', reject)
      socket.write(request)
    })

  it('rejects an unknown expectation with 417 and all security headers', async () => {
    await withApp({}, async (_, port) => {
      const response = await sendRaw(
        'GET /api/x HTTP/1.1\r\nHost: x\r\nExpect: miracle\r\nConnection: close\r\n\r\n',
        port,
      )
      expect(response).toMatch(/^HTTP\/1\.1 417 /)
      expect(response).toContain('"code":"expectation-failed"')
      expect(response).toMatch(/content-security-policy: default-src 'none'/i)
      expect(response).toMatch(/cache-control: no-store/i)
    })
  })

  describe('with a public address', () => {
    const publicUrl = 'https://practice.example'
    /** Sends a request with a Host header of its own, which `fetch` would replace. */
    const send = (port: number, method: string, headers: Record<string, string>, path = '/api/nothing') =>
      new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }>((resolve, reject) => {
        request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
          let text = ''
          response.on('data', (data) => (text += String(data)))
          response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
        })
          .on('error', reject)
          .end()
      })
    const status = async (port: number, method: string, headers: Record<string, string>) =>
      (await send(port, method, headers)).status

    it('is served at that host only, whatever the case and the default port', async () => {
      await withApp({ publicUrl }, async (_, port) => {
        for (const host of ['practice.example', 'Practice.Example:443'])
          expect(await status(port, 'GET', { host })).toBe(404)
        for (const host of ['evil.example', 'practice.example:8080', '127.0.0.1', ''])
          expect(await status(port, 'GET', { host })).toBe(421)
        const refused = await send(port, 'GET', { host: 'evil.example' }, '/')
        expect([refused.status, JSON.parse(refused.text)]).toMatchObject([421, { code: 'unknown-host' }])
        expect(refused.text).toContain('Please open https://practice.example.')
        // A target in absolute form names the host, too.
        const named = (host: string) => send(port, 'GET', { host: 'practice.example' }, `https://${host}/api/nothing`)
        expect([(await named('practice.example')).status, (await named('evil.example')).status]).toEqual([404, 421])
        // Without a trusted proxy, any client may set the header.
        const forwarded = { host: 'evil.example', 'x-forwarded-host': 'practice.example' }
        expect(await status(port, 'GET', forwarded)).toBe(421)
      })
    })

    it('accepts the host that the nearest proxy names', async () => {
      await withApp({ publicUrl, trustedProxies: 1 }, async (_, port) => {
        const host = '127.0.0.1:3000'
        expect(await status(port, 'GET', { host, 'x-forwarded-host': 'practice.example' })).toBe(404)
        expect(await status(port, 'GET', { host, 'x-forwarded-host': 'practice.example, evil.example' })).toBe(421)
        expect(await status(port, 'GET', { host: 'practice.example' })).toBe(404)
      })
    })

    it('reports its health to probes under every host', async () => {
      const health = async () => healthy
      await withApp({ publicUrl, health }, async (from) => {
        expect(await from.get('/api/health')).toMatchObject({ status: 200, body: { status: 'ok' } })
      })
    })

    it('takes writes from pages at that address only', async () => {
      await withApp({ publicUrl, trustedProxies: 1 }, async (_, port) => {
        const post = (origin: string, forwarded = {}) =>
          status(port, 'POST', { host: 'practice.example', origin, ...forwarded })
        expect(await post('https://practice.example')).toBe(404)
        expect(await post('http://practice.example')).toBe(403)
        expect(await post('http://practice.example', { 'x-forwarded-proto': 'http' })).toBe(403)
        expect(await post('https://evil.example')).toBe(403)
      })
    })

    it.each([
      [false, 'max-age=31536000'],
      [true, 'max-age=31536000; includeSubDomains'],
    ])('tells browsers to use TLS, for subdomains when configured: %s', async (hasSecureSubdomains, expected) => {
      await withApp({ publicUrl, hasSecureSubdomains }, async (_, port) => {
        const { headers } = await send(port, 'GET', { host: 'practice.example' }, '/')
        expect(headers['strict-transport-security']).toBe(expected)
      })
    })
  })

  it('tells versions and states to the owner and administrators only', async () => {
    const report = healthy
    const other = createApp({ logger, health: async () => report, webFolder: folder, trustedProxies: 0 })
    let caller: { role: string; isOwner: boolean } | undefined
    other.mountRoutes({
      session: () => async (ctx, next) => {
        ctx.state.caller = caller
        await next()
      },
      requestMs: 60_000,
      runWrite: runUntracked,
      routers: [],
    })
    const listening = await startHttpServer(other.koa.callback(), 0, '127.0.0.1')
    const probe = createClient(`http://127.0.0.1:${listening.port}`)
    const bodies: unknown[] = []
    for (caller of [
      undefined,
      { role: 'staff', isOwner: false },
      { role: 'doctor', isOwner: false },
      { role: 'administrator', isOwner: false },
      { role: 'staff', isOwner: true },
    ])
      bodies.push((await probe.get('/api/health')).body)
    await listening.close(0)
    const status = { status: 'ok' }
    expect(bodies).toEqual([status, status, status, report, report])
  })

  it.each([
    ['an address that cannot be parsed', 'GET http://[/ HTTP/1.1\r\nHost: localhost\r\n', 'invalid-target'],
    ['several hosts', 'GET /api/items HTTP/1.1\r\nHost: localhost\r\nHost: elsewhere\r\n', 'invalid-host'],
  ])('rejects %s with 400 and all security headers', async (_, head, code) => {
    const response = await sendRaw(`${head}Connection: close\r\n\r\n`)
    expect(response).toMatch(/^HTTP\/1\.1 400 /)
    expect(response).toContain(`"code":"${code}"`)
    expect(response).toMatch(/content-security-policy: default-src 'none'/i)
    expect(response).toMatch(/cache-control: no-store/i)
  })

  it('forbids storing a reply without content', async () => {
    const answer = await client.delete('/api/items')
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([204, 'no-store'])
  })

  it('stays up when a client disconnects midway', async () => {
    const port = Number(new URL(client.url).port)
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(
          'POST /api/echo HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 500\r\n' +
            'Expect: 100-continue\r\n\r\n{"na',
        )
      })
      // The server has accepted the head, and waits for the rest of the body.
      socket.once('data', () => socket.destroy())
      socket.on('close', () => resolve())
    })
    expect((await client.get('/api/health')).status).toBe(200)
  })
})
