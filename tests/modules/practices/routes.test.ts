import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultAppointmentTypes } from '#contracts/values/appointment-types.ts'
import { Practice } from '#contracts/practices.ts'
import { practices } from '#modules/practices/projection.ts'
import { readStream } from '#tests/support/events.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner, newUser, practiceDetails } from '#tests/support/practice.ts'
import { readTableRows, foldRows } from '#tests/support/rebuild.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

const tooLong = 'x'.repeat(100_000)

describe('practices over HTTP', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.dispose())

  const eventsOf = async (practiceId: string) =>
    (await readStream(app.services.store, `practice-${practiceId}`)).map(({ type }) => type)

  describe('setting up', () => {
    it('makes the practice and its owner', async () => {
      const { client } = await newUser(app)
      const answer = await client.post('/api/practices/setup', {
        ...practiceDetails,
        website: 'https://harbor.example.com',
        npi: '1234567893',
        taxId: '12-3456789',
      })
      expect(answer.status).toBe(200)
      expect(Practice.parse(answer.body)).toEqual({
        id: expect.any(String),
        ...practiceDetails,
        website: 'https://harbor.example.com',
        npi: '1234567893',
        taxId: '12-3456789',
        sessionTimeout: 60,
        requireTwoFactor: false,
        newsletterOptIn: false,
        selectedPlan: null,
        setupComplete: false,
        settings: {
          timezone: practiceDetails.timezone,
          sessionTimeout: 60,
          requireTwoFactor: false,
          newsletterOptIn: false,
          selectedPlan: null,
          appointmentTypes: defaultAppointmentTypes,
        },
        revision: 0,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      })
      expect(await client.get(`/api/practices/${answer.body.id}`)).toMatchObject({ status: 200, body: answer.body })
      expect((await client.get('/api/user')).body).toMatchObject({ practiceId: answer.body.id, isOwner: true })
    })

    it("takes the installation's time zone and the owner's address when they are left out", async () => {
      const { client, user } = await newUser(app)
      const { email: _email, timezone: _timezone, ...rest } = practiceDetails
      const answer = await client.post('/api/practices/setup', rest)
      expect(answer).toMatchObject({ status: 200, body: { email: user.email, timezone: 'America/New_York' } })
      // A practice that chose its own keeps them.
      const own = await newOwner(app, { timezone: 'America/Denver' })
      expect(await own.client.post('/api/practices/setup', rest)).toMatchObject({ status: 200, body: own.practice })
    })

    it('can be repeated', async () => {
      const { client, practice } = await newOwner(app)
      const again = await client.post('/api/practices/setup', practiceDetails)
      expect(again).toMatchObject({ status: 200, body: practice })
      expect(await eventsOf(practice.id)).toEqual(['PracticeSetUp'])
    })

    it('keeps the newsletter as wished at registration, unless it is sent', async () => {
      const finish = { ...practiceDetails, selectedPlan: 'starter' }
      for (const [wished, sent, kept] of [
        [true, {}, true],
        [false, {}, false],
        [true, { newsletterOptIn: false }, false],
      ] as const) {
        const { client } = await newUser(app, { newsletterOptIn: wished })
        await client.post('/api/practices/setup', practiceDetails)
        const done = await client.post('/api/practices/setup', { ...finish, ...sent })
        expect(done.body).toMatchObject({ newsletterOptIn: kept, setupComplete: true })
        expect((await client.get('/api/user')).body).toMatchObject({ newsletterOptIn: kept })
      }
    })

    it('is completed by the plan and the newsletter', async () => {
      const { client, practice } = await newOwner(app)
      const finish = { ...practiceDetails, newsletterOptIn: true, selectedPlan: 'professional' }
      const done = await client.post('/api/practices/setup', finish)
      expect(done.body).toMatchObject({
        id: practice.id,
        newsletterOptIn: true,
        selectedPlan: 'professional',
        setupComplete: true,
        settings: { timezone: practiceDetails.timezone, newsletterOptIn: true, selectedPlan: 'professional' },
        revision: 1,
      })
      expect((await client.get('/api/user')).body).toMatchObject({ newsletterOptIn: true })
      expect((await client.post('/api/practices/setup', finish)).body).toEqual(done.body)
      // Going back to the second step changes nothing of that.
      expect((await client.post('/api/practices/setup', practiceDetails)).body).toEqual(done.body)
      expect(await eventsOf(practice.id)).toEqual(['PracticeSetUp', 'PracticeSetupCompleted'])
    })

    it('changes what differs', async () => {
      const { client, practice } = await newOwner(app)
      const changed = await client.post('/api/practices/setup', { ...practiceDetails, phone: '(617) 555-0199' })
      expect(changed.body).toMatchObject({ id: practice.id, phone: '(617) 555-0199', revision: 1 })
      const [, change] = await readStream(app.services.store, `practice-${practice.id}`)
      expect(change?.data).toEqual({
        practiceId: practice.id,
        from: { phone: '(617) 555-0100' },
        to: { phone: '(617) 555-0199' },
      })
      expect(change?.metadata).toMatchObject({ practiceId: practice.id, actor: { kind: 'user' } })
    })

    it('creates one practice from concurrent requests', async () => {
      const { client, user } = await newUser(app)
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => client.post('/api/practices/setup', practiceDetails)),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
      expect(await eventsOf(answers[0]?.body.id)).toEqual(['PracticeSetUp'])
      const { rows } = await app.services.pool.query('select from read.practices where owner_id = $1', [user.id])
      expect(rows).toHaveLength(1)
    })

    it('is only for the owner: members are refused', async () => {
      const { practice } = await newOwner(app)
      const member = await joinPractice(app, practice.id, 'administrator')
      expect(await member.post('/api/practices/setup', { ...practiceDetails, name: 'Mine now' })).toMatchObject({
        status: 403,
        problem: {
          code: 'not-owner',
          message: 'You belong to a practice already. Its owner and administrators change it in the settings.',
        },
      })
      expect(await eventsOf(practice.id)).toEqual(['PracticeSetUp'])
    })

    it('requires a sign-in', async () => {
      expect(await app.newClient().post('/api/practices/setup', practiceDetails)).toMatchObject({ status: 401 })
    })

    it('treats an empty text as null', async () => {
      const { practice } = await newOwner(app, { website: '', npi: null, taxId: '  ' })
      expect(practice).toMatchObject({ website: null, npi: null, taxId: null })
    })

    it('lists a specialty once', async () => {
      const { practice } = await newOwner(app, { specialties: ['Cardiology', 'Other', 'Cardiology'] })
      expect(practice.specialties).toEqual(['Cardiology', 'Other'])
    })

    it.each([
      ['name', 'H', 'Practice name must be at least 2 characters'],
      ['name', tooLong, 'At most 200 characters'],
      ['name', 'Har\u0000bor', 'Contains characters that cannot be stored'],
      ['name', 'Har\ud800bor', 'Contains characters that cannot be stored'],
      ['name', { first: 'Harbor' }, 'Please enter text'],
      ['address', '418', 'Please enter a complete address'],
      ['phone', '555', 'Please enter a valid phone number'],
      ['email', 'desk', 'Please enter a valid email address'],
      ['specialties', [], 'Please select at least one specialty'],
      ['specialties', ['Homeopathy'], undefined],
      ['specialties', 'Cardiology', undefined],
      ['website', 'javascript:alert(1)', 'Please enter a valid website URL'],
      ['npi', tooLong, 'At most 30 characters'],
      ['taxId', tooLong, 'At most 30 characters'],
      ['taxId', '12\u0000', 'Contains characters that cannot be stored'],
      ['taxId', '12\ud800', 'Contains characters that cannot be stored'],
      ['website', 'https://harbor.example.com/\ud800', 'Please enter a valid website URL'],
      ['timezone', 'Mars/Olympus', 'Please choose a known time zone'],
      ['timezone', '+02:00', 'Please choose a known time zone'],
      ['selectedPlan', 'platinum', undefined],
      ['newsletterOptIn', 'yes', undefined],
      ['ownerId', randomUUID(), 'This field is not known'],
    ])('refuses a wrong %s, and makes nothing (%#)', async (path, value, message) => {
      const { client } = await newUser(app)
      const answer = await client.post('/api/practices/setup', { ...practiceDetails, [path]: value })
      expect(answer).toMatchObject({ status: 422, problem: { code: 'invalid-request' } })
      expect(answer.problem.errors[0]?.path.split('.')[0]).toBe(path)
      if (message) expect(answer.problem.errors[0]?.message).toBe(message)
      expect((await client.get('/api/user')).body.practiceId).toBeNull()
    })
  })

  describe('reading a practice', () => {
    it('is for members', async () => {
      const { practice } = await newOwner(app)
      const member = await joinPractice(app, practice.id, 'staff')
      expect(await member.get(`/api/practices/${practice.id}`)).toMatchObject({ status: 200, body: practice })
    })

    it('finds nothing for others', async () => {
      const { practice } = await newOwner(app)
      const { client: stranger } = await newOwner(app)
      const { client: newcomer } = await newUser(app)
      const path = `/api/practices/${practice.id}`
      expect(await stranger.get(path)).toMatchObject({ status: 404, problem: { code: 'not-found' } })
      expect(await stranger.get(`/api/practices/${randomUUID()}`)).toMatchObject({ status: 404 })
      expect(await stranger.get('/api/practices/1')).toMatchObject({ status: 404 })
      expect(await newcomer.get(path)).toMatchObject({ status: 409, problem: { code: 'practice-required' } })
      expect(await app.newClient().get(path)).toMatchObject({ status: 401 })
    })
  })

  describe('changing a practice', () => {
    it('changes the fields that are sent, with permission, and keeps the rest', async () => {
      const { practice, client } = await newOwner(app, { taxId: '12-345', selectedPlan: 'starter' })
      const administrator = await joinPractice(app, practice.id, 'administrator')
      const path = `/api/practices/${practice.id}`
      const changed = await administrator.patch(path, {
        name: '  Harbour  ',
        npi: '1234567893',
        website: '',
        revision: practice.revision,
      })
      expect(changed).toMatchObject({ status: 200 })
      const expected = {
        ...practice,
        name: 'Harbour',
        npi: '1234567893',
        revision: practice.revision + 1,
        updatedAt: expect.any(String),
      }
      expect(Practice.parse(changed.body)).toEqual(expected)
      expect((await client.get(path)).body).toEqual(expected)
      expect((await readStream(app.services.store, `practice-${practice.id}`)).at(-1)?.data).toEqual({
        practiceId: practice.id,
        from: { name: 'Harbor Clinic', npi: null },
        to: { name: 'Harbour', npi: '1234567893' },
      })
      // Sent again, nothing happens.
      expect((await client.patch(path, { name: 'Harbour' })).body).toEqual(expected)
      expect((await client.patch(path, { npi: null })).body).toMatchObject({ npi: null, name: 'Harbour' })
    })

    it('changes specialties, tax id and time zone', async () => {
      const { practice, client } = await newOwner(app, { taxId: '12-345' })
      const change = { specialties: ['Cardiology', 'Other'], taxId: '', timezone: 'Europe/Berlin' }
      expect((await client.patch(`/api/practices/${practice.id}`, change)).body).toMatchObject({
        ...change,
        taxId: null,
      })
      expect((await readStream(app.services.store, `practice-${practice.id}`)).at(-1)?.data).toEqual({
        practiceId: practice.id,
        from: { specialties: ['Family Medicine'], taxId: '12-345', timezone: 'America/New_York' },
        to: { specialties: ['Cardiology', 'Other'], taxId: null, timezone: 'Europe/Berlin' },
      })
    })

    it('replies with the conflicting changes and their users, and changes nothing', async () => {
      const { practice, client } = await newOwner(app)
      const path = `/api/practices/${practice.id}`
      const colleague = await joinPractice(app, practice.id, 'administrator')
      await colleague.patch(path, { phone: '(617) 555-0199' })
      await client.patch(path, { name: 'Harbour' })
      const refused = await colleague.patch(path, { phone: '(617) 555-0111', revision: practice.revision })
      expect(refused).toMatchObject({ status: 409, problem: { code: 'changed-meanwhile' } })
      expect(refused.problem['changes']).toEqual([
        { field: 'phone', value: '(617) 555-0199', by: 'Ada Okafor', at: expect.any(String) },
        { field: 'name', value: 'Harbour', by: 'Ada Okafor', at: expect.any(String) },
      ])
      expect((await client.get(path)).body).toMatchObject({ name: 'Harbour', phone: '(617) 555-0199' })
    })

    it('is for the owner and administrators of this practice', async () => {
      const { practice } = await newOwner(app)
      const { client: stranger } = await newOwner(app)
      const path = `/api/practices/${practice.id}`
      for (const role of ['doctor', 'nurse', 'staff'] as const) {
        const member = await joinPractice(app, practice.id, role)
        expect(await member.patch(path, { name: 'Mine' })).toMatchObject({
          status: 403,
          problem: { code: 'forbidden' },
        })
      }
      expect(await stranger.patch(path, { name: 'Mine' })).toMatchObject({ status: 404 })
      expect(await eventsOf(practice.id)).toEqual(['PracticeSetUp'])
    })

    it.each([
      ['name', 'H', 'Practice name must be at least 2 characters'],
      ['name', null, undefined],
      ['address', '418', 'Please enter a complete address'],
      ['phone', '555', 'Please enter a valid phone number'],
      ['email', 'desk', 'Please enter a valid email address'],
      ['npi', '1234567890', 'Please enter a valid NPI: ten digits with a correct check digit'],
      ['website', 'javascript:alert(1)', 'Please enter a valid website URL'],
      ['timezone', 'Mars/Olympus', 'Please choose a known time zone'],
      ['specialties', [], 'Please select at least one specialty'],
      ['taxId', tooLong, 'At most 30 characters'],
      ['selectedPlan', 'starter', 'This field is not known'],
      ['ownerId', randomUUID(), 'This field is not known'],
      ['revision', -1, undefined],
    ])('refuses a wrong %s, and changes nothing (%#)', async (path, value, message) => {
      const { practice, client } = await newOwner(app)
      const answer = await client.patch(`/api/practices/${practice.id}`, { address: '1 Pier Road', [path]: value })
      expect(answer).toMatchObject({ status: 422, problem: { code: 'invalid-request' } })
      expect(answer.problem.errors[0]?.path).toBe(path)
      if (message) expect(answer.problem.errors[0]?.message).toBe(message)
      expect(await eventsOf(practice.id)).toEqual(['PracticeSetUp'])
    })
  })

  it('are the same after a rebuild', async () => {
    expect(await readTableRows(app.services.pool, practices)).toEqual(await foldRows(app.services.store, practices))
  })
})
