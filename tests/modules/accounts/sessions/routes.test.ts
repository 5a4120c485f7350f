import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AccountSession } from '#contracts/account-security.ts'
import { describeDevice, shortenAddress } from '#http/describe-client.ts'
import { openEventStream } from '#tests/support/event-stream.ts'
import { readStream } from '#tests/support/events.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

describe('the sessions of a user', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app.dispose())

  /** Signs in from a second browser. */
  async function signInElsewhere(email: string) {
    const client = app.newClient()
    await client.request('POST', '/api/login', { email, password }, { 'user-agent': firefox })
    return client
  }
  const list = async (client: Awaited<ReturnType<typeof signInElsewhere>>): Promise<AccountSession[]> =>
    (await client.get('/api/account/sessions')).body.items

  it('are listed with browser, network and times, this one first', async () => {
    const { client, user } = await newUser(app)
    await signInElsewhere(user.email)
    const sessions = await list(client)
    expect(sessions).toMatchObject([
      { isCurrent: true, network: '127.0.0.*' },
      { isCurrent: false, device: 'Firefox on Windows', network: '127.0.0.*' },
    ])
    const { client: stranger } = await newUser(app)
    expect(await list(stranger)).toHaveLength(1)
  })

  it('end one by one, with their live screens, and the record says so', async () => {
    const { client, user } = await newOwner(app)
    const elsewhere = await signInElsewhere(user.email)
    const stream = await openEventStream(elsewhere, '/api/changes')
    const other = (await list(client)).find(({ isCurrent }) => !isCurrent)
    const path = `/api/account/sessions/${other?.id}`
    const { client: stranger } = await newUser(app)
    expect((await stranger.delete(path)).status).toBe(404)
    expect((await client.delete(path)).status).toBe(204)
    await stream.waitUntil(() => stream.isEnded())
    expect((await elsewhere.get('/api/user')).status).toBe(401)
    expect((await client.get('/api/user')).status).toBe(200)
    expect((await client.delete(path)).status).toBe(404)
    const events = await readStream(app.services.store, `session-${other?.id}`)
    expect(events.at(-1)).toMatchObject({ type: 'SignedOut', data: { reason: 'revoked' } })
  })

  it('all end but this one', async () => {
    const { client, user } = await newUser(app)
    const others = [await signInElsewhere(user.email), await signInElsewhere(user.email)]
    expect((await client.delete('/api/account/sessions')).status).toBe(204)
    for (const other of others) expect((await other.get('/api/user')).status).toBe(401)
    expect(await list(client)).toMatchObject([{ isCurrent: true }])
  })

  it('are not listed once they have been idle for too long', async () => {
    const { client, user } = await newUser(app)
    await signInElsewhere(user.email)
    app.advanceClock(40 * 60_000)
    await client.get('/api/user')
    app.advanceClock(40 * 60_000)
    expect(await list(client)).toMatchObject([{ isCurrent: true }])
  })
})

describe('a client', () => {
  it.each([
    [firefox, 'Firefox on Windows'],
    [
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
      'Chrome on Linux',
    ],
    ['node', ''],
    ['', ''],
    ['x'.repeat(10_000), ''],
  ])('with the header %s is %s', (header, device) => {
    expect(describeDevice(header)).toBe(device)
  })

  it.each([
    ['203.0.113.77', '203.0.113.*'],
    ['::ffff:203.0.113.77', '203.0.113.*'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1::'],
    ['2001:db8::6', '2001:db8:0::'],
    ['::1', '0:0:0::'],
    ['unknown', ''],
  ])('at %s is in the network %s', (address, network) => {
    expect(shortenAddress(address)).toBe(network)
  })
})
