import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cardDetails } from '#tests/support/billing.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

/**
 * The calls of both pages of the specification (section 7), as a program sends them that was written from these pages
 * alone: plain `fetch`, the payloads of the tables and nothing else, and the reply fields that sections 3 and 7 name.
 */

const setup = {
  name: 'Lakeside Family Practice',
  address: '12 Shore Road, Lakeside',
  phone: '(617) 555-0142',
  email: 'desk@lakeside.example',
  website: 'https://lakeside.example',
  specialties: ['Family Medicine', 'Pediatrics'],
  npi: '1234567890',
  taxId: '12-3456789',
  newsletterOptIn: false,
}

const patient = {
  firstName: 'Grace',
  lastName: 'Hopper',
  dateOfBirth: '1980-12-09',
  email: 'grace@example.test',
  phone: '(617) 555-0123',
  address: '1 Navy Yard',
  emergencyContact: null,
  medicalHistory: 'Asthma',
  gender: 'female',
}

// oxlint-disable-next-line typescript/no-explicit-any
type Reply = { status: number; type: string | null; body: any }

/** A program of another maker: it keeps the cookie, sends JSON, and knows nothing else of Everchart. */
function createProgram(url: string) {
  let cookie = ''
  const call = async (method: string, path: string, payload?: object): Promise<Reply> => {
    const response = await fetch(url + path, {
      method,
      headers: { cookie, ...(payload ? { 'content-type': 'application/json' } : {}) },
      ...(payload ? { body: JSON.stringify(payload) } : {}),
    })
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      const name = pair.slice(0, pair.indexOf('=') + 1)
      cookie = [...cookie.split('; ').filter((known) => known && !known.startsWith(name)), pair].join('; ')
    }
    const text = await response.text()
    const type = response.headers.get('content-type')
    return { status: response.status, type, body: type?.includes('json') ? JSON.parse(text) : text }
  }
  return { call }
}

type Program = ReturnType<typeof createProgram>
let programs = 0

/** Signs up with the register fields of the specification, without confirmPassword. */
async function register(app: TestApp) {
  const name = `client${++programs}`
  const program = createProgram(app.url)
  const registration = {
    firstName: 'Sam',
    lastName: 'Rivers',
    email: `${name}@example.test`,
    username: name,
    password: 'a long enough password',
    role: 'staff',
    newsletterOptIn: true,
  }
  return { ...program, registration, registered: await program.call('POST', '/api/register', registration) }
}

async function registerWithPractice(app: TestApp) {
  const program = await register(app)
  const practice = await program.call('POST', '/api/practices/setup', setup)
  expect(practice.status).toBe(200)
  return { ...program, practice: practice.body }
}

/** Chooses a plan and pays. The payment itself is between the client and the payment provider, here the sandbox. */
async function subscribe({ call }: Program, planType: string) {
  const chosen = await call('POST', '/api/create-subscription', { planType })
  expect(chosen).toMatchObject({ status: 200, body: { clientSecret: expect.any(String) } })
  const { clientSecret } = chosen.body
  const paid = await call('POST', '/api/billing-sandbox/confirm', { clientSecret, ...cardDetails })
  expect(paid.status).toBe(200)
  await waitUntil(
    () => call('GET', '/api/user'),
    ({ body }) => body.isActiveSubscriber,
  )
}

/** The time of the application: an afternoon in New York. */
const now = new Date('2031-03-10T18:00:00.000Z')
const dayMs = 86_400_000

const text = expect.any(String)

