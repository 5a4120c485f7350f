import { randomUUID } from 'node:crypto'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Endpoint } from '#contracts/endpoint.ts'
import { hasPermission, Role } from '#contracts/values/roles.ts'
import { settled } from '#tests/modules/patients/import/import-fixtures.ts'
import { cardDetails, waitForSubscriptionStatus, subscribe } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner, newUser, practiceDetails, registrationForm } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

const csv = 'First Name,Last Name,DOB\nImported,Person,1980-01-01\n'

/** Ids of the first practice's records. */
type Known = {
  practiceId: string
  patientId: string
  importId: string
  providerId: string
  appointmentId: string
  seriesId: string
  waitlistEntryId: string
  calendarFeedId: string
  clientSecret: string
  invoiceId: string
}

/**
 * A valid request for every endpoint. A test below fails when one is missing. Each endpoint is then called without a
 * session, from another practice and with every role.
 */
const requests: Record<
  string,
  { params?: (known: Known) => string; query?: string; body?: (unique: string, known: Known) => unknown }
> = {
  'GET /api/health': {},
  'POST /api/register': { body: () => registrationForm() },
  'POST /api/login': { body: () => ({ email: 'unknown@example.test', password: 'wrong password' }) },
  'POST /api/logout': {},
  'GET /api/user': {},
  'POST /api/practices/setup': { body: () => practiceDetails },
  'GET /api/practices/:practiceId': { params: ({ practiceId }) => practiceId },
  'GET /api/practices/:practiceId/time-zone-preview': {
    params: ({ practiceId }) => practiceId,
    query: '?timezone=Europe/Berlin',
  },
  'PATCH /api/practices/:practiceId': { params: ({ practiceId }) => practiceId, body: (unique) => ({ name: unique }) },
  'GET /api/patients': {},
  'POST /api/patients': { body: (unique) => ({ firstName: 'New', lastName: unique }) },
  'GET /api/patients/:patientId': { params: ({ patientId }) => patientId },
  'GET /api/patients/:patientId/appointments': { params: ({ patientId }) => patientId, query: '?period=past' },
  'PATCH /api/patients/:patientId': { params: ({ patientId }) => patientId, body: (unique) => ({ notes: unique }) },
  'DELETE /api/patients/:patientId': { params: ({ patientId }) => patientId },
  'POST /api/patients/import/preview': { body: () => ({ csv }) },
  'POST /api/patients/import': { body: () => ({ csv }) },
  'GET /api/patients/import': {},
  'GET /api/patients/import/:importId': { params: ({ importId }) => importId },
  'POST /api/patients/import/:importId/undo': { params: ({ importId }) => importId },
  'GET /api/providers': {},
  'POST /api/providers': { body: (unique) => ({ name: unique }) },
  'PATCH /api/providers/:providerId': { params: ({ providerId }) => providerId, body: (unique) => ({ title: unique }) },
  'GET /api/appointments': { query: '?startDate=2031-03-01T00:00:00Z&endDate=2031-04-01T00:00:00Z' },
  'GET /api/appointments/today': {},
  'GET /api/appointments/free-slots': {},
  'GET /api/appointments/search': { query: '?search=tomorrow' },
  'GET /api/appointments/:appointmentId': { params: ({ appointmentId }) => appointmentId },
  'POST /api/appointments': {
    body: (_, { patientId }) => ({ patientId, appointmentDate: '2031-03-05T09:00', type: 'check-up' }),
  },
  'PATCH /api/appointments/:appointmentId': {
    params: ({ appointmentId }) => appointmentId,
    body: (unique) => ({ notes: unique }),
  },
  'DELETE /api/appointments/:appointmentId': { params: ({ appointmentId }) => appointmentId },
  'POST /api/appointments/series/preview': { body: (_, { patientId }) => row(patientId) },
  'POST /api/appointments/series': { body: (_, { patientId }) => ({ ...row(patientId), type: 'check-up' }) },
  'GET /api/appointments/series/:seriesId': { params: ({ seriesId }) => seriesId },
  'PATCH /api/appointments/series/:seriesId': {
    params: ({ seriesId }) => seriesId,
    body: (unique, { appointmentId }) => ({ appointmentId, scope: 'all', notes: unique }),
  },
  'POST /api/appointments/series/:seriesId/cancel': {
    params: ({ seriesId }) => seriesId,
    body: (_, { appointmentId }) => ({ appointmentId, scope: 'following' }),
  },
  'GET /api/calendars/:secret/appointments.ics': { params: () => 'unknown-secret' },
  'GET /api/calendar-feeds': {},
  'POST /api/calendar-feeds': { body: (unique, { providerId }) => ({ providerId, label: unique }) },
  'DELETE /api/calendar-feeds/:calendarFeedId': { params: ({ calendarFeedId }) => calendarFeedId },
  'GET /api/waitlist': {},
  'POST /api/waitlist': { body: (_, { patientId }) => ({ patientId, type: 'check-up' }) },
  'DELETE /api/waitlist/:waitlistEntryId': { params: ({ waitlistEntryId }) => waitlistEntryId },
  'GET /api/waitlist/candidates': { query: '?start=2031-03-05T09:00&providerId=' },
  'GET /api/fees': {},
  'PATCH /api/fees': { body: () => ({ fees: { procedure: 500_00 } }) },
  'GET /api/changes': {},
  'GET /api/sample-data': {},
  'DELETE /api/sample-data': {},
  'GET /api/dashboard/stats': {},
  'GET /api/dashboard/trends': {},
  'GET /api/dashboard/appointments': { query: '?from=2031-03-01&to=2031-06-30' },
  'GET /api/ai/insights': {},
  'GET /api/subscription/plans': {},
  'GET /api/subscription/status': {},
  'POST /api/create-subscription': { body: () => ({ planType: 'professional' }) },
  'POST /api/subscription/refresh': {},
  'POST /api/subscription/cancel': {},
  'POST /api/subscription/reactivate': {},
  'POST /api/subscription/change-plan': { body: () => ({ priceId: 'price_sandbox_enterprise' }) },
  'POST /api/billing/portal': {},
  'GET /api/billing/invoice/latest': {},
  'POST /api/billing-sandbox/advance': { body: () => ({ days: 31 }) },
  'POST /api/billing-sandbox/confirm': { body: (_, { clientSecret }) => ({ clientSecret, ...cardDetails }) },
  'GET /api/billing-sandbox/portal': {},
  'GET /api/billing-sandbox/invoices/:invoiceId': { params: ({ invoiceId }) => invoiceId },
  'POST /api/patients/import/:importId/resume': { params: ({ importId }) => importId },
  'GET /api/openapi.json': {},
  'GET /api/docs': {},
  'GET /api/docs/:file.css': { params: () => 'swagger-ui' },
  'GET /api/docs/:file.js': { params: () => 'start' },
}

