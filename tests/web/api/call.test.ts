import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { login, logout } from '#contracts/accounts.ts'
import { getPatient, listPatients } from '#contracts/patients.ts'
import { buildUrl, ApiProblem, call, callPaged, errorMessage } from '#web/api/call.ts'

type Answer = { status?: number; statusText?: string; headers?: Record<string, string>; body?: string; wait?: number }

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

describe('a call of the web app', () => {
  let server: Server
  let answer: Answer
  let asked: { method: string; url: string; type: string | undefined; body: string } | undefined

  async function bodyOf(request: IncomingMessage): Promise<string> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    return Buffer.concat(parts).toString()
  }

  beforeAll(async () => {
    server = createServer((request, response) => {
      void (async () => {
        const { method = '', url = '', headers } = request
        asked = { method, url, type: headers['content-type'], body: await bodyOf(request) }
        await new Promise((resolve) => setTimeout(resolve, answer.wait ?? 0))
        response.writeHead(answer.status ?? 200, answer.statusText ?? '', answer.headers ?? {})
        response.end(answer.body)
      })()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const real = fetch
    // In the browser an address without a host is this server's.
    vi.stubGlobal('fetch', (path: string, init: RequestInit) => real(`http://127.0.0.1:${port}${path}`, init))
  })
  afterEach(() => {
    asked = undefined
  })
  afterAll(async () => {
    vi.unstubAllGlobals()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  const refused = async (work: Promise<unknown>): Promise<ApiProblem> => {
    const error: unknown = await work.then(
      () => null,
      (thrown: unknown) => thrown,
    )
    if (!(error instanceof ApiProblem)) throw new Error(`not refused: ${String(error)}`)
    return error
  }

  it('writes ids and questions into the address, and leaves out what was not asked', () => {
    expect(buildUrl(getPatient, { params: { patientId: 'a/b c' } })).toBe('/api/patients/a%2Fb%20c')
    expect(buildUrl(listPatients, { query: { search: 'José & Ana', limit: 6, cursor: undefined } })).toBe(
      '/api/patients?search=Jos%C3%A9+%26+Ana&limit=6',
    )
    expect(buildUrl(listPatients, { query: {} })).toBe('/api/patients')
  })

  it('sends JSON and answers what the contract promises', async () => {
    answer = { body: JSON.stringify(patient) }
    expect(await call(getPatient, { params: { patientId: patient.id } })).toMatchObject({ lastName: 'Hopper' })
    expect(asked).toMatchObject({ method: 'GET', type: undefined, body: '' })
    answer = { status: 401, body: problem(401, 'no') }
    await refused(call(login, { body: { email: 'a@b.example', password: 'long enough' } }))
    expect(asked).toEqual({
      method: 'POST',
      url: '/api/login',
      type: 'application/json',
      body: '{"email":"a@b.example","password":"long enough"}',
    })
  })

  it('takes no content as null', async () => {
    answer = { status: 204 }
    expect(await call(logout, {})).toBeNull()
  })

  it('reads the total and the way to the next page beside the rows', async () => {
    answer = {
      body: JSON.stringify([patient]),
      headers: { 'X-Total-Count': '1248', Link: '</api/patients?cursor=abc&limit=50>; rel="next"' },
    }
    expect(await callPaged(listPatients, { query: {} })).toMatchObject({
      items: [{ id: patient.id }],
      total: 1248,
      next: '/api/patients?cursor=abc&limit=50',
    })
    answer = { body: '[]', headers: { 'X-Total-Count': '0' } }
    expect(await callPaged(listPatients, { query: {} })).toEqual({ items: [], total: 0, next: null })
  })

  it('says what was refused as "status: words", with the fields at fault', async () => {
    const errors = [{ path: 'email', message: 'This email address is already registered' }]
    answer = { status: 409, body: problem(409, 'Already registered', errors) }
    const error = await refused(call(logout, {}))
    expect(error.message).toBe('409: Already registered')
    expect(error).toMatchObject({ status: 409, code: 'some-code', detail: 'Already registered', retryAfter: null })
    expect(error.problem.errors).toEqual(errors)
    expect(errorMessage(error)).toBe('409: Already registered')
  })

  it('knows how long to wait', async () => {
    answer = { status: 429, body: problem(429, 'Too many failed attempts.'), headers: { 'Retry-After': '120' } }
    expect((await refused(call(logout, {}))).retryAfter).toBe(120)
  })

  it.each([502, 503, 504])('says in plain words that a %i page is no answer', async (status) => {
    answer = { status, statusText: 'Bad', body: '<html><h1>nginx</h1></html>' }
    const error = await refused(call(logout, {}))
    expect(error.message).toBe(`${status}: Everchart is not available right now. Please try again in a moment.`)
  })

  it('takes the status text where a refusal says nothing else', async () => {
    answer = { status: 413, statusText: 'Payload Too Large', body: '' }
    expect((await refused(call(logout, {}))).message).toBe('413: Payload Too Large')
  })

  it.each(['<html>Sign in to the guest network</html>', '{"id":', '{"id":7}', 'null'])(
    'does not take %s for a patient',
    async (body) => {
      answer = { body }
      const error = await refused(call(getPatient, { params: { patientId: patient.id } }))
      expect(error).toMatchObject({ status: 200, code: 'unreadable' })
    },
  )

  it('says so when nobody answers', async () => {
    const stubbed = fetch
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    const error = await refused(call(logout, {}))
    vi.stubGlobal('fetch', stubbed)
    expect(error).toMatchObject({ status: 0, code: 'offline' })
    expect(error.message).toBe('Everchart cannot be reached. Check the connection and try again.')
    expect(error.detail).toBe(error.message)
  })

  it('gives up when it is called off, and that is no problem to show', async () => {
    answer = { body: '[]', wait: 2_000 }
    const off = new AbortController()
    const asking = call(listPatients, { query: {} }, off.signal)
    setTimeout(() => off.abort(), 30)
    const error: unknown = await asking.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ name: 'AbortError' })
    expect(error).not.toBeInstanceOf(ApiProblem)
  })

  it('has words for what is no answer at all', () => {
    expect(errorMessage(new RangeError('x'))).toBe(
      'Something went wrong in this window. Reload the page and try again.',
    )
  })
})
