import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { login, logout } from '#contracts/accounts.ts'
import { getPatient, listPatients } from '#contracts/patients.ts'
import { buildUrl, ApiProblem, call, callPaged, errorMessage } from '#web/api/call.ts'
import { setScreenLocked } from '#web/api/screen-lock.ts'
import { forgetIntents } from '#web/api/intent.ts'

type FakeReply = {
  status?: number
  statusText?: string
  headers?: Record<string, string>
  body?: string
  wait?: number
  until?: Promise<void>
}

const patient = {
  id: '0b7e7c0e-8f0c-4b59-9d3c-3a3a5a1f0001',
  practiceId: '0b7e7c0e-8f0c-4b59-9d3c-3a3a5a1f0002',
  firstName: 'Grace',
  lastName: 'Hopper',
  dateOfBirth: '1906-12-09',
  gender: 'female',
  email: null,
  phone: '+16175550123',
  phoneNational: '(617) 555-0123',
  address: null,
  emergencyContact: null,
  insuranceInfo: null,
  notes: null,
  deceasedOn: null,
  importId: null,
  lastVisit: null,
  sample: false,
  revision: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
}
const problem = (status: number, message: string, errors: { path: string; message: string }[] = []) =>
  JSON.stringify({ type: 'about:blank', title: message, status, code: 'some-code', message, errors })

