import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backgroundHeader, maxSessionHours } from '#contracts/accounts.ts'
import { modules } from '#main/modules.ts'
import { openEventStream } from '#tests/support/event-stream.ts'
import { joinPractice } from '#tests/support/members.ts'
import { moduleWithOtherHeartbeats, silent } from '#tests/support/other-heartbeats.ts'
import { newOwner, newUser, password, registrationForm } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { useTwoInstances } from '#tests/support/two-instances.ts'
import { itLong } from '#tests/support/long.ts'

const minute = 60_000
const cookieOf = (answer: { headers: Headers }) =>
  answer.headers.getSetCookie().findLast((line) => /^(__Host-)?everchart\.sid=/.test(line)) ?? ''

describe('sessions', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.dispose())

  const rowsOf = async (userId: string) => {
    const { rows } = await app.services.pool.query<{ key_hash: string; session_id: string; last_seen_at: Date }>(
      'select * from app.sessions where user_id = $1 order by created_at',
      [userId],
    )
    return rows
  }

  it('are cookies no script can read and no other site can send', async () => {
    const cookie = cookieOf(await app.newClient().post('/api/register', registrationForm()))
    expect(cookie).toMatch(/; path=\/; samesite=lax; httponly$/i)
    expect(cookie).not.toMatch(/expires|max-age|domain|; secure/i)
  })

  it('are kept as hashes: who copies the table gets in nowhere', async () => {
    const { client, user } = await newUser(app)
    const secret = /everchart\.sid=([^;]+)/.exec(client.cookie() ?? '')?.[1] ?? ''
    const rows = await rowsOf(user.id)
    expect(rows).toHaveLength(1)
    expect(secret.length).toBeGreaterThan(40)
    expect(JSON.stringify(rows)).not.toContain(secret)
    const thief = app.newClient()
    thief.setCookie(`everchart.sid=${rows[0]?.key_hash}`)
    expect((await thief.get('/api/user')).status).toBe(401)
  })

  it('are worth nothing without their signature', async () => {
    const { client } = await newUser(app)
    const forger = app.newClient()
    forger.setCookie(client.cookie()?.replace(/everchart\.sid\.sig=[^;]+/, 'everchart.sid.sig=forged'))
    expect((await forger.get('/api/user')).status).toBe(401)
  })

  it('are each those of their own user when many requests arrive at the same time', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => newUser(app)))
    const revoked = users[2] ?? expect.fail()
    await app.services.sessions.revokeAll(revoked.user.id)
    const stranger = app.newClient()
    const replies = await Promise.all([
      ...users.flatMap(({ client }) => [client.get('/api/user'), client.get('/api/user')]),
      stranger.get('/api/user'),
    ])
    const expected = users.flatMap((each) => {
      const reply = each === revoked ? 401 : each.user.id
      return [reply, reply]
    })
    expect(replies.map(({ status, body }) => (status === 200 ? body.id : status))).toEqual([...expected, 401])
  })

  it('get a new secret at every sign-in, and the old one ends', async () => {
    const { client, user } = await newUser(app)
    const before = client.cookie()
    await client.post('/api/login', { email: user.email, password })
    expect(client.cookie()).not.toBe(before)
    expect(await rowsOf(user.id)).toHaveLength(1)
    const old = app.newClient()
    old.setCookie(before)
    expect((await old.get('/api/user')).status).toBe(401)
    expect((await client.get('/api/user')).status).toBe(200)
  })

  it('never use a secret that an attacker planted', async () => {
    const { client: attacker } = await newUser(app)
    const victim = app.newClient()
    victim.setCookie(attacker.cookie())
    const { user } = await newUser(app)
    await victim.post('/api/login', { email: user.email, password })
    expect(victim.cookie()).not.toBe(attacker.cookie())
    expect((await attacker.get('/api/user')).status).toBe(401)
    expect((await victim.get('/api/user')).body.id).toBe(user.id)
  })

  it('end on sign-out, in this browser and not in others', async () => {
    const { client, user } = await newUser(app)
    const elsewhere = app.newClient()
    await elsewhere.post('/api/login', { email: user.email, password })
    const kept = client.cookie()
    await client.post('/api/logout')
    expect(client.cookie()).not.toContain('everchart.sid')
    expect(await rowsOf(user.id)).toHaveLength(1)
    client.setCookie(kept)
    expect((await client.get('/api/user')).status).toBe(401)
    expect((await elsewhere.get('/api/user')).status).toBe(200)
  })

  it('can all be ended at once, but for the one that asks', async () => {
    const { client, user } = await newUser(app)
    const others = [app.newClient(), app.newClient()]
    for (const other of others) await other.post('/api/login', { email: user.email, password })
    const { user: bystander, client: untouched } = await newUser(app)
    const [own] = await rowsOf(user.id)
    expect(await app.services.sessions.revokeAll(user.id, own?.session_id)).toHaveLength(2)
    expect((await client.get('/api/user')).status).toBe(200)
    for (const other of others) expect((await other.get('/api/user')).status).toBe(401)
    expect(await app.services.sessions.revokeAll(user.id)).toHaveLength(1)
    expect((await client.get('/api/user')).status).toBe(401)
    expect((await untouched.get('/api/user')).body.id).toBe(bystander.id)
  })

  it('take a right away with the next click', async () => {
    const { client, user } = await newUser(app)
    await app.services.pool.query('update read.users set role = $2 where user_id = $1', [user.id, 'nurse'])
    expect((await client.get('/api/user')).body.role).toBe('nurse')
  })

  it('are written at most once a minute', async () => {
    const { client, user } = await newUser(app)
    const seen = async () => (await rowsOf(user.id))[0]?.last_seen_at.getTime() ?? 0
    const first = await seen()
    for (let n = 0; n < 3; n++) await client.get('/api/user')
    expect(await seen()).toBe(first)
    app.advanceClock(61_000)
    await client.get('/api/user')
    const second = await seen()
    expect(second).toBeGreaterThan(first)
    await client.get('/api/user')
    expect(await seen()).toBe(second)
  })

  it('end after an hour without a click, and not with clicks in between', async () => {
    const { client } = await newUser(app)
    const { client: idle } = await newUser(app)
    app.advanceClock(59 * minute)
    expect((await client.get('/api/user')).status).toBe(200)
    app.advanceClock(2 * minute)
    expect((await client.get('/api/user')).status).toBe(200)
    expect((await idle.get('/api/user')).status).toBe(401)
    app.advanceClock(61 * minute)
    expect((await client.get('/api/user')).status).toBe(401)
  })

  it('end after the time that the practice has chosen, for each of its members', async () => {
    const [short, long, other] = await Promise.all([newOwner(app), newOwner(app), newOwner(app)])
    const choose = ({ client, practice }: typeof short, sessionTimeout: number) =>
      client.patch(`/api/practices/${practice.id}`, { sessionTimeout })
    expect((await choose(short, 30)).body).toMatchObject({ sessionTimeout: 30, settings: { sessionTimeout: 30 } })
    expect((await choose(long, 120)).status).toBe(200)
    expect(await choose(other, 45)).toMatchObject({ status: 422, problem: { errors: [{ path: 'sessionTimeout' }] } })
    expect((await short.client.get('/api/user')).body.sessionTimeout).toBe(30)
    const nurse = await joinPractice(app, short.practice.id, 'nurse')
    app.advanceClock(31 * minute)
    expect((await short.client.get('/api/user')).status).toBe(401)
    expect((await nurse.get('/api/user')).status).toBe(401)
    expect((await other.client.get('/api/user')).status).toBe(200)
    app.advanceClock(61 * minute)
    expect((await other.client.get('/api/user')).status).toBe(401)
    expect((await long.client.get('/api/user')).status).toBe(200)
  })

  it('of a clock that was ahead end when it is corrected, and a few minutes are allowed', async () => {
    const before = await newUser(app)
    app.advanceClock(4 * minute)
    const { client: kept } = await newUser(app)
    app.advanceClock(-4 * minute)
    expect((await kept.get('/api/user')).status).toBe(200)
    app.advanceClock(50 * minute)
    const ahead = await newUser(app)
    expect((await before.client.get('/api/user')).status).toBe(200)
    app.advanceClock(-50 * minute)
    for (const { client } of [before, ahead]) expect((await client.get('/api/user')).status).toBe(401)
    await app.newClient().post('/api/login', { email: ahead.user.email, password })
    await app.services.sessions.deleteIdle(new Date(0))
    expect(await rowsOf(ahead.user.id)).toHaveLength(1)
  })

  it('end after twelve hours, however active they are', async () => {
    const { client } = await newUser(app)
    for (let elapsed = 50; elapsed < maxSessionHours * 60; elapsed += 50) {
      expect((await client.get('/api/user')).status).toBe(200)
      app.advanceClock(50 * minute)
    }
    expect((await client.get('/api/user')).status).toBe(200)
    app.advanceClock(50 * minute)
    expect((await client.get('/api/user')).status).toBe(401)
  })

  it('are not kept alive by requests that no user caused', async () => {
    const { client } = await newOwner(app)
    app.advanceClock(40 * minute)
    const refetched = await client.request('GET', '/api/patients', undefined, { [backgroundHeader]: 'true' })
    expect(refetched.status).toBe(200)
    const stream = await openEventStream(client, '/api/changes')
    expect(stream.status).toBe(200)
    stream.close()
    app.advanceClock(21 * minute)
    expect((await client.get('/api/patients')).status).toBe(401)
  })

  it('are cleared from the browser on sign-out, except for what makes the device known', async () => {
    const { client } = await newUser(app)
    const answer = await client.post('/api/logout')
    expect(answer.headers.get('clear-site-data')).toBe('"cache", "storage"')
    expect(client.cookie()).toMatch(/^everchart\.device=/)
  })

  it('are signed with SHA-256', async () => {
    const { client } = await newUser(app)
    const signature = /everchart\.sid\.sig=([^;]+)/.exec(client.cookie() ?? '')?.[1] ?? ''
    expect(Buffer.from(signature, 'base64url')).toHaveLength(32)
  })

  it('leave nothing behind when they were idle for a day', async () => {
    const { user } = await newUser(app)
    app.advanceClock(25 * 60 * minute)
    await app.services.jobs.send('forget-sessions-and-tries', {})
    await expect.poll(() => rowsOf(user.id)).toEqual([])
  })
})

