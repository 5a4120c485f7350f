import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { productionQuotas } from '#http/write-quotas.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { readStream } from '#tests/support/events.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner, newUser, password, registrationForm } from '#tests/support/practice.ts'
import { proveEmail } from '#tests/support/prove-email.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { readMessages } from '#tests/support/outbox.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { itLong } from '#tests/support/long.ts'

const minute = 60_000
const day = 1_440 * minute
const addPatient = (client: Client, n: number) =>
  client.post('/api/patients', { firstName: 'Ada', lastName: `Patient ${n}` })
/** Undoes the encoding of long lines in messages (RFC 2045, quoted-printable) as far as links need it. */
const decode = (content: string) => content.replaceAll('=\r\n', '').replaceAll('=3D', '=')
const mustProve = async (client: Client): Promise<boolean> => (await client.get('/api/user')).body.mustProveEmail

describe('with a mail server, a new account', () => {
  let server: MailServer
  let app: TestApp
  const small = { ...productionQuotas.unprovenPractice, minute: { rows: 10, bytes: 1_000_000 } }
  beforeAll(async () => {
    server = await startMailServer()
    app = await startTestApp({ smtp: server.settings(), quotas: { ...productionQuotas, unprovenPractice: small } })
  })
  afterAll(async () => {
    await app.dispose()
    await server.close()
  })
  /** Waits for so many messages with a link to an address, and returns the tokens of the links. */
  const waitForTokens = (email: string, count = 1) =>
    waitUntil(
      () =>
        server.messages
          .filter(({ to }) => to === email)
          .flatMap(({ content }) => /\/confirm-email\/([\w.-]+)/.exec(decode(content))?.[1] ?? []),
      (tokens) => tokens.length >= count,
    )
  const waitForToken = async (email: string) => (await waitForTokens(email))[0] ?? ''
  const signedInAgain = async (email: string) => {
    const client = app.newClient()
    await client.post('/api/login', { email, password })
    return client
  }
  const confirm = (token: string) => app.newClient().post('/api/email/confirm', { token })

  it('gets a link, and is confirmed with it without a session, once or more often', async () => {
    const { client, user } = await newUser(app)
    expect(user.mustProveEmail).toBe(true)
    const token = await waitForToken(user.email)
    for (const forged of [token.slice(0, -1), `${token}0`, 'x', '']) expect((await confirm(forged)).status).toBe(404)
    expect(await mustProve(client)).toBe(true)
    expect(await confirm(token)).toMatchObject({ status: 200, body: { email: user.email } })
    expect(await mustProve(client)).toBe(false)
    expect((await confirm(token)).status).toBe(200)
    const events = await readStream(app.services.store, `user-${user.id}`)
    expect(events.map(({ type }) => type)).toEqual(['UserRegistered', 'EmailProofRequested', 'EmailProved'])
    expect((await client.post('/api/account/email/proof')).problem.code).toBe('email-proved')
  })

  it('gets another link on request, five times an hour; only the last one works, for seven days', async () => {
    const { client, user } = await newUser(app)
    const first = await waitForToken(user.email)
    for (let n = 0; n < 5; n++) expect((await client.post('/api/account/email/proof')).status).toBe(204)
    expect((await client.post('/api/account/email/proof')).status).toBe(429)
    expect(await confirm(first)).toMatchObject({ status: 410, problem: { code: 'link-expired' } })
    app.advanceClock(7 * day)
    await expect(proveEmail(app, await signedInAgain(user.email))).rejects.toThrow('confirm: 410')
    expect((await app.newClient().post('/api/account/email/proof')).status).toBe(401)
  })

  it('keeps its practice within a small quota, and does not invite others, until it is confirmed', async () => {
    const { client } = await newOwner(app)
    const statuses: number[] = []
    for (let n = 0; n < 15; n++) statuses.push((await addPatient(client, n)).status)
    expect(statuses).toContain(201)
    const refused = await addPatient(client, 16)
    expect(refused).toMatchObject({ status: 429, problem: { code: 'email-unconfirmed' } })
    expect(refused.problem.message).toMatch(
      /^Until you confirm your email .* Please try again in (\d+ seconds|1 minute)\.$/,
    )
    expect((await client.get('/api/patients')).status).toBe(200)
    app.advanceClock(minute)
    const invitation = { email: registrationForm().email as string, role: 'nurse' }
    expect(await client.post('/api/team/invitations', invitation)).toMatchObject({
      status: 403,
      problem: { code: 'email-unconfirmed' },
    })
    for (let n = 0; n < 15; n++) await addPatient(client, 20 + n)
    expect((await addPatient(client, 40)).status).toBe(429)
    await proveEmail(app, client)
    expect((await addPatient(client, 41)).status).toBe(201)
    expect((await client.post('/api/team/invitations', invitation)).status).toBe(201)
  })

  it('is not limited once its practice has paid', async () => {
    const { client } = await newOwner(app)
    await subscribe(client, 'starter')
    await waitForUserSubscription(client, 'trial')
    for (let n = 0; n < 15; n++) expect((await addPatient(client, n)).status).toBe(201)
    expect(await mustProve(client)).toBe(true)
  })

  it('needs no proof when it came by an invitation', async () => {
    const { practice } = await newOwner(app)
    const member = await joinPractice(app, practice.id, 'nurse')
    expect(await mustProve(member)).toBe(false)
  })
})

itLong('without a mail server, nothing is asked and nothing withheld', async () => {
  const app = await startTestApp()
  try {
    const { client, user } = await newOwner(app)
    expect(user.mustProveEmail).toBe(false)
    expect((await readStream(app.services.store, `user-${user.id}`)).map(({ type }) => type)).toEqual([
      'UserRegistered',
    ])
    expect((await client.post('/api/account/email/proof')).problem.code).toBe('email-proved')
    expect(await readMessages(app, user.email)).toEqual([])
  } finally {
    await app.dispose()
  }
})