function row(patientId: string) {
  return { patientId, appointmentDate: '2031-05-05T09:00', recurrence: { every: 1, unit: 'week', count: 2 } }
}

const contracts = await Promise.all(globSync('contracts/*.ts').map((file) => import(resolve(file))))
const endpoints = contracts
  .flatMap((contract) => Object.values(contract as Record<string, unknown>))
  .filter(
    (value): value is Endpoint => typeof value === 'object' && value !== null && 'access' in value && 'reply' in value,
  )
const named = endpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const)
const nonPublic = named.filter(([, { access }]) => access !== 'public')
const practiceEndpoints = nonPublic.filter(([, { access }]) => access !== 'signed-in')
const withId = practiceEndpoints.filter(([, { params }]) => params)

describe('every endpoint', () => {
  let app: TestApp
  let known: Known
  let owner: Client
  let otherOwner: Client

  beforeAll(async () => {
    app = await startTestApp()
    const first = await newOwner(app)
    owner = first.client
    otherOwner = (await newOwner(app)).client
    const patient = await owner.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper', notes: 'kept' })
    const started = await owner.post('/api/patients/import', { csv })
    const patientId = patient.body.id as string
    const providerId = (await owner.get('/api/providers')).body[0].id as string
    const series = await owner.post('/api/appointments/series', { ...row(patientId), type: 'check-up', notes: 'kept' })
    const waiting = await owner.post('/api/waitlist', { patientId, type: 'check-up' })
    const feed = await owner.post('/api/calendar-feeds', { providerId, label: 'Phone' })
    known = {
      practiceId: first.practice.id,
      patientId,
      importId: started.body.importId,
      providerId,
      appointmentId: series.body.appointments[0].id,
      seriesId: series.body.seriesId,
      waitlistEntryId: waiting.body.id,
      calendarFeedId: feed.body.id,
      clientSecret: await subscribe(owner),
      invoiceId: '',
    }
    const completed = await owner.patch(`/api/appointments/${known.appointmentId}`, { status: 'completed' })
    expect(completed.body.fee).not.toBeNull()
    await owner.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForSubscriptionStatus(owner, 'active')
    known.invoiceId = (await owner.get('/api/billing/invoice/latest')).body.invoice_pdf.split('/').at(-1)
    await settled(owner, known.importId)
  })
  afterAll(() => app.dispose())

  function ask(client: Client, name: string, endpoint: Endpoint, ids: Known = known) {
    const { params, body, query = '' } = requests[name] ?? {}
    const ofSlot = query.endsWith('providerId=') ? ids.providerId : ''
    const path = endpoint.path.replace(/:\w+/, () => params?.(ids) ?? '') + query + ofSlot
    return endpoint.stream ? askStream(client, path) : client.request(endpoint.method, path, body?.(randomUUID(), ids))
  }

  /** Returns the first message of a stream, which never ends by itself. */
  async function askStream(client: Client, path: string) {
    const cut = new AbortController()
    const cookie = client.cookie()
    const response = await fetch(client.url + path, { headers: cookie ? { cookie } : {}, signal: cut.signal })
    const chunk = await response.body?.getReader().read()
    const text = Buffer.from(chunk?.value ?? []).toString()
    cut.abort()
    const problem = response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text
    return { status: response.status, headers: response.headers, body: problem, problem }
  }

  it('has a request in this test', () => {
    expect(Object.keys(requests).toSorted()).toEqual(named.map(([name]) => name).toSorted())
  })

  it.each(nonPublic)('%s requires a session', async (name, endpoint) => {
    expect(await ask(app.newClient(), name, endpoint)).toMatchObject({ status: 401, problem: { code: 'signed-out' } })
  })

  it.each(practiceEndpoints)('%s requires a practice', async (name, endpoint) => {
    const { client } = await newUser(app)
    expect(await ask(client, name, endpoint)).toMatchObject({ status: 409, problem: { code: 'practice-required' } })
  })

  it.each(withId)('%s is not found by another practice', async (name, endpoint) => {
    const before = await owner.get(`/api/patients/${known.patientId}`)
    expect(await ask(otherOwner, name, endpoint)).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    expect((await owner.get(`/api/patients/${known.patientId}`)).body).toEqual(before.body)
  })

  it.each(withId)('%s is not found under an unknown or malformed id', async (name, endpoint) => {
    for (const id of [randomUUID(), '0', 'x'.repeat(200), "' or 1=1", '..%2f..']) {
      const ids = Object.fromEntries(Object.keys(known).map((name) => [name, id])) as Known
      expect(await ask(owner, name, endpoint, ids)).toMatchObject({ status: 404, problem: { code: 'not-found' } })
    }
  })

  const paidFeatures = practiceEndpoints.filter(([, { access }]) => typeof access === 'object' && access.feature)
  it.each(paidFeatures)('%s is closed to demo users', async (name, endpoint) => {
    expect(await ask(otherOwner, name, endpoint)).toMatchObject({ status: 403, problem: { code: 'upgrade-required' } })
  })

  it.each(practiceEndpoints.filter(([name]) => name.startsWith('GET')))(
    '%s never shows data of another practice',
    async (name, endpoint) => {
      const answer = JSON.stringify((await ask(otherOwner, name, endpoint)).body)
      for (const id of Object.values(known)) expect(answer).not.toContain(id)
      expect(answer).not.toContain('Hopper')
    },
  )

  /** Endpoints whose target can be removed only once. */
  const removing = [
    'DELETE /api/patients/:patientId',
    'DELETE /api/calendar-feeds/:calendarFeedId',
    'DELETE /api/waitlist/:waitlistEntryId',
  ]
  const perRole = Role.options.flatMap((role) =>
    practiceEndpoints.flatMap(([name, endpoint]) =>
      typeof endpoint.access === 'object' && !removing.includes(name)
        ? [[role, name, endpoint, endpoint.access.permission] as const]
        : [],
    ),
  )
  it.each(perRole)('a %s gets %s only with its permission', async (role, name, endpoint, permission) => {
    const client = await joinPractice(app, known.practiceId, role)
    const { status, body } = await ask(client, name, endpoint)
    if (!hasPermission({ role, isOwner: false }, 'billing')) expect(JSON.stringify(body)).not.toContain('"cents"')
    if (hasPermission({ role, isOwner: false }, permission)) expect([200, 201, 202, 204, 409]).toContain(status)
    else expect(status).toBe(403)
  })

  const withBody = named.filter(([, { body }]) => body)
  it.each(withBody)('%s refuses malformed bodies and never fails with a 500', async (name, endpoint) => {
    const path = endpoint.path.replace(/:\w+/, () => requests[name]?.params?.(known) ?? '')
    const good = requests[name]?.body?.(randomUUID(), known) as Record<string, unknown>
    const bad: unknown[] = [
      [],
      {},
      { ...good, unknownField: 1 },
      { ...good, __proto__: null, constructor: { prototype: {} } },
      ...Object.keys(good).flatMap((field) =>
        [5, true, [], {}, '\u0000', 'a\ud800b', 'x'.repeat(100_000), [[[[[[]]]]]], -1e308].map((value) => ({
          ...good,
          [field]: value,
        })),
      ),
    ]
    for (const body of bad) {
      const answer = await owner.request(endpoint.method, path, body)
      // Some of these are valid for some fields; none may cause a server error.
      expect([name, JSON.stringify(body).slice(0, 200), answer.status < 500]).toEqual([
        name,
        JSON.stringify(body).slice(0, 200),
        true,
      ])
      if (answer.status >= 400) expect(answer.problem.message.length).toBeGreaterThan(5)
    }
    expect((await owner.request(endpoint.method, path, { ...good, unknownField: 1 })).problem.errors).toEqual([
      { path: 'unknownField', message: 'This field is not known' },
    ])
  })
})
