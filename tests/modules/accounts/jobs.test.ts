import { afterAll, beforeAll, expect, it } from 'vitest'
import { waitUntil } from '#tests/support/wait-until.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => (app = await startTestApp()))
afterAll(() => app.dispose())

const countOf = async (table: string) =>
  (await app.services.pool.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n

it('deletes abandoned sessions and expired attempts each night, and no active session', async () => {
  const { client: abandoned } = await newOwner(app)
  await app.newClient().post('/api/login', { email: 'unknown@example.test', password: 'wrong password' })
  expect(await countOf('app.attempts')).toBeGreaterThan(0)
  app.advanceClock(25 * 3_600_000)
  const { client } = await newOwner(app)
  expect(await countOf('app.sessions')).toBe(2)
  const fresh = await app.services.pool.query("select key from app.attempts where began_at > now() + interval '1 hour'")

  const nightly = await app.services.pool.query(
    `select cron from jobs.schedule where name = 'forget-sessions-and-tries'`,
  )
  expect(nightly.rows).toEqual([{ cron: '23 3 * * *' }])
  await app.services.jobs.send('forget-sessions-and-tries', {})
  await waitUntil(async () => (await countOf('app.sessions')) === 1)
  await waitUntil(async () => (await countOf('app.attempts')) === fresh.rowCount)
  expect((await client.get('/api/user')).status).toBe(200)
  expect((await abandoned.get('/api/user')).status).toBe(401)
})

it('deletes challenges of passkeys that have expired, and no other', async () => {
  const [late, open] = [app.newClient(), app.newClient()]
  await late.post('/api/login/passkey/options')
  app.advanceClock(5 * 60_000 + 1_000)
  const { challengeId } = (await open.post('/api/login/passkey/options')).body
  await app.services.jobs.send('forget-sessions-and-tries', {})
  await waitUntil(async () => (await countOf('app.passkey_challenges')) === 1)
  const { rows } = await app.services.pool.query('select challenge_id from app.passkey_challenges')
  expect(rows).toEqual([{ challenge_id: challengeId }])
})