describe('the API client', () => {
  let server: Server
  let reply: FakeReply
  /** Sent before `reply`, one for each request. */
  const earlierReplies: FakeReply[] = []
  /** The idempotency keys of all requests since the last test. */
  let keys: unknown[] = []
  let received: { method: string; url: string; type: string | undefined; body: string } | undefined

  async function readBody(request: IncomingMessage): Promise<string> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    return Buffer.concat(parts).toString()
  }

  beforeAll(async () => {
    server = createServer((request, response) => {
      void (async () => {
        const { method = '', url = '', headers } = request
        keys.push(headers['idempotency-key'])
        received = { method, url, type: headers['content-type'], body: await readBody(request) }
        const {
          wait = 0,
          until,
          status = 200,
          statusText = '',
          headers: sent = {},
          body,
        } = earlierReplies.shift() ?? reply
        await until
        await new Promise((resolve) => setTimeout(resolve, wait))
        response.writeHead(status, statusText, sent)
        response.end(body)
      })()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const real = fetch
    // In the browser an address without a host is this server's.
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => real(`http://127.0.0.1:${port}${path}`, init))
  })
  afterEach(() => {
    received = undefined
    keys = []
  })
  afterAll(async () => {
    vi.unstubAllGlobals()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const getProblem = async (work: Promise<unknown>): Promise<ApiProblem> => {
    const error: unknown = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof ApiProblem)) throw new Error(`no problem: ${String(error)}`)
    return error
  }

  it('builds the URL from ids and query parameters, and leaves out undefined ones', () => {
    expect(buildUrl(getPatient, { params: { patientId: 'a/b c' } })).toBe('/api/patients/a%2Fb%20c')
    expect(buildUrl(listPatients, { query: { search: 'José & Ana', limit: 6, cursor: undefined } })).toBe(
      '/api/patients?search=Jos%C3%A9+%26+Ana&limit=6',
    )
    expect(buildUrl(listPatients, { query: {} })).toBe('/api/patients')
  })

  it('sends JSON and returns the validated reply', async () => {
    reply = { body: JSON.stringify(patient) }
    expect(await call(getPatient, { params: { patientId: patient.id } })).toMatchObject({ lastName: 'Hopper' })
    expect(received).toMatchObject({ method: 'GET', type: undefined, body: '' })
    reply = { status: 401, body: problem(401, 'no') }
    await getProblem(call(login, { body: { email: 'a@b.example', password: 'long enough' } }))
    expect(received).toEqual({
      method: 'POST',
      url: '/api/login',
      type: 'application/json',
      body: '{"email":"a@b.example","password":"long enough"}',
    })
  })

  /** Holds the next requests open until their time limits, which it returns in ms, have ended them. */
  async function loseReplies(count: number): Promise<number[]> {
    const limits = Array.from({ length: count }, () => new AbortController())
    const startTimer = vi.spyOn(AbortSignal, 'timeout')
    const ended = Promise.withResolvers<void>()
    for (const { signal } of limits) {
      startTimer.mockReturnValueOnce(signal)
      earlierReplies.push({ status: 204, until: ended.promise })
    }
    for (const [index, limit] of limits.entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one request after the other
      await vi.waitUntil(() => keys.length > index)
      limit.abort()
    }
    ended.resolve()
    const times = startTimer.mock.calls.slice(0, count).map(([ms]) => ms)
    startTimer.mockRestore()
    return times
  }

  it('sends a read once more when no reply came, and gives up when that gets none either', async () => {
    reply = { body: JSON.stringify(patient) }
    const load = () => call(getPatient, { params: { patientId: patient.id } })
    expect(await Promise.all([loseReplies(1), load()])).toMatchObject([[15_000], { lastName: 'Hopper' }])
    keys = []
    const [times, failed] = await Promise.all([loseReplies(2), getProblem(load())])
    expect(times).toEqual([15_000, 15_000])
    expect(failed).toMatchObject({ status: 0, message: expect.stringMatching(/cannot be reached/) })
  })

  it('gives up a write that gets no reply, without sending it again', async () => {
    const [times, failed] = await Promise.all([loseReplies(1), getProblem(call(logout, { query: {} }))])
    expect([times, failed.code, keys.length]).toEqual([[120_000], 'no-reply', 1])
  })

  it('sends nothing while the window is locked, except signing in and out', async () => {
    vi.stubGlobal('document', { body: { toggleAttribute: () => undefined } })
    setScreenLocked(true)
    const failed = await getProblem(call(getPatient, { params: { patientId: patient.id } }))
    expect([failed.code, received]).toEqual(['locked', undefined])
    reply = { status: 204 }
    await call(logout, { query: {} })
    expect(received).toMatchObject({ url: '/api/logout' })
    setScreenLocked(false)
    reply = { body: JSON.stringify(patient) }
    expect(await call(getPatient, { params: { patientId: patient.id } })).toMatchObject({ lastName: 'Hopper' })
  })

  it('returns null for an empty reply', async () => {
    reply = { status: 204 }
    expect(await call(logout, { query: {} })).toBeNull()
  })

  it('reads total and next page from the headers', async () => {
    reply = {
      body: JSON.stringify([patient]),
      headers: { 'X-Total-Count': '1248', Link: '</api/patients?cursor=abc&limit=50>; rel="next"' },
    }
    expect(await callPaged(listPatients, { query: {} })).toMatchObject({
      items: [{ id: patient.id }],
      total: 1248,
      next: '/api/patients?cursor=abc&limit=50',
    })
    reply = { body: '[]', headers: { 'X-Total-Count': '0' } }
    expect(await callPaged(listPatients, { query: {} })).toEqual({ items: [], total: 0, next: null })
  })

  it('throws problems with "status: message" and field errors', async () => {
    const errors = [{ path: 'email', message: 'This email address is already registered' }]
    reply = { status: 409, body: problem(409, 'Already registered', errors) }
    const error = await getProblem(call(logout, { query: {} }))
    expect(error.message).toBe('409: Already registered')
    expect(error).toMatchObject({ status: 409, code: 'some-code', detail: 'Already registered', retryAfter: null })
    expect(error.problem.errors).toEqual(errors)
    expect(errorMessage(error)).toBe('409: Already registered')
  })

  it('reads Retry-After', async () => {
    reply = { status: 429, body: problem(429, 'Too many failed attempts.'), headers: { 'Retry-After': '120' } }
    expect((await getProblem(call(logout, { query: {} }))).retryAfter).toBe(120)
  })

  it.each([502, 503, 504])('replaces a %i page by a message for users', async (status) => {
    reply = { status, statusText: 'Bad', body: '<html><h1>nginx</h1></html>' }
    const error = await getProblem(call(logout, { query: {} }))
    expect(error.message).toBe(`${status}: Everchart is not available right now. Please try again in a moment.`)
  })

  it('uses the status text of an error without a body', async () => {
    reply = { status: 405, statusText: 'Method Not Allowed', body: '' }
    expect((await getProblem(call(logout, { query: {} }))).message).toBe('405: Method Not Allowed')
  })

  it.each(['<html>Sign in to the guest network</html>', '{"id":', '{"id":7}', 'null'])(
    'does not accept %s as a patient',
    async (body) => {
      reply = { body }
      const error = await getProblem(call(getPatient, { params: { patientId: patient.id } }))
      expect(error).toMatchObject({ status: 200, code: 'unreadable' })
    },
  )

  it('says what is wrong when a proxy refuses a large request', async () => {
    reply = { status: 413, statusText: '', body: '<html><h1>413</h1></html>' }
    const error = await getProblem(call(logout, { query: {} }))
    expect(error).toMatchObject({ message: '413: This is more than can be sent at once.', code: 'too-large' })
  })

  it('reports a missing response', async () => {
    const stubbed = fetch
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const error = await getProblem(call(logout, { query: {} }))
    vi.stubGlobal('fetch', stubbed)
    expect(error).toMatchObject({ status: 0, code: 'offline' })
    expect(error.message).toBe('Everchart cannot be reached. Check the connection and try again.')
    expect(error.detail).toBe(error.message)
  })

  it('rejects with AbortError when aborted', async () => {
    reply = { body: '[]', wait: 2_000 }
    const controller = new AbortController()
    const pendingCall = call(listPatients, { query: {} }, controller.signal)
    setTimeout(() => controller.abort(), 30)
    const error: unknown = await pendingCall.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'AbortError' })
    expect(error).not.toBeInstanceOf(ApiProblem)
  })

  describe('with writes that may be repeated', () => {
    const signOut = () => call(logout, { query: {} })
    const failWith = async (status: number, code: string) => {
      reply = { status, body: problem(status, 'no').replace('some-code', code) }
      expect((await getProblem(signOut())).code).toBe(code)
    }
    const succeed = async () => {
      reply = { status: 204 }
      await signOut()
    }

    it('sends a key with writes alone, a new one for each', async () => {
      reply = { body: JSON.stringify(patient) }
      await call(getPatient, { params: { patientId: patient.id } })
      await succeed()
      await succeed()
      expect(keys).toEqual([undefined, expect.stringMatching(/^"[0-9a-f]{32}"$/), expect.any(String)])
      expect(keys[1]).not.toBe(keys[2])
    })

    it('keeps the key until the outcome is known', async () => {
      await failWith(503, 'outcome-unknown')
      await failWith(500, 'internal')
      const stubbed = fetch
      vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
      expect(await getProblem(signOut())).toMatchObject({ status: 0 })
      vi.stubGlobal('fetch', stubbed)
      await succeed()
      expect(new Set(keys).size).toBe(1)
      await succeed()
      expect(new Set(keys).size).toBe(2)
    })

    it.each([
      [401, 'signed-out'],
      [403, 'forbidden'],
      [408, 'body-too-slow'],
      [429, 'quota-exceeded'],
    ])('keeps the key after %i %s, which says nothing about an earlier attempt', async (status, code) => {
      await failWith(503, 'outcome-unknown')
      await failWith(status, code)
      await succeed()
      expect(keys).toHaveLength(3)
      expect(new Set(keys).size).toBe(1)
    })

    it('uses a new key after a sign-in with a wrong password', async () => {
      await failWith(401, 'invalid-credentials')
      await succeed()
      expect(new Set(keys).size).toBe(2)
    })

    it('uses a new key ten minutes after the last attempt', async () => {
      const now = vi.spyOn(Date, 'now')
      const start = Date.parse('2026-11-20T08:00:00.000Z')
      const minute = 60_000
      for (const minutes of [0, 9, 18]) {
        now.mockReturnValue(start + minutes * minute)
        await failWith(503, 'outcome-unknown')
      }
      expect(new Set(keys).size).toBe(1)
      now.mockReturnValue(start + 29 * minute)
      await succeed()
      now.mockRestore()
      expect(new Set(keys).size).toBe(2)
    })

    it('forgets the keys of the user who signs out, also of a write that is still in flight', async () => {
      await failWith(503, 'outcome-unknown')
      forgetIntents()
      earlierReplies.push({ status: 204, wait: 50 })
      const former = signOut()
      await expect.poll(() => keys.length).toBe(2)
      forgetIntents()
      await failWith(503, 'outcome-unknown')
      await former
      await succeed()
      expect(keys).toHaveLength(4)
      expect(new Set(keys).size).toBe(3)
      expect(keys[3]).toBe(keys[2])
    })

    it('uses a new key after a refusal, and for other content', async () => {
      await failWith(409, 'conflict')
      await failWith(503, 'outcome-unknown')
      reply = { status: 503, body: problem(503, 'no') }
      await getProblem(call(login, { body: { email: 'a@b.example', password: 'long enough' } }))
      await getProblem(call(login, { body: { email: 'a@c.example', password: 'long enough' } }))
      expect(new Set(keys).size).toBe(4)
    })

    it('sends one request for a double click', async () => {
      reply = { status: 204, wait: 20 }
      expect(await Promise.all([signOut(), signOut()])).toEqual([null, null])
      expect(keys).toHaveLength(1)
    })

    it('waits for an earlier attempt that is still running', async () => {
      const headers = { 'Retry-After': '0.01' }
      reply = { status: 409, headers, body: problem(409, 'wait').replace('some-code', 'still-running') }
      earlierReplies.push(reply, reply)
      reply = { status: 204 }
      expect(await signOut()).toBeNull()
      expect(keys).toHaveLength(3)
      expect(new Set(keys).size).toBe(1)
    })
  })

  it('has a message for unexpected errors', () => {
    expect(errorMessage(new RangeError('x'))).toBe(
      'Something went wrong in this window. Reload the page and try again.',
    )
  })
})
