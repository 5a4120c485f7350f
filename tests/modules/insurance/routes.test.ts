import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { InsuranceVerification, VerificationDetails } from '#contracts/insurance.ts'
import { expireAllVerifications } from '#modules/insurance/jobs.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

/** Two in the afternoon in New York, where today is March 10. */
const start = new Date('2031-03-10T18:00:00.000Z')

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
  app.stopClock()
  moveClock(start)
})
afterAll(() => app.dispose())

const moveClock = (to: Date) => app.advanceClock(to.getTime() - app.services.clock().getTime())

const policy = {
  insuranceProvider: 'Summit Mutual',
  policyNumber: 'SM-7741-0093',
  groupNumber: 'G 2210',
  eligibilityDate: '2030-04-01',
  expiryDate: '2031-03-31',
}

/** A practice with the smallest plan and a patient, and a way to add verifications of that patient. */
async function newPractice() {
  const { client, practice, user, registration } = await newSubscriber(app, 'starter')
  const patient = await client.post('/api/patients', { firstName: 'Robert', lastName: 'Hayes' })
  const patientId = patient.body.id as string
  const add = (over: object = {}, sender: Client = client) =>
    sender.post('/api/insurance/verify', { patientId, ...policy, ...over })
  const addOne = async (over: object = {}) => {
    const { status, body } = await add(over)
    expect(status).toBe(201)
    return { verification: body as InsuranceVerification, path: `/api/insurance/${body.id}` }
  }
  const signInAgain = () => client.post('/api/login', { email: registration.email, password })
  return { client, practice, user, patientId, add, addOne, signInAgain }
}

const getStatus = async (client: Client, path: string) => (await client.get(path)).body.verificationStatus as string

const expireAll = () => expireAllVerifications(app.services, 'a job', new AbortController().signal)

