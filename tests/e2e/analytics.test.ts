import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Analytics } from '#contracts/analytics.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { addDays } from '#contracts/values/calendar.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { newMember } from '#tests/support/members.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, takePicture } from './browser.ts'
import { screenLooks } from './looks.ts'
import { itLong } from '#tests/support/long.ts'

type Look = { width?: number; height?: number; dark?: boolean }

/** Each test builds on the state of the previous one. */
describe('Practice Analytics', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>
  let today: string

  async function signedIn(email: unknown, look: Look = {}) {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email, password } })
    return screen
  }

  /** Books an appointment some days from today, and moves it through the given statuses. */
  async function book(patientId: string, day: number, time: string, ...statuses: string[]) {
    const body = { patientId, appointmentDate: `${addDays(today, day)}T${time}`, type: 'check-up' }
    const booked = await owner.client.post('/api/appointments', { ...body, confirmed: BookingConcern.options })
    expect(booked.status).toBe(201)
    for (const status of statuses) {
      // oxlint-disable-next-line no-await-in-loop -- one status after the other
      const changed = await owner.client.patch(`/api/appointments/${booked.body.id}`, { status })
      expect(changed.status).toBe(200)
    }
  }

  const readCard = (page: Page, name: string) =>
    page.getByRole('region', { name: 'Figures' }).locator('div').filter({ hasText: name }).last()

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  itLong.each(screenLooks)('show fixed figures and the plan to a demo user: $name', async ({ name, ...look }) => {
    const { page, context, complaints } = await signedIn(owner.registration.email, look)
    await page.goto('/analytics')
    for (const value of ['+8.2%', '92.4%', '+15.3%', '92.3']) await page.getByText(value, { exact: true }).waitFor()
    await page.getByText('4.8/5').first().waitFor()
    await page.getByText('Excellent').waitFor()
    await page.getByRole('img', { name: /^Revenue\./ }).waitFor()
    await page.getByText('Upgrade to use Advanced Analytics').waitFor()
    await expectAccessible(page, `analytics of the demo, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `analytics-demo-${name}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('say that there is not enough data, and count what is booked', async () => {
    await subscribe(owner.client, 'professional')
    await waitForUserSubscription(owner.client, 'trial')
    today = (await owner.client.get('/api/dashboard/stats')).body.today as string
    const { page, context, complaints } = await signedIn(owner.registration.email)
    await page.goto('/analytics')
    await page.getByText('No appointments in this period').waitFor()
    await readCard(page, 'Appointment Rate').getByText('Not enough data yet').waitFor()
    await readCard(page, 'Patient Satisfaction').getByText('Not enough data yet').waitFor()
    const { body } = await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
    await book(body.id, -3, '09:00', 'confirmed', 'in-progress', 'completed')
    await book(body.id, -3, '10:00', 'no-show')
    await book(body.id, -2, '09:00', 'cancelled')
    await book(body.id, -40, '09:00', 'confirmed', 'in-progress', 'completed')
    await book(body.id, 5, '09:00')
    await readCard(page, 'Appointment Rate').getByText('50%', { exact: true }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong.each(screenLooks)(
    'show the figures of a period, with the records behind: $name',
    async ({ name, ...look }) => {
      const { page, context, complaints } = await signedIn(owner.registration.email, look)
      await page.goto('/analytics')
      await page.getByRole('img', { name: /^Appointments\./ }).waitFor()
      await page.getByRole('heading', { name: 'AI performance' }).waitFor()
      await expectAccessible(page, `analytics, ${name}`)
      await expectNoSidewaysScroll(page)
      await takePicture(page, `analytics-${name}`)
      await page.getByRole('tab', { name: '7 days' }).click()
      await page.waitForURL(/period=7days/)
      await readCard(page, 'Appointment Rate').getByText('33.3%', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Open the 3 appointments behind Appointment Rate' }).click()
      const drawer = page.getByRole('dialog')
      await drawer.getByRole('link', { name: 'Grace Hopper' }).first().waitFor()
      expect(await drawer.getByRole('listitem').count()).toBe(3)
      await expectAccessible(page, `records behind a figure, ${name}`)
      await takePicture(page, `analytics-records-${name}`)
      await page.keyboard.press('Escape')
      await page.waitForURL((url) => !url.searchParams.has('records'))
      await page.getByLabel('Type', { exact: true }).selectOption('Procedure')
      await readCard(page, 'Appointment Rate').getByText('Not enough data yet').waitFor()
      await page.waitForURL(/period=7days.*type=procedure/)
      expect(complaints).toEqual([])
      await context.close()
    },
  )

  itLong('take any period from the address, and export what they show', async () => {
    const { page, context, complaints } = await signedIn(owner.registration.email)
    await page.goto('/analytics?period=30days')
    await page.getByRole('button', { name: 'Appointments as a table' }).click()
    const table = page.getByRole('table', { name: 'Appointments' })
    await table.getByRole('row').nth(1).waitFor()
    await page.getByRole('tab', { name: 'Custom' }).click()
    await page.getByLabel('From', { exact: true }).fill(addDays(today, -40))
    await page.getByLabel('To', { exact: true }).fill(addDays(today, -40))
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await readCard(page, 'Appointment Rate').getByText('100%', { exact: true }).waitFor()
    const shown = new URL(page.url()).searchParams
    expect([shown.get('from'), shown.get('to')]).toEqual([addDays(today, -40), addDays(today, -40)])
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    expect(file.suggestedFilename()).toBe(`analytics-${addDays(today, -40)}-${addDays(today, -40)}.csv`)
    const csv = await readFile(await file.path(), 'utf8')
    expect(csv).toContain('Appointment Rate,100,,1,')
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('show no money to a nurse', async () => {
    const nurse = await newMember(app, owner.practice.id, 'nurse')
    const { page, context } = await signedIn(nurse.registration.email)
    await page.goto('/analytics')
    await readCard(page, 'Appointment Rate').getByText('50%', { exact: true }).waitFor()
    await page.getByRole('heading', { name: 'Demographics' }).waitFor()
    expect(await page.getByText('Revenue').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0)
    const { figures } = (await nurse.client.get(`/api/analytics?from=${today}&to=${today}`)).body as Analytics
    expect(figures.map(({ key }) => key)).not.toContain('revenue-growth')
    await context.close()
  })
})
