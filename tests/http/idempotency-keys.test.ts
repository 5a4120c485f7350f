import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client } from '#tests/support/client.ts'
import { joinPractice, newMember } from '#tests/support/members.ts'
import { newOwner, registrationForm } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

describe('a request with an idempotency key', () => {
  let app: TestApp
  let client: Client
  let practiceId: string
  const grace = { firstName: 'Grace', lastName: 'Hopper', allowDuplicate: true }

  beforeAll(async () => {
    app = await startTestApp()
    const owner = await newOwner(app)
    client = owner.client
    practiceId = owner.practice.id
  })
  afterAll(() => app.dispose())

  const add = (key: string, body: unknown = grace, sender = client) =>
    sender.request('POST', '/api/patients', body, { 'idempotency-key': key })
  const countRows = async () => {
    const { rows } = await app.services.pool.query<{ n: number }>('select count(*)::int as n from app.idempotency_keys')
    return rows[0]?.n
  }

  it('is answered with the first reply, however the key is written', async () => {
    const key = randomUUID()
    const first = await add(`"${key}"`)
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([201, null])
    const second = await add(key)
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([201, 'true'])
    expect(second.body).toEqual(first.body)
    expect(second.headers.get('content-type')).toBe(first.headers.get('content-type'))
    expect((await add(randomUUID())).body.id).not.toBe(first.body.id)
    // Also when the record has changed since.
    await client.patch(`/api/patients/${first.body.id}`, { email: 'grace@example.test' })
    expect((await add(key)).body).toEqual(first.body)
  })

  it('is refused when it was sent with other content', async () => {
    const key = randomUUID()
    expect((await add(key)).status).toBe(201)
    const other = await add(key, { ...grace, firstName: 'Ada' })
    expect(other).toMatchObject({
      status: 422,
      problem: { code: 'idempotency-key-reused', errors: [{ path: 'Idempotency-Key' }] },
    })
  })

  it('may have a body that is nested too deeply to be read, which is refused', async () => {
    const body = '['.repeat(20_000) + ']'.repeat(20_000)
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
    expect((await client.sendRaw('POST', '/api/patients', body, headers)).status).toBe(422)
  })

  it('is refused while the first one runs', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 6 }, () => add(key)))
    const refused = answers.filter(({ status }) => status === 409)
    const created = answers.filter(({ status }) => status === 201)
    expect(refused.length + created.length).toBe(6)
    for (const { problem, headers } of refused) {
      expect(problem.code).toBe('still-running')
      expect(headers.get('retry-after')).toBe('1')
    }
    expect(new Set(created.map(({ body }) => body.id)).size).toBe(1)
  })

  it('is another one for another person and another endpoint', async () => {
    const key = randomUUID()
    const colleague = await joinPractice(app, practiceId, 'staff')
    const [first, second] = [await add(key), await add(key, grace, colleague)]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body.id).not.toBe(first.body.id)
    const removed = await client.request('DELETE', `/api/patients/${first.body.id}`, undefined, {
      'idempotency-key': key,
    })
    expect(removed.status).toBe(204)
  })

  it('is another one when its sender has moved to another practice', async () => {
    const { client: colleague, user } = await newMember(app, practiceId, 'staff')
    const key = randomUUID()
    const first = await add(key, grace, colleague)
    const { practice } = await newOwner(app)
    await app.services.pool.query('update read.users set practice_id = $2 where user_id = $1', [user.id, practice.id])
    const second = await add(key, grace, colleague)
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([201, null])
    expect([first.body.practiceId, second.body.practiceId]).toEqual([practiceId, practice.id])
  })

  it('is decided again after a refusal', async () => {
    const key = randomUUID()
    const ada = { firstName: 'Ada', lastName: 'Refused', allowDuplicate: false }
    const { body } = await client.post('/api/patients', ada)
    expect(await add(key, ada)).toMatchObject({ status: 409, problem: { code: 'possible-duplicate' } })
    await client.delete(`/api/patients/${body.id}`)
    expect((await add(key, ada)).status).toBe(201)
  })

  it.each(['""', 'a b', 'ä', 'x'.repeat(256), '"a", "b"'])('must be valid: %s', async (key) => {
    const answer = await client.request('POST', '/api/patients', grace, {
      'idempotency-key': Buffer.from(key).toString('latin1'),
    })
    expect(answer).toMatchObject({ status: 400, problem: { code: 'invalid-idempotency-key' } })
  })

  it('is stored encrypted, and deleted after a day', async () => {
    const key = randomUUID()
    await add(key, { ...grace, lastName: 'Planted-Name' })
    // A repetition waits until the reply is saved.
    expect((await add(key, { ...grace, lastName: 'Planted-Name' })).headers.get('idempotency-replayed')).toBe('true')
    const { rows } = await app.services.pool.query<{ id: string; fingerprint: string; reply: Buffer }>(
      'select * from app.idempotency_keys',
    )
    const stored = rows.map((row) => JSON.stringify(row) + row.reply?.toString('latin1')).join('\n')
    expect(stored).not.toMatch(/Planted-Name|Grace/)
    expect(stored).not.toContain(key)
    app.advanceClock(24 * 3_600_000)
    await app.services.jobs.send('forget-idempotency-keys', {})
    await waitUntil(async () => (await countRows()) === 0)
  })

  it('that has expired is the key of a new request', async () => {
    const owner = await newOwner(app)
    const key = randomUUID()
    await add(key, grace, owner.client)
    await app.services.pool.query(`update app.idempotency_keys set created_at = created_at - interval '2 days'`)
    const second = await add(key, { ...grace, firstName: 'Ada' }, owner.client)
    expect([second.status, second.body.firstName]).toEqual([201, 'Ada'])
  })

  it('stores nothing of a registration, and signs in only with its password', async () => {
    // The keys of the tests above expire at some time.
    await app.services.pool.query('delete from app.idempotency_keys')
    const form = registrationForm()
    const headers = { 'idempotency-key': randomUUID() }
    const register = (body: object) => app.newClient().request('POST', '/api/register', body, headers)
    const first = await register(form)
    const second = await register(form)
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body.id).toBe(first.body.id)
    expect(await register({ ...form, password: 'another long password' })).toMatchObject({
      status: 409,
      problem: { code: 'email-taken' },
    })
    expect((await app.newClient().post('/api/register', form)).problem.code).toBe('email-taken')
    // After a change of the password, the first form is worth nothing.
    const otherHash = await hash('a password chosen later')
    await app.services.pool.query('update app.credentials set password_hash = $2 where user_id = $1', [
      first.body.id,
      otherHash,
    ])
    expect((await register(form)).problem.code).toBe('email-taken')
    expect(await countRows()).toBe(0)
  })
})