describe('event streams of a session', () => {
  // Without heartbeats: the next one would end the streams too, although no notification came.
  const instances = useTwoInstances([...modules, moduleWithOtherHeartbeats])

  itLong('end at once when the user signs out, on every instance, and those of other browsers stay', async () => {
    const { one, other } = instances
    const { client, user } = await newOwner(one)
    const elsewhere = one.newClient()
    await elsewhere.post('/api/login', { email: user.email, password })
    const remote = other.newClient()
    remote.setCookie(client.cookie())
    const [own, onOther, untouched] = [
      await openEventStream(client, silent.path),
      await openEventStream(remote, silent.path),
      await openEventStream(elsewhere, silent.path),
    ]
    await client.post('/api/logout')
    await Promise.all([own, onOther].map((stream) => stream.waitUntil(() => false)))
    expect([own.isEnded(), onOther.isEnded()]).toEqual([true, true])
    await elsewhere.post('/api/patients', { firstName: 'Still', lastName: 'Connected' })
    await untouched.waitUntil(() => untouched.messages('change').length > 0)
    expect(untouched.isEnded()).toBe(false)
    untouched.close()
  })

  it('end at once when all sessions of the user are revoked', async () => {
    const { one, other } = instances
    const { client, user } = await newOwner(one)
    const remote = other.newClient()
    remote.setCookie(client.cookie())
    const streams = [await openEventStream(client, silent.path), await openEventStream(remote, silent.path)]
    await one.services.sessions.revokeAll(user.id)
    await Promise.all(streams.map((stream) => stream.waitUntil(() => false)))
    expect(streams.map((stream) => stream.isEnded())).toEqual([true, true])
  })
})

describe('behind TLS', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ publicUrl: 'https://practice.example' })
  })
  afterAll(() => app.dispose())

  it('cookies are sent over TLS only', async () => {
    const client = app.newClient()
    const answer = await client.post('/api/register', registrationForm())
    expect(answer.status).toBe(201)
    expect(answer.headers.getSetCookie()).toHaveLength(4)
    // The prefix lets browsers refuse a cookie that another host or an unencrypted page has set.
    for (const line of answer.headers.getSetCookie()) {
      expect(line).toMatch(/^__Host-everchart\.(sid|device)(\.sig)?=/)
      expect(line).toMatch(/; path=\/; .*secure; httponly/i)
      expect(line).not.toMatch(/domain/i)
    }
    expect((await client.get('/api/user')).status).toBe(200)
    expect(cookieOf(answer)).toMatch(/; samesite=lax; secure; httponly$|; secure; .*httponly/i)
  })

  it('a proxy that forgets to say so breaks nothing', async () => {
    const answer = await app.newClient().request('POST', '/api/register', registrationForm(), {
      'x-forwarded-proto': '',
    })
    expect([answer.status, answer.problem.code]).toEqual([201, undefined])
    expect(cookieOf(answer)).toMatch(/; secure/i)
  })
})