describe('a verification', () => {
  it('stays pending until a person verifies or denies it, and keeps its history', async () => {
    const { client, add, patientId, user } = await newPractice()
    const added = await add()
    expect(added).toMatchObject({
      status: 201,
      body: {
        ...policy,
        patientId,
        patientName: 'Robert Hayes',
        relationshipToPatient: 'self',
        verificationStatus: 'pending',
        verifiedBy: null,
        verifiedOn: null,
        check: { by: 'stand-in', findings: [] },
      },
    })
    const path = `/api/insurance/${added.body.id}`
    const verified = await client.patch(path, { verificationStatus: 'verified', revision: added.body.revision })
    expect(verified).toMatchObject({
      status: 200,
      body: {
        verificationStatus: 'verified',
        verifiedBy: { id: user.id, name: 'Ada Okafor' },
        verifiedOn: '2031-03-10',
      },
    })
    const counts = { verified: 1, pending: 0, denied: 0, expired: 0 }
    expect((await client.get('/api/insurance/counts')).body).toEqual({ ...counts, checkedBy: 'stand-in' })
    // An insurer's word holds for the policy that it was about.
    const changed = await client.patch(path, { policyNumber: 'SM-7741-0094' })
    expect(changed.body).toMatchObject({ policyNumber: 'SM-7741-0094', verificationStatus: 'pending' })
    expect((await client.patch(path, { notes: 'Called twice' })).body.verificationStatus).toBe('pending')
    const details = (await client.get(path)).body as VerificationDetails
    expect(details.history.map(({ status, changedFields }) => [status, changedFields])).toEqual([
      [null, ['notes']],
      ['pending', []],
      [null, ['policyNumber']],
      ['verified', []],
      ['pending', []],
    ])
    expect(new Set(details.history.map(({ by }) => by))).toEqual(new Set(['Ada Okafor']))
  })

  it.each(['rejected', 'denied'])('that is %s is denied', async (verificationStatus) => {
    const { client, addOne } = await newPractice()
    const { verification, path } = await addOne({ verificationStatus })
    expect(verification).toMatchObject({ verificationStatus: 'denied', verifiedOn: '2031-03-10' })
    await client.patch(path, { verificationStatus: 'verified' })
    expect((await client.patch(path, { verificationStatus })).body.verificationStatus).toBe('denied')
  })

  it('has findings about its form and dates', async () => {
    const { addOne } = await newPractice()
    const { verification } = await addOne({ policyNumber: 'unknown', eligibilityDate: '2031-03-20' })
    expect(verification.check.findings.map(({ field }) => field)).toEqual(['policyNumber', 'eligibilityDate'])
  })

  it('is refused with the field at fault, and nothing is saved', async () => {
    const { client, add } = await newPractice()
    const at = async (over: object) => {
      const { status, problem } = await add(over)
      return [status, problem.errors[0]?.path ?? problem.code]
    }
    expect(await at({ insuranceProvider: ' ' })).toEqual([422, 'insuranceProvider'])
    expect(await at({ policyNumber: '' })).toEqual([422, 'policyNumber'])
    expect(await at({ relationshipToPatient: 'cousin' })).toEqual([422, 'relationshipToPatient'])
    expect(await at({ verificationStatus: 'expired' })).toEqual([422, 'verificationStatus'])
    expect(await at({ expiryDate: '2031-02-29' })).toEqual([422, 'expiryDate'])
    expect(await at({ expiryDate: '2030-03-31' })).toEqual([422, 'expiryDate'])
    expect(await at({ memberDateOfBirth: '2199-01-01' })).toEqual([422, 'memberDateOfBirth'])
    expect(await at({ patientId: '7d0a1c52-6a1f-4f0e-9d3b-2f6f0c1f8a11' })).toEqual([404, 'not-found'])
    const over = await add({ verificationStatus: 'verified', expiryDate: '2031-03-09' })
    expect(over).toMatchObject({ status: 409, problem: { code: 'coverage-over' } })
    expect((await client.get('/api/insurance')).body).toEqual([])
  })

  it('that another user has changed is refused with what changed', async () => {
    const { client, practice, addOne } = await newPractice()
    const staff = await joinPractice(app, practice.id, 'staff')
    const { verification, path } = await addOne()
    const { revision } = verification
    await client.patch(path, { verificationStatus: 'verified', notes: 'Called', revision })
    const stale = await staff.patch(path, { notes: 'Card seen', revision })
    expect(stale).toMatchObject({ status: 409, problem: { code: 'changed-meanwhile' } })
    expect(stale.problem['changes']).toMatchObject([
      { field: 'notes', value: 'Called', by: 'Ada Okafor' },
      { field: 'verificationStatus', value: 'verified', by: 'Ada Okafor' },
    ])
    expect((await client.get(path)).body.notes).toBe('Called')
  })

  it('is not shown when its patient was removed', async () => {
    const { client, addOne, patientId } = await newPractice()
    const { path } = await addOne()
    expect((await client.get('/api/insurance')).body).toHaveLength(1)
    await client.delete(`/api/patients/${patientId}`)
    expect((await client.get('/api/insurance')).body).toEqual([])
    expect((await client.get('/api/insurance/counts')).body.pending).toBe(0)
    expect((await client.get(path)).status).toBe(404)
    expect((await client.patch(path, { notes: 'x' })).status).toBe(404)
  })

  it('is stored without plain text, apart from what lists search', async () => {
    const { addOne } = await newPractice()
    const { verification } = await addOne({ memberName: 'Quillfeather', notes: 'Zanzibar', policyNumber: 'QX-99817' })
    const find = async (query: string, key: string) =>
      (await app.services.pool.query<{ row: string }>(query, [key])).rows.map(({ row }) => row).join('\n')
    const row = await find('select t::text as row from read.insurance_verifications t where id = $1', verification.id)
    const events = await find('select data as row from es.events where stream = $1', `insurance-${verification.id}`)
    expect([row, events]).toEqual([expect.stringContaining('Summit'), expect.stringContaining(verification.patientId)])
    for (const text of [row, events]) expect(text).not.toMatch(/Quillfeather|Zanzibar|QX-99817/)
    expect(events).not.toContain('Summit')
  })
})

