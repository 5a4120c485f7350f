import type { Pool } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { migrate } from '#database/migrations.ts'
import { deleteOldDeliveries, deliveriesMigration } from '#mail/announcements.ts'
import { createMail } from '#mail/deliveries.ts'
import { MailOutcomeUnknown, MailPostponed, MailRefused, MailUnavailable } from '#mail/errors.ts'
import type { Mailer } from '#mail/mailer.ts'
import type { MailMessage } from '#mail/message.ts'
import { createTestDatabase, openTestPool } from '#tests/support/test-database.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let pool: Pool
beforeAll(async () => {
  database = await createTestDatabase()
  pool = openTestPool(database.url, 4)
  await migrate(pool, [deliveriesMigration])
})
afterAll(async () => {
  await pool.end()
  await database.drop()
})
beforeEach(async () => void (await pool.query('delete from app.mail_deliveries')))

const message: MailMessage = { key: 'one', to: 'a@b.example', subject: '', text: '', html: '', date: new Date() }
const { signal } = new AbortController()
const now = new Date('2026-11-20T08:00:00.000Z')

/** Returns a mail whose attempts end with these errors, and then succeed; `sent` counts the attempts. */
function createFailing(errors: readonly Error[], on = pool, kind: Mailer['kind'] = 'smtp') {
  const left = [...errors]
  const attempts = { sent: 0 }
  const mailer: Mailer = {
    kind,
    async send() {
      attempts.sent++
      const error = left.shift()
      if (error) throw error
    },
    verify: async () => undefined,
  }
  return { attempts, mail: createMail({ pool: on, mailer, clock: () => now }) }
}

describe('a message', () => {
  it('is sent once, whichever instance delivers it again', async () => {
    const { mail, attempts } = createFailing([])
    await mail.deliver(message, signal)
    await mail.deliver(message, signal)
    await createFailing([new Error('not called')]).mail.deliver(message, signal)
    expect(attempts.sent).toBe(1)
  })

  it('is sent by one of two instances that deliver it at the same time', async () => {
    const [one, other] = [createFailing([]), createFailing([])]
    await Promise.allSettled([one.mail.deliver(message, signal), other.mail.deliver(message, signal)])
    expect(one.attempts.sent + other.attempts.sent).toBe(1)
  })

  it('is sent again after it was certainly not accepted', async () => {
    const errors = [new MailUnavailable('ECONNREFUSED'), new MailPostponed('smtp-451'), new MailRefused('smtp-550')]
    const { mail, attempts } = createFailing(errors)
    for (const error of errors) await expect(mail.deliver(message, signal)).rejects.toBe(error)
    await mail.deliver(message, signal)
    expect(attempts.sent).toBe(4)
  })

  it('is not sent again while its outcome is unknown, unless an operator decides about it', async () => {
    const { mail, attempts } = createFailing([new MailOutcomeUnknown()])
    for (let n = 0; n < 3; n++) await expect(mail.deliver(message, signal)).rejects.toBeInstanceOf(MailOutcomeUnknown)
    expect(attempts.sent).toBe(1)
    await mail.release(message.key)
    await mail.deliver(message, signal)
    await mail.release(message.key)
    await mail.deliver(message, signal)
    expect(attempts.sent).toBe(2)
  })

  it('is concluded later when the database was away', async () => {
    let isAway = false
    const unreliable = {
      query: async (...args: Parameters<Pool['query']>) => {
        if (isAway && String(args[0]).startsWith('update')) throw new Error('away')
        return await pool.query(...args)
      },
    } as unknown as Pool
    const { mail, attempts } = createFailing([], unreliable)
    isAway = true
    await expect(mail.deliver(message, signal)).rejects.toThrow('away')
    isAway = false
    await mail.deliver(message, signal)
    expect(attempts.sent).toBe(1)
  })

  it('is stored in the outbox as often as it is delivered, in one file', async () => {
    const { mail, attempts } = createFailing([], pool, 'outbox')
    await mail.deliver(message, signal)
    await mail.deliver(message, signal)
    expect([attempts.sent, mail.getStatus()]).toEqual([2, 'outbox'])
  })
})

describe('the state of mail', () => {
  it('is down while the server cannot be used, and not because of single messages', async () => {
    const { mail } = createFailing([
      new MailPostponed('smtp-451'),
      new MailUnavailable('smtp-535'),
      new MailRefused('smtp-550'),
    ])
    const states = [mail.getStatus()]
    for (const key of ['1', '2', '3', '4']) {
      await mail.deliver({ ...message, key }, signal).catch(() => undefined)
      states.push(mail.getStatus())
    }
    expect(states).toEqual(['ok', 'ok', 'down', 'ok', 'ok'])
  })
})

it('deletes announcements after half a year', async () => {
  const { mail } = createFailing([])
  await mail.deliver(message, signal)
  const count = async () => (await pool.query('select from app.mail_deliveries')).rowCount
  await deleteOldDeliveries(pool, new Date('2027-05-01T00:00:00.000Z'))
  expect(await count()).toBe(1)
  await deleteOldDeliveries(pool, new Date('2027-06-01T00:00:00.000Z'))
  expect(await count()).toBe(0)
})
