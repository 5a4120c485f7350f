import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { deriveId } from '#eventstore/derive-id.ts'
import { listDeadLetters } from '#jobs/dead-letters.ts'
import { findMorning, requestDigests } from '#modules/notifications/jobs.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import type { Client } from '#tests/support/client.ts'
import { type MailReply, type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { newNotifiedPractice, startAtNine } from './notified-practice.ts'
import { itLong } from '#tests/support/long.ts'

describe('the morning', () => {
  it.each([
    ['2026-11-20T11:59:00.000Z', 'America/New_York', null],
    ['2026-11-20T12:00:00.000Z', 'America/New_York', '2026-11-20'],
    ['2026-11-20T16:59:00.000Z', 'America/New_York', '2026-11-20'],
    ['2026-11-20T17:00:00.000Z', 'America/New_York', null],
    // The day after is the date in Auckland.
    ['2026-11-20T18:30:00.000Z', 'Pacific/Auckland', '2026-11-21'],
    // The clock goes forward in the night before, and back.
    ['2026-03-08T11:07:00.000Z', 'America/New_York', '2026-03-08'],
    ['2026-11-01T11:07:00.000Z', 'America/New_York', null],
    ['2026-11-01T12:07:00.000Z', 'America/New_York', '2026-11-01'],
  ])('at %s in %s: %s', (now, zone, date) => {
    expect(findMorning(new Date(now), zone)).toBe(date)
  })
})

describe('the daily message', () => {
  let app: TestApp
  let server: MailServer
  /** The replies to the next contents; then they are accepted. */
  let replies: MailReply[] = []
  let attempts = 0
  let invited = 0

  beforeAll(async () => {
    server = await startMailServer({
      answer(step) {
        if (step !== 'content') return 'accept'
        attempts++
        return replies.shift() ?? 'accept'
      },
    })
    // Without the messages of registrations.
    app = await startTestApp({ smtp: server.settings(), disabledProcessManagers: ['follow-accounts'] })
    startAtNine(app)
  })
  afterEach(() => {
    replies = []
    attempts = 0
    server.messages.splice(0)
  })
  afterAll(async () => {
    await app.dispose()
    await server.close()
  })

  const switchOn = async (client: Client) => {
    const reply = await client.patch('/api/notifications/preferences', { choices: { dailyDigest: true } })
    expect(reply.status).toBe(200)
  }

  /** Creates a practice with a plan whose owner receives the message. */
  async function newDigestPractice(plan = 'starter') {
    const fixture = await newNotifiedPractice(app)
    await subscribe(fixture.client, plan)
    await waitForUserSubscription(fixture.client, 'trial')
    await switchOn(fixture.client)
    // The invitations of the three members, which are not sent once they were accepted.
    invited += 3
    await waitUntilDone('send-invitation', invited)
    server.messages.splice(0)
    attempts = 0
    return fixture
  }

  /** Runs the scheduled job, and waits until no message is waiting or being sent. */
  async function runMorning(): Promise<void> {
    await requestDigests.run(app.services, {}, { id: 'run', attempt: 1, signal: new AbortController().signal })
    await waitUntilDone('send-notification-digest')
  }

  /** Waits until no message of a job is waiting or being sent, and at least some have been. */
  const waitUntilDone = (job: string, atLeast = 0) =>
    waitUntil(async () => {
      const { rows } = await app.services.pool.query<{ open: number; all: number }>(
        `select count(*) filter (where state in ('created', 'retry', 'active'))::int as open, count(*)::int as all
         from jobs.job where name = $1`,
        [job],
      )
      return rows[0]?.open === 0 && rows[0].all >= atLeast
    })

  /** Returns the texts of the messages to an address, without the line breaks of the encoding. */
  const readMessagesTo = (email: string) =>
    server.messages
      .filter(({ to }) => to === email)
      .map(({ content }) => content.replaceAll('=\r\n', '').replaceAll('=3D', '='))

  itLong('is sent once a day to persons who chose it, with counts and links and without names', async () => {
    const { user, nurse, book, cancel } = await newDigestPractice()
    await book('14:00', 0, { type: 'emergency', reason: 'Chest pain' })
    await book('14:30', 0, { type: 'emergency' })
    await cancel((await book('15:00')).id)
    // As by two instances, and in the next hour.
    await Promise.all([runMorning(), runMorning()])
    await runMorning()
    const [text = '', ...more] = readMessagesTo(user.email)
    expect(more).toEqual([])
    expect(text).toContain('Subject: Your Everchart notifications')
    expect(text).toContain('- 2 emergencies')
    expect(text).toContain('- 1 cancelled appointment\r\n')
    expect(text).toContain('https://practice.example/dashboard')
    expect(text).toContain('https://practice.example/practice?tab=notifications')
    expect(text).not.toMatch(/Grace|Liu|Chest|PM|14:30/)
    expect(readMessagesTo(nurse.user.email)).toEqual([])
  })

  it('counts what is unread, and is not sent without anything new', async () => {
    const { client, user, book } = await newDigestPractice()
    await runMorning()
    expect(readMessagesTo(user.email)).toEqual([])
    // The message of this day was decided on: it is not sent later in the morning.
    await book('14:00', 0, { type: 'emergency' })
    await runMorning()
    expect(readMessagesTo(user.email)).toEqual([])
    expect((await client.get('/api/notifications')).body.unread).toBe(1)
  })

  itLong('counts the last seven days, without appointments that have started', async () => {
    const { user, practice, book } = await newDigestPractice()
    await book('14:00', 0, { type: 'emergency' })
    await book('14:30', 0, { type: 'emergency' })
    await book('08:00', 0, { type: 'emergency' })
    const { pool, clock } = app.services
    const setAge = (key: string, days: number) =>
      pool.query(
        `insert into read.notifications (key, id, practice_id, kind, at, amount_cents, currency)
         values ($2, gen_random_uuid(), $1, 'payment-failed', $3::timestamptz - make_interval(days => $4), 12900, 'USD')`,
        [practice.id, `${key} ${practice.id}`, new Date(clock().getTime() + 60_000), days],
      )
    await pool.query(`update read.users set joined_at = joined_at - interval '1 year' where practice_id = $1`, [
      practice.id,
    ])
    await setAge('recent', 6)
    await setAge('old', 8)
    await runMorning()
    const [text = ''] = readMessagesTo(user.email)
    expect(text).toContain('- 2 emergencies')
    expect(text).toContain('- 1 failed payment\r\n')
  })

  it('leaves out what the person switched off or may not see', async () => {
    const { client, user, nurse, book } = await newDigestPractice()
    await switchOn(nurse.client)
    await book('14:00', 0, { type: 'emergency' })
    await client.post('/api/subscription/cancel')
    await client.patch('/api/notifications/preferences', { choices: { appointmentReminders: false } })
    await runMorning()
    const [text = ''] = readMessagesTo(user.email)
    expect(text).toContain('- 1 subscription that will end')
    expect(text).not.toContain('emergenc')
    // The nurse booked the emergency, and does not see the subscription.
    expect(readMessagesTo(nurse.user.email)).toEqual([])
  })

  itLong('contains urgent insights, for a person and a plan that include them', async () => {
    const [included, other, switchedOff] = [
      await newDigestPractice('professional'),
      await newDigestPractice('starter'),
      await newDigestPractice('professional'),
    ]
    await switchedOff.client.patch('/api/notifications/preferences', { choices: { aiAlerts: false } })
    for (const { book, nurse } of [included, other, switchedOff]) {
      // The patient of tomorrow's appointment missed another one.
      const missed = await book('08:00')
      await nurse.client.patch(`/api/appointments/${missed.id}`, { status: 'no-show' })
      await book('10:00', 1)
    }
    const insights = (await included.client.get('/api/ai/insights')).body as { priority: string }[]
    expect(insights.filter(({ priority }) => priority === 'high')).toHaveLength(1)
    await runMorning()
    expect(readMessagesTo(included.user.email)[0]).toContain('- 1 insight of high priority')
    expect(readMessagesTo(other.user.email)).toEqual([])
    expect(readMessagesTo(switchedOff.user.email)).toEqual([])
  })

  it('is not sent to a practice without a plan, nor after it was switched off', async () => {
    const demo = await newNotifiedPractice(app)
    await switchOn(demo.client)
    await demo.book('14:00', 0, { type: 'emergency' })
    const off = await newDigestPractice()
    await off.book('14:00', 0, { type: 'emergency' })
    await off.client.patch('/api/notifications/preferences', { choices: { dailyDigest: false } })
    await runMorning()
    expect(readMessagesTo(demo.user.email)).toEqual([])
    expect(readMessagesTo(off.user.email)).toEqual([])
  })

  itLong('is tried again after a temporary refusal', async () => {
    const { user, book } = await newDigestPractice()
    await book('14:00', 0, { type: 'emergency' })
    replies = [451]
    await runMorning()
    expect(attempts).toBe(2)
    expect(readMessagesTo(user.email)).not.toEqual([])
    expect(await listDeadLetters(app.services.pool)).toEqual([])
  })

  itLong('is not sent again after its process was killed while sending it: an operator decides', async () => {
    const { client, user, today, book } = await newDigestPractice()
    await book('14:00', 0, { type: 'emergency' })
    expect((await client.get('/api/notifications/preferences')).body.delivery).toBe('mail')
    // The announcement that such a process leaves behind.
    await app.services.pool.query(`insert into app.mail_deliveries values ($1, 'sending', now())`, [
      deriveId(`notification digest ${user.id} ${today()}`),
    ])
    await runMorning()
    const letters = await waitUntil(
      () => listDeadLetters(app.services.pool),
      (found) => found.length === 1,
    )
    expect(letters).toMatchObject([{ error: expect.stringContaining('outcome-unknown'), attempts: 1 }])
    expect([attempts, readMessagesTo(user.email)]).toEqual([0, []])
    await app.services.pool.query('delete from app.dead_letters')
  })

  itLong('is not sent twice when the connection was cut after the content: an operator decides', async () => {
    const { user, book } = await newDigestPractice()
    await book('14:00', 0, { type: 'emergency' })
    replies = ['cut']
    await runMorning()
    const letters = await waitUntil(
      () => listDeadLetters(app.services.pool),
      (found) => found.length === 1,
    )
    expect(letters).toMatchObject([{ error: expect.stringContaining('outcome-unknown'), attempts: 1 }])
    await runMorning()
    expect(attempts).toBe(1)
    // The server received it before the connection was cut.
    expect(readMessagesTo(user.email)).toHaveLength(1)
  })

  itLong('is sent late in the morning when no instance was running before, and not in the afternoon', async () => {
    app.advanceClock(2.5 * 3_600_000)
    const late = await newDigestPractice()
    await late.book('14:00', 0, { type: 'emergency' })
    await runMorning()
    expect(readMessagesTo(late.user.email)).toHaveLength(1)
    app.advanceClock(3_600_000)
    const tooLate = await newDigestPractice()
    await tooLate.book('14:00', 0, { type: 'emergency' })
    await runMorning()
    expect(readMessagesTo(tooLate.user.email)).toEqual([])
  })
})