describe('expiry', () => {
  it('is at the midnight of the practice after the last day, and a later date opens it again', async () => {
    const { client, addOne, signInAgain } = await newPractice()
    const verified = await addOne({ verificationStatus: 'verified', expiryDate: '2031-03-10' })
    const pending = await addOne({ expiryDate: '2031-03-10' })
    const denied = await addOne({ verificationStatus: 'denied', expiryDate: '2031-03-10' })
    const endless = await addOne({ expiryDate: null })
    try {
      // Daylight saving time has begun the day before: midnight is at 4:00 UTC.
      moveClock(new Date('2031-03-11T03:59:00.000Z'))
      await expireAll()
      await signInAgain()
      expect(await getStatus(client, verified.path)).toBe('verified')
      moveClock(new Date('2031-03-11T04:00:00.000Z'))
      await Promise.all([expireAll(), expireAll()])
      await expireAll()
      expect(await getStatus(client, verified.path)).toBe('expired')
      expect(await getStatus(client, pending.path)).toBe('expired')
      expect(await getStatus(client, denied.path)).toBe('denied')
      expect(await getStatus(client, endless.path)).toBe('pending')
      const details = (await client.get(verified.path)).body as VerificationDetails
      expect(details.history.map(({ status, by }) => [status, by])).toEqual([
        ['expired', null],
        ['verified', 'Ada Okafor'],
        ['pending', 'Ada Okafor'],
      ])
      const refused = await client.patch(verified.path, { verificationStatus: 'verified' })
      expect(refused).toMatchObject({ status: 409, problem: { code: 'coverage-over' } })
      const renewed = await client.patch(verified.path, { expiryDate: '2032-03-10' })
      expect(renewed.body).toMatchObject({ verificationStatus: 'pending', expiryDate: '2032-03-10' })
    } finally {
      moveClock(start)
      await signInAgain()
    }
  })

  it('is at once for a coverage that is over already', async () => {
    const { addOne } = await newPractice()
    const { verification } = await addOne({ expiryDate: '2031-03-09' })
    expect(verification.verificationStatus).toBe('expired')
  })

  it('follows the time zone of each practice', async () => {
    const { client, addOne, practice } = await newPractice()
    const { path } = await addOne({ expiryDate: '2031-03-10' })
    await expireAll()
    expect(await getStatus(client, path)).toBe('pending')
    // March 11 in Kiritimati, March 10 in New York.
    expect((await client.patch(`/api/practices/${practice.id}`, { timezone: 'Pacific/Kiritimati' })).status).toBe(200)
    await expireAll()
    expect(await getStatus(client, path)).toBe('expired')
  })
})

it('lists newest first, with filters, search and pages', async () => {
  const { client, addOne } = await newPractice()
  const other = await client.post('/api/patients', { firstName: 'Grace', lastName: 'Liu' })
  const names = ['Summit Mutual', 'Blue Harbor', 'Northfield 100%']
  for (const [index, insuranceProvider] of names.entries()) {
    app.advanceClock(1_000)
    const over = index === 2 ? { patientId: other.body.id, verificationStatus: 'verified' } : {}
    await addOne({ insuranceProvider, ...over })
  }
  const list = async (query: string) =>
    (await client.get(`/api/insurance?${query}`)).body.map((found: InsuranceVerification) => found.insuranceProvider)
  const newestFirst = names.toReversed()
  expect(await list('')).toEqual(newestFirst)
  expect(await list('status=pending')).toEqual(newestFirst.slice(1))
  expect(await list('search=harb hay')).toEqual(['Blue Harbor'])
  expect(await list('search=100%25')).toEqual(['Northfield 100%'])
  expect(await list('search=%25%25')).toEqual([])
  expect(await list(`patientId=${other.body.id}`)).toEqual(['Northfield 100%'])
  const first = await client.get('/api/insurance?limit=2&search=o')
  expect([first.headers.get('x-total-count'), first.body.length]).toEqual(['3', 2])
  const next = /<([^>]+)>/.exec(first.headers.get('link') ?? '')?.[1] ?? ''
  const second = await client.get(next)
  expect([second.body.length, second.headers.get('link')]).toEqual([1, null])
  expect((await client.get('/api/insurance?cursor=x')).problem.errors[0]?.path).toBe('cursor')
  expect((await client.get('/api/insurance?status=rejected')).problem.errors[0]?.path).toBe('status')
})

describe('access', () => {
  it('needs a plan, and a role with insurance', async () => {
    const { practice, add, addOne } = await newPractice()
    const { path } = await addOne()
    const staff = await joinPractice(app, practice.id, 'staff')
    expect((await add({}, staff)).status).toBe(201)
    expect((await staff.patch(path, { verificationStatus: 'verified' })).status).toBe(200)
    for (const role of ['doctor', 'nurse', 'reviewer'] as const) {
      const member = await joinPractice(app, practice.id, role)
      for (const { status } of [await member.get('/api/insurance'), await member.get(path), await add({}, member)])
        expect([role, status]).toEqual([role, 403])
    }
    const { client: demo } = await newOwner(app)
    expect(await demo.get('/api/insurance')).toMatchObject({ status: 403, problem: { code: 'upgrade-required' } })
  })

  it('ends at the practice', async () => {
    const { add, addOne, patientId } = await newPractice()
    const { path } = await addOne()
    const { client: other } = await newPractice()
    expect((await other.get(path)).status).toBe(404)
    expect((await other.patch(path, { verificationStatus: 'verified' })).status).toBe(404)
    expect((await other.get(`/api/insurance?patientId=${patientId}`)).body).toEqual([])
    expect((await other.get('/api/insurance/counts')).body.pending).toBe(0)
    expect((await add({}, other)).status).toBe(404)
  })
})
