import { afterAll, beforeAll, expect, it } from 'vitest'
import { PracticeId } from '#contracts/values/ids.ts'
import { isKeptUntilMorning } from '#modules/confirmations/keep-until-morning.ts'
import { confirmationSettings } from '#modules/confirmations/settings.ts'
import { newOwner } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ defaultTimeZone: 'America/New_York' })
})
afterAll(() => app.dispose())

it('a message that would leave at night, after an outage, is kept for the morning once', async () => {
  const { practice } = await newOwner(app)
  const practiceId = PracticeId.parse(practice.id)
  const data = {
    practiceId,
    confirmationId: crypto.randomUUID(),
    attempt: 1,
    dueAt: '2026-11-20T23:00:00.000Z',
    cause: { correlationId: crypto.randomUUID(), causationId: crypto.randomUUID() },
  }
  const { services } = app
  const given = confirmationSettings.read(services)
  const keepAt = (now: string, hasQuietHours = true) =>
    isKeptUntilMorning(
      {
        ...services,
        clock: () => new Date(now),
        settings: { ...services.settings, ...confirmationSettings.provide({ ...given, hasQuietHours }) },
      },
      'send-confirmation',
      data,
    )
  // 19:59, and 22:00 twice, as after a crash.
  expect(await keepAt('2026-11-21T00:59:00.000Z')).toBe(false)
  expect(await keepAt('2026-11-21T03:00:00.000Z')).toBe(true)
  expect(await keepAt('2026-11-21T03:00:00.000Z')).toBe(true)
  expect(await keepAt('2026-11-21T03:00:00.000Z', false)).toBe(false)
  const { rows } = await services.pool.query<{ hours: number }>(
    `select round(extract(epoch from start_after - created_on) / 3600)::int as hours from jobs.job
     where name = 'send-confirmation' and data->>'confirmationId' = $1`,
    [data.confirmationId],
  )
  expect(rows).toEqual([{ hours: 10 }])
})
