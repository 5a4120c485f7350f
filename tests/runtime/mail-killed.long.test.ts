import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  createTemporaryDataDir,
  expectStopped,
  type EverchartProcess,
  killAllProcesses,
  startEverchart,
} from '#tests/support/everchart-process.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { createClient } from '#tests/support/client.ts'
import { password, practiceDetails, registrationForm } from '#tests/support/practice.ts'
import { runTool } from '#tests/support/run-tool.ts'
import { turnOnTwoFactor } from '#tests/support/two-factor.ts'
import { waitUntil } from '#tests/support/wait-until.ts'

let data: Awaited<ReturnType<typeof createTemporaryDataDir>>
let server: MailServer
/** The step at which the server does not reply, as long as it is set. */
let held: 'recipient' | 'content' | null
/** The steps that the server has reached. */
let steps: string[]

beforeEach(async () => {
  data = await createTemporaryDataDir()
  steps = []
  server = await startMailServer({
    answer(step) {
      steps.push(step)
      return step === held ? new Promise(() => undefined) : 'accept'
    },
  })
})
afterEach(async () => {
  await server.close()
  await data.remove()
})

const settings = () => ({ SMTP_URL: server.url, MAIL_FROM: 'Everchart <news@practice.example>' })
const jobs = (...args: string[]) => runTool('jobs', args, { DATA_DIR: data.folder })

async function start(): Promise<EverchartProcess> {
  const app = startEverchart(data.folder, settings())
  await app.ready
  return app
}

/** Requests that send one message each, and its job. */
const messages = {
  newsletter: {
    path: '/api/newsletter/subscribe',
    body: { email: 'reader@example.test' },
    status: 202,
    job: 'send-newsletter-confirmation',
  },
  account: { path: '/api/register', body: registrationForm(), status: 201, job: 'send-email-proof' },
} as const

/** Starts, sends a request, and kills the application when the mail server does not reply to a step. */
async function killAt(step: 'recipient' | 'content', { path, body, status }: Message): Promise<void> {
  held = step
  const app = await start()
  const answer = await fetch(app.url() + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: app.url() },
    body: JSON.stringify(body),
  })
  expect(answer.status).toBe(status)
  await waitUntil(() => steps.includes(step))
  await killAllProcesses(data.folder)
  await app.ended
  held = null
}

type Message = (typeof messages)[keyof typeof messages]

const loadDeadLetters = async () =>
  JSON.parse((await jobs('list', '--json')).out) as { id: string; job: string; error: string }[]

test.each([
  ['newsletter', 'recipient'],
  ['newsletter', 'content'],
  ['account', 'content'],
] as const)(
  'a message about the %s whose process was killed before the reply to the %s is not sent twice by itself',
  async (kind, step) => {
    const message = messages[kind]
    await killAt(step, message)
    const sent = step === 'content' ? 1 : 0
    expect(server.messages).toHaveLength(sent)

    const app = await start()
    const [letter] = await waitUntil(loadDeadLetters, (letters) => letters.length === 1)
    expect(letter).toMatchObject({
      job: message.job,
      error: expect.stringContaining('outcome-unknown'),
    })
    expect(server.messages).toHaveLength(sent)

    expect(await jobs('retry', letter?.id ?? '')).toMatchObject({ code: 0 })
    await waitUntil(() => server.messages.length === sent + 1)
    await waitUntil(loadDeadLetters, (letters) => letters.length === 0)
    app.kill('SIGTERM')
    await expectStopped(app)
    expect(server.messages).toHaveLength(sent + 1)
  },
)

/** Returns the token of the link in the last message to an address, once it has arrived. */
async function receiveToken(email: string, page: string): Promise<string> {
  const link = new RegExp(`${page}/([\\w.~-]+)`)
  const decode = (content: string) => content.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  const findToken = () =>
    server.messages.flatMap(({ to, content }) => (to === email ? (link.exec(decode(content))?.[1] ?? []) : [])).at(-1)
  return (await waitUntil(findToken)) ?? ''
}

test(
  'messages about accounts and the team, all interrupted by one kill, are not sent twice',
  { timeout: 300_000 },
  async () => {
    held = null
    const app = await start()
    const owner = createClient(app.url())
    const expectOk = async (sent: Promise<{ status: number; body: unknown }>) => {
      expect(await sent).toMatchObject({ status: expect.toBeOneOf([200, 201, 202, 204]) })
    }
    const registration = registrationForm()
    const email = registration.email as string
    await expectOk(owner.post('/api/register', registration))
    await expectOk(owner.post('/api/email/confirm', { token: await receiveToken(email, '/confirm-email') }))
    await expectOk(owner.post('/api/practices/setup', { ...practiceDetails, selectedPlan: 'starter' }))

    const { email: invited, ...person } = registrationForm()
    await expectOk(owner.post('/api/team/invitations', { email: invited, role: 'nurse' }))
    const member = createClient(app.url())
    const token = await receiveToken(invited as string, '/invitations')
    await expectOk(member.post(`/api/invitations/${token}/accept`, person))
    await turnOnTwoFactor(member, () => new Date())
    const { body: team } = await owner.get('/api/team')
    const nurse = (team.members as { userId: string; email: string }[]).find((each) => each.email === invited)
    const next = `new-${email}`
    await expectOk(owner.post('/api/account/email', { email: next, password }))
    const change = await receiveToken(next, '/email')
    await waitUntil(() => server.messages.filter(({ to }) => to === email).length === 2)

    held = 'content'
    const sentBefore = server.messages.length
    await expectOk(owner.post('/api/team/invitations', { email: `other-${invited as string}`, role: 'nurse' }))
    await expectOk(owner.post(`/api/team/${nurse?.userId}/two-factor/reset`, { password }))
    await expectOk(owner.post('/api/password/forgot', { email: invited }))
    await expectOk(owner.post('/api/account/email/confirm', { token: change }))
    await expectOk(owner.post('/api/account/email', { email: `newer-${email}`, password }))
    await expectOk(owner.post('/api/account/password', { currentPassword: password, password: `another ${password}` }))
    const expected = [
      'send-email-change-notice',
      'send-email-confirmation',
      'send-email-request-notice',
      'send-invitation',
      'send-password-notice',
      'send-password-reset',
      'send-two-factor-notice',
    ]
    const sent = sentBefore + expected.length
    await waitUntil(() => server.messages.length === sent)
    await killAllProcesses(data.folder)
    await app.ended
    held = null

    const again = await start()
    const letters = await waitUntil(loadDeadLetters, ({ length }) => length >= expected.length)
    expect(letters.map(({ job }) => job).toSorted()).toEqual(expected)
    for (const { error } of letters) expect(error).toContain('outcome-unknown')
    again.kill('SIGTERM')
    await expectStopped(again)
    expect(server.messages).toHaveLength(sent)
  },
)
