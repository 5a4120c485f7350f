import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { normalizeUsername } from '#modules/accounts/names/unique-names.ts'
import { openEventStream } from '#tests/support/event-stream.ts'
import { readStream } from '#tests/support/events.ts'
import { newMember } from '#tests/support/members.ts'
import { newOwner, newUser, password, registrationForm } from '#tests/support/practice.ts'
import { interruptRequests } from '#tests/support/interrupt-requests.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

const path = '/api/account/profile'

describe('the own profile', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.dispose())

  it('is shown with the role, also before there is a practice', async () => {
    const { client, registration } = await newUser(app)
    const { firstName, lastName, username, email } = registration
    expect((await client.get(path)).body).toEqual({
      firstName,
      lastName,
      username,
      email,
      role: 'staff',
      isOwner: false,
      revision: 0,
    })
    const member = await newMember(app, (await newOwner(app)).practice.id, 'reviewer')
    expect((await member.client.get(path)).body).toMatchObject({ role: 'reviewer', isOwner: false })
  })

  it('is saved with what was there before, and shown by every call at once', async () => {
    const { client, user } = await newOwner(app)
    const saved = await client.patch(path, { firstName: '  Adaeze ', lastName: 'Bello', revision: 0 })
    expect(saved).toMatchObject({ status: 200, body: { firstName: 'Adaeze', lastName: 'Bello', isOwner: true } })
    expect((await client.get('/api/user')).body).toMatchObject({ firstName: 'Adaeze', lastName: 'Bello' })
    expect((await client.get('/api/team')).body.members).toMatchObject([{ firstName: 'Adaeze', lastName: 'Bello' }])
    const [, changed] = await readStream(app.services.store, `user-${user.id}`)
    expect(changed).toMatchObject({
      type: 'ProfileChanged',
      data: {
        from: { firstName: user.firstName, lastName: user.lastName },
        to: { firstName: 'Adaeze', lastName: 'Bello' },
      },
      metadata: { actor: { kind: 'user', userId: user.id }, practiceId: expect.any(String) },
    })
    expect((await client.patch(path, { firstName: 'Adaeze' })).body.revision).toBe(saved.body.revision)
  })

  it('refuses what a registration refuses, at the field', async () => {
    const { client } = await newUser(app)
    const refusals: [object, string, string][] = [
      [{ firstName: ' ' }, 'firstName', 'Please enter your first name'],
      [{ lastName: '' }, 'lastName', 'Please enter your last name'],
      [{ username: 'ab' }, 'username', 'Username must be at least 3 characters'],
      [{ username: 'a b c' }, 'username', 'Use letters, digits, dots, dashes or underscores'],
    ]
    for (const [body, field, message] of refusals)
      expect(await client.patch(path, body)).toMatchObject({
        status: 422,
        problem: { errors: [{ path: field, message }] },
      })
    expect((await client.patch(path, { role: 'administrator' })).status).toBe(422)
    expect((await client.patch(path, { email: 'other@example.test' })).status).toBe(422)
  })

  it('keeps usernames unique, and frees the old one', async () => {
    const [ada, ben] = [await newUser(app), await newUser(app)]
    const { username } = ben.registration
    const refused = await ada.client.patch(path, { firstName: 'Lost', username: String(username).toUpperCase() })
    expect(refused).toMatchObject({
      status: 409,
      problem: { code: 'username-taken', errors: [{ path: 'username', message: 'This username is already taken' }] },
    })
    expect((await ada.client.get(path)).body.firstName).toBe(ada.registration.firstName)
    const renamed = `renamed-${username}`
    expect((await ben.client.patch(path, { username: renamed })).body.username).toBe(renamed)
    expect((await ada.client.patch(path, { username })).body.username).toBe(username)
    expect((await app.newClient().post('/api/register', registrationForm({ username: renamed }))).status).toBe(409)
    expect((await ada.client.get('/api/user')).body.username).toBe(username)
  })

  it('gives one of many simultaneous requests the name', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => newUser(app)))
    const wanted = `wanted-${users[0]?.registration.username}`
    const replies = await Promise.all(users.map(({ client }) => client.patch(path, { username: wanted })))
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409])
    const names = await Promise.all(users.map(async ({ client }) => (await client.get(path)).body.username as string))
    expect(names.filter((name) => normalizeUsername(name) === normalizeUsername(wanted))).toHaveLength(1)
  })

  it('shows a second window what changed, and saves where nothing of the profile did', async () => {
    const { client, user } = await newOwner(app)
    await client.patch(path, { username: `x-${user.username}`, revision: 0 })
    const stale = await client.patch(path, { username: `y-${user.username}`, revision: 0 })
    expect(stale).toMatchObject({
      status: 409,
      problem: {
        code: 'changed-meanwhile',
        changes: [{ field: 'username', value: `x-${user.username}`, by: `${user.firstName} ${user.lastName}` }],
      },
    })
    // The refused name is free, and the event that gave it up is no conflict.
    const { revision } = (await client.get(path)).body
    const other = await newUser(app)
    expect((await other.client.patch(path, { username: `y-${user.username}` })).status).toBe(200)
    expect((await client.patch(path, { firstName: 'Adaeze', revision: revision - 1 })).body.firstName).toBe('Adaeze')
  })

  it('is changed when only other events of the account were added since, also with a new username', async () => {
    const { client, user } = await newUser(app)
    const { revision } = (await client.get(path)).body
    expect((await client.post('/api/account/email', { email: `new-${user.email}`, password })).status).toBe(200)
    expect(await client.patch(path, { username: `z-${user.username}`, revision })).toMatchObject({
      status: 200,
      body: { username: `z-${user.username}` },
    })
  })

  it('is changed once by a request whose reply was lost, whatever was saved since', async () => {
    const { client, user } = await newUser(app)
    const lost = { username: `lost-${user.username}` }
    const send = () => client.request('PATCH', path, lost, { 'idempotency-key': `lost-${user.id}` })
    expect((await send()).status).toBe(200)
    await interruptRequests(app.services.pool)
    const later = await client.patch(path, { username: `later-${user.username}` })
    expect(later.status).toBe(200)
    expect(await send()).toMatchObject({ status: 200, body: { username: `later-${user.username}` } })
    expect((await client.get(path)).body).toMatchObject({ username: `later-${user.username}` })
    expect((await app.newClient().post('/api/register', registrationForm(lost))).status).toBe(201)
  })

  it('tells the screens of the whole team', async () => {
    const { client, practice } = await newOwner(app)
    const colleague = await newMember(app, practice.id, 'nurse')
    const stream = await openEventStream(colleague.client, '/api/changes')
    await client.patch(path, { lastName: 'Bello' })
    const isTold = () => stream.messages('change').some((hint) => (hint as { kind: string }).kind === 'team')
    await stream.waitUntil(isTold)
    expect(isTold()).toBe(true)
    stream.close()
  })
})