describe('a client written from the specification', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
    app.advanceClock(now.getTime() - Date.now())
  })
  afterAll(() => app.dispose())

  it('subscribes to the newsletter', async () => {
    const { call } = createProgram(app.url)
    const answer = await call('POST', '/api/newsletter/subscribe', { email: 'reader@example.test' })
    expect(answer).toMatchObject({ status: 202, type: expect.stringContaining('json') })
  })

  it('registers, signs in, reads the current user and signs out', async () => {
    const stranger = createProgram(app.url)
    expect((await stranger.call('GET', '/api/user')).status).toBe(401)

    const { call, registration, registered } = await register(app)
    const { password: _, ...entered } = registration
    const user = {
      ...entered,
      id: text,
      practiceId: null,
      subscriptionStatus: 'demo',
      subscriptionTier: 'starter',
      isDemoUser: true,
      isDemo: true,
      isActiveSubscriber: false,
      isAuthenticated: true,
      createdAt: text,
      updatedAt: text,
    }
    expect(registered).toMatchObject({ status: 201, body: user })
    expect(JSON.stringify(registered.body)).not.toMatch(/password|stripe/i)
    expect(await call('GET', '/api/user')).toEqual({ ...registered, status: 200 })
    expect((await call('POST', '/api/logout')).status).toBe(204)
    expect((await call('GET', '/api/user')).status).toBe(401)
    const { email, password } = registration
    expect(await call('POST', '/api/login', { email, password })).toMatchObject({ status: 200, body: user })
    expect(await stranger.call('POST', '/api/login', { email, password: 'not the password' })).toMatchObject({
      status: 401,
      body: { message: 'Invalid email or password' },
    })
  })

  it('sets up a practice without knowing about time zones, and reads it', async () => {
    const { call } = await register(app)
    const created = await call('POST', '/api/practices/setup', setup)
    expect(created).toMatchObject({
      status: 200,
      body: { ...setup, id: text, timezone: 'America/New_York', settings: { timezone: 'America/New_York' } },
    })
    expect(created.body).toMatchObject({ createdAt: text, updatedAt: text })
    expect((await call('GET', '/api/user')).body).toMatchObject({ practiceId: created.body.id })
    expect(await call('GET', `/api/practices/${created.body.id}`)).toEqual(created)
    const completed = await call('POST', '/api/practices/setup', { ...setup, selectedPlan: 'professional' })
    expect(completed).toMatchObject({ status: 200, body: { id: created.body.id, selectedPlan: 'professional' } })
  })

  it('adds, finds, changes and deletes patients', async () => {
    const { call, practice } = await registerWithPractice(app)
    const added = await call('POST', '/api/patients', patient)
    const { phone: _, ...same } = patient
    expect(added).toMatchObject({
      status: 201,
      body: {
        ...same,
        id: text,
        practiceId: practice.id,
        phone: text,
        allergies: [],
        medications: [],
        updatedAt: text,
      },
    })
    expect(Object.keys(added.body)).toEqual(expect.arrayContaining(['insuranceInfo', 'notes', 'createdAt']))
    for (const query of ['', '?search=hopper', '?limit=5', '?limit=5&page=1&sortBy=name'])
      expect(await call('GET', `/api/patients${query}`)).toMatchObject({ status: 200, body: [{ id: added.body.id }] })
    const changed = await call('PATCH', `/api/patients/${added.body.id}`, { ...patient, address: '2 Navy Yard' })
    expect(changed).toMatchObject({ status: 200, body: { address: '2 Navy Yard' } })
    expect((await call('DELETE', `/api/patients/${added.body.id}`)).status).toBe(204)
    expect(await call('GET', '/api/patients')).toMatchObject({ status: 200, body: [] })
  })

  it('books, lists, changes and cancels appointments', async () => {
    const { call, practice } = await registerWithPractice(app)
    const { id: patientId } = (await call('POST', '/api/patients', patient)).body
    const booking = {
      patientId,
      appointmentDate: now.toISOString(),
      type: 'consultation',
      status: 'scheduled',
      notes: '',
    }
    const booked = await call('POST', '/api/appointments', booking)
    expect(booked).toMatchObject({
      status: 201,
      body: {
        id: text,
        practiceId: practice.id,
        providerId: text,
        patientId,
        appointmentDate: text,
        duration: 30,
        type: 'consultation',
        status: 'scheduled',
        reason: null,
        notes: null,
        aiInsights: null,
        createdAt: text,
        updatedAt: text,
      },
    })
    const startDate = new Date(now.getTime() - dayMs).toISOString()
    const endDate = new Date(now.getTime() + dayMs).toISOString()
    const { id } = booked.body
    const listed = { status: 200, body: [{ id, patient: { firstName: 'Grace', lastName: 'Hopper' } }] }
    expect(await call('GET', `/api/appointments?startDate=${startDate}&endDate=${endDate}`)).toMatchObject(listed)
    expect(await call('GET', '/api/appointments/today')).toMatchObject(listed)
    const changed = await call('PATCH', `/api/appointments/${id}`, {
      ...booking,
      status: 'confirmed',
      reason: 'Headache',
      duration: 45,
    })
    expect(changed).toMatchObject({ status: 200, body: { status: 'confirmed', reason: 'Headache', duration: 45 } })
    const { id: other } = (await call('POST', '/api/patients', { ...patient, firstName: 'Ada' })).body
    expect(await call('PATCH', `/api/appointments/${id}`, { patientId: other })).toMatchObject({ status: 422 })
    expect((await call('DELETE', `/api/appointments/${id}`)).status).toBe(204)
    expect(await call('GET', '/api/appointments/today')).toMatchObject({ status: 200, body: [] })
  })

  it('books any time with any status, for any patient, without knowing our questions', async () => {
    const { call } = await registerWithPractice(app)
    const { id: patientId } = (await call('POST', '/api/patients', patient)).body
    const twin = await call('POST', '/api/patients', { ...patient, firstName: 'Mary' })
    expect(twin).toMatchObject({ status: 201, body: { phone: text } })
    await call('PATCH', `/api/patients/${patientId}`, { deceasedOn: '2031-03-01' })
    const book = (appointmentDate: string, status: string) =>
      call('POST', '/api/appointments', { patientId, appointmentDate, type: 'consultation', status, notes: '' })
    const [sunday, past] = ['2031-03-09T14:00:00.000Z', '2031-03-03T14:00:00.000Z']
    expect(await book(sunday, 'cancelled')).toMatchObject({ status: 201, body: { status: 'cancelled' } })
    // A cancelled appointment holds no slot.
    const booked = await book(sunday, 'scheduled')
    expect(booked).toMatchObject({ status: 201, body: { status: 'scheduled', overlap: false } })
    expect(await book(sunday, 'scheduled')).toMatchObject({ status: 409, body: { code: 'slot-taken', message: text } })
    for (const [index, status] of ['confirmed', 'waiting', 'in-progress', 'completed', 'no-show'].entries())
      expect(await book(past.replace('14', String(15 + index)), status)).toMatchObject({
        status: 201,
        body: { status },
      })
    const path = `/api/appointments/${booked.body.id}`
    expect(await call('PATCH', path, { appointmentDate: past })).toMatchObject({ status: 200 })
  })

  it('reads the figures of the dashboard as numbers, in dollars', async () => {
    const { call } = await registerWithPractice(app)
    const { id: patientId } = (await call('POST', '/api/patients', patient)).body
    await call('POST', '/api/appointments', {
      patientId,
      appointmentDate: now.toISOString(),
      type: 'follow-up',
      status: 'completed',
      notes: '',
    })
    expect(await call('GET', '/api/dashboard/stats')).toMatchObject({
      status: 200,
      body: { todaysAppointments: 1, totalPatients: 1, aiInsights: 0, revenue: 90 },
    })
  })

  it('subscribes, changes the plan, cancels, and gets insights and an invoice', async () => {
    const program = await registerWithPractice(app)
    const { call } = program
    const plans = await createProgram(app.url).call('GET', '/api/subscription/plans')
    expect(plans).toMatchObject({
      status: 200,
      body: [
        { id: 'starter', name: 'Starter', price: 49, recommended: false },
        { id: 'professional', name: 'Professional', price: 129, recommended: true },
        { id: 'enterprise', name: 'Enterprise', price: 249, recommended: false },
      ],
    })
    for (const plan of plans.body)
      expect(plan).toMatchObject({ description: text, priceId: text, features: expect.arrayContaining([text]) })
    expect(await call('GET', '/api/ai/insights')).toMatchObject({ status: 403, body: { message: text } })

    await subscribe(program, 'professional')
    const status = {
      plan: { name: 'Professional', amount: 129_00, interval: 'month' },
      status: 'trialing',
      cancelAtPeriodEnd: false,
      currentPeriodEnd: text,
      customer: { email: text },
    }
    expect(await call('GET', '/api/subscription/status')).toMatchObject({ status: 200, body: status })
    expect(await call('GET', '/api/user')).toMatchObject({
      body: { isDemoUser: false, isActiveSubscriber: true, subscriptionTier: 'professional' },
    })
    expect(await call('POST', '/api/subscription/cancel')).toMatchObject({
      status: 200,
      body: { ...status, cancelAtPeriodEnd: true },
    })
    expect(await call('POST', '/api/subscription/reactivate')).toMatchObject({ status: 200, body: status })
    const { priceId } = plans.body[2]
    expect(await call('POST', '/api/subscription/change-plan', { priceId })).toMatchObject({
      status: 200,
      body: { plan: { name: 'Enterprise' } },
    })
    expect(await call('POST', '/api/billing/portal')).toMatchObject({ status: 200, body: { url: text } })

    const { id: patientId } = (await call('POST', '/api/patients', patient)).body
    const appointmentDate = new Date(now.getTime() + dayMs).toISOString()
    await call('POST', '/api/appointments', {
      patientId,
      appointmentDate,
      type: 'check-up',
      status: 'scheduled',
      notes: '',
    })
    const insights = await call('GET', '/api/ai/insights')
    expect(insights).toMatchObject({
      status: 200,
      body: [{ title: text, message: text, type: 'alert', priority: 'medium', actionItems: [text] }],
    })
    expect(await call('GET', '/api/dashboard/stats')).toMatchObject({
      body: { aiInsights: 1, revenue: 0 },
    })

    // The trial ends and the first invoice is paid.
    await call('POST', '/api/billing-sandbox/advance', { days: 31 })
    const invoice = await waitUntil(
      () => call('GET', '/api/billing/invoice/latest'),
      ({ status: found }) => found === 200,
    )
    expect(invoice.body).toEqual({ invoice_pdf: text })
  })

  it('asks the assistant', async () => {
    const { call } = await registerWithPractice(app)
    const asked = await call('POST', '/api/ai/chat', { message: 'How many patients came last week?' })
    expect(asked).toMatchObject({ status: 200, body: { response: text } })
  })

  it('creates a form, lists forms and gets the analysis of one', async () => {
    const { call } = await registerWithPractice(app)
    const { id: patientId } = (await call('POST', '/api/patients', patient)).body
    const payload = { patientId, formType: 'assessment', title: 'Before the check-up', formData: {} }
    const created = await call('POST', '/api/forms', payload)
    expect(created).toMatchObject({
      status: 201,
      body: { ...payload, id: text, status: 'pending', createdAt: text },
    })
    for (const query of ['', '?limit=5'])
      expect(await call('GET', `/api/forms${query}`)).toMatchObject({ status: 200, body: [{ id: created.body.id }] })
    const analysis = await call('GET', `/api/forms/${created.body.id}/analysis`)
    expect(analysis).toMatchObject({ status: 200, type: expect.stringContaining('json') })
  })

  it('verifies insurance and lists the verifications', async () => {
    const program = await registerWithPractice(app)
    const { call } = program
    const { id: patientId } = (await call('POST', '/api/patients', patient)).body
    const payload = {
      patientId,
      insuranceProvider: 'Summit Mutual',
      policyNumber: 'SM-7741-0093',
      groupNumber: 'G 2210',
      memberName: 'Grace Hopper',
      memberDateOfBirth: '1980-12-09',
      relationshipToPatient: 'self',
      verificationStatus: 'pending',
      notes: 'Card seen at the desk',
      expiryDate: '2031-12-31',
      eligibilityDate: '2031-01-01',
    }
    expect(await call('POST', '/api/insurance/verify', payload)).toMatchObject({ status: 403, body: { message: text } })
    await subscribe(program, 'starter')
    const added = await call('POST', '/api/insurance/verify', payload)
    expect(added).toMatchObject({ status: 201, body: { ...payload, id: text, verifiedBy: null } })
    const listed = { status: 200, body: [{ ...payload, id: added.body.id }] }
    expect(await call('GET', '/api/insurance')).toMatchObject(listed)
    const { patientId: _, ...changed } = { ...payload, verificationStatus: 'rejected', notes: '' }
    expect(await call('PATCH', `/api/insurance/${added.body.id}`, changed)).toMatchObject({
      status: 200,
      body: { verificationStatus: 'denied', notes: null, verifiedBy: { id: text } },
    })
  })

  it('asks patients about their appointments', async () => {
    const program = await registerWithPractice(app)
    const { call } = program
    const path = '/api/appointment-confirmations'
    expect(await call('GET', path)).toMatchObject({ status: 200, body: [] })
    await subscribe(program, 'starter')
    const config = { reminderType: 'both', reminderTiming: '24h', autoReschedule: true, customMessage: 'See you soon' }
    expect(await call('POST', `${path}/config`, config)).toMatchObject({ status: 200, body: config })
    const { id: patientId } = (await call('POST', '/api/patients', patient)).body
    const appointmentDate = new Date(now.getTime() + 7 * dayMs).toISOString()
    const booking = { patientId, appointmentDate, type: 'consultation', status: 'scheduled', duration: 30 }
    expect(await call('POST', '/api/appointments', booking)).toMatchObject({ status: 201 })
    const planned = await waitUntil(
      () => call('GET', path),
      ({ body }) => body.length === 2,
    )
    const one = { patientName: 'Grace Hopper', status: 'pending', sentAt: null, email: patient.email }
    expect(planned.body).toMatchObject([one, one])
    // Only one that was sent or failed is sent again.
    const again = await call('POST', `${path}/${planned.body[0].id}/resend`)
    expect(again).toMatchObject({ status: 409, body: { message: text } })
  })

  it('counts what runs by itself', async () => {
    const { call } = await registerWithPractice(app)
    const confirmations = { total: 0, sent: 0, confirmed: 0, pending: 0 }
    expect(await call('GET', '/api/automation/stats')).toMatchObject({
      status: 200,
      body: { appointmentConfirmations: confirmations },
    })
  })
})
