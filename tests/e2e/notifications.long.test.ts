import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newNotifiedPractice, startAtNine } from '#tests/modules/notifications/notified-practice.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  keepToasts,
  launchBrowser,
  openWindow,
  type Screen,
  silenceLiveUpdates,
} from './browser.ts'
import { looks } from './looks.ts'

let app: TestApp
let browser: Browser
beforeAll(async () => {
  app = await startTestApp()
  startAtNine(app)
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await app?.dispose()
})

/** Creates a practice with a plan, and a nurse whose appointments its owner is notified of. */
async function newSubscribedPractice() {
  const fixture = await newNotifiedPractice(app)
  await subscribe(fixture.client, 'starter')
  await waitForUserSubscription(fixture.client, 'trial')
  return fixture
}

async function signedIn(
  { registration }: { registration: { email: unknown } },
  path: string,
  look: { width?: number; height?: number; dark?: boolean } = {},
): Promise<Screen> {
  const screen = await openWindow(browser, { ...look, url: app.url })
  await screen.page.request.post('/api/login', { data: { email: registration.email, password } })
  await screen.page.goto(path)
  return screen
}

const bell = (page: Page, unread: number) =>
  page.getByRole('button', { name: unread === 0 ? 'Notifications' : `Notifications, ${unread} new`, exact: true })
const list = (page: Page) => page.getByRole('dialog', { name: 'Notifications' })
const finish = async ({ page, complaints }: Screen) => {
  expect(complaints).toEqual([])
  await page.context().close()
}

describe('the bell', () => {
  it('counts live on every screen; opening it with the keyboard marks as read, in every window', async () => {
    const practice = await newSubscribedPractice()
    const screen = await signedIn(practice, '/')
    const other = await signedIn(practice, '/patients')
    const { page } = screen
    await bell(page, 0).waitFor()
    await bell(other.page, 0).waitFor()
    await practice.book('14:00', 0, { type: 'emergency' })
    const { id } = await practice.book('15:00')
    await practice.cancel(id)
    await bell(page, 2).waitFor()
    await bell(other.page, 2).waitFor()
    await page.getByRole('status').filter({ hasText: 'Notifications, 2 new' }).waitFor()

    await bell(page, 2).focus()
    await page.keyboard.press('Enter')
    const fresh = list(page).getByRole('region', { name: 'New' }).getByRole('link')
    await expect.poll(() => fresh.count()).toBe(2)
    expect(await fresh.first().innerText()).toContain('3:00 PM with Grace Liu was cancelled')
    expect(await fresh.first().getByRole('img', { name: 'New' }).count()).toBe(1)
    // The badge is gone here and in the other window; the dots stay until the list is closed.
    await expect.poll(() => page.locator('header .fui-CounterBadge').count()).toBe(0)
    await bell(other.page, 0).waitFor()
    expect(await fresh.count()).toBe(2)

    // A new one appears in the open list, and is read with it.
    await practice.book('16:00', 0, { type: 'emergency' })
    await expect.poll(() => fresh.count()).toBe(3)
    await expect.poll(async () => (await practice.client.get('/api/notifications')).body.unread).toBe(0)
    await page.keyboard.press('Escape')
    await list(page).waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate<string>('document.activeElement.getAttribute("aria-label")'))
      .toBe('Notifications')

    await page.keyboard.press('Enter')
    await list(page).getByRole('region', { name: 'Earlier' }).waitFor()
    expect(await list(page).getByRole('region', { name: 'New' }).count()).toBe(0)
    await finish(other)
    await finish(screen)
  })

  it('leads to the record, from another screen and on the same one', async () => {
    const practice = await newSubscribedPractice()
    await practice.book('14:00', 0, { type: 'emergency' })
    await practice.cancel((await practice.book('15:00')).id)
    const screen = await signedIn(practice, '/patients')
    const { page } = screen
    await bell(page, 2).click()
    await list(page)
      .getByRole('link', { name: /Emergency at 2:00 PM/ })
      .press('Enter')
    const details = page.getByRole('dialog', { name: 'Appointment Details' })
    await details.getByText('Grace Liu').first().waitFor()
    await list(page).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'detached' })
    await bell(page, 0).click()
    await list(page)
      .getByRole('link', { name: /3:00 PM with Grace Liu was cancelled/ })
      .click()
    await details.getByText('Cancelled').first().waitFor()
    await list(page).waitFor({ state: 'detached' })
    await finish(screen)
  })

  it('shows older ones on request, and marks all as read', async () => {
    const practice = await newSubscribedPractice()
    for (let n = 10; n < 32; n++) await practice.book(`14:${n}`, 0, { type: 'emergency' })
    const screen = await signedIn(practice, '/')
    const { page } = screen
    await bell(page, 22).click()
    const links = list(page).getByRole('link', { name: /Emergency/ })
    await expect.poll(() => links.count()).toBe(20)
    // Two are on the next page, and not seen yet.
    await expect.poll(async () => (await practice.client.get('/api/notifications')).body.unread).toBe(2)
    await list(page).getByRole('button', { name: 'Show older' }).click()
    await expect.poll(() => links.count()).toBe(22)
    await expect.poll(async () => (await practice.client.get('/api/notifications')).body.unread).toBe(0)
    await list(page).getByRole('button', { name: 'Show older' }).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await list(page).waitFor({ state: 'detached' })
    const requests: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/notifications?') || request.url().endsWith('/api/notifications'))
        requests.push(new URL(request.url()).search)
    })

    for (let n = 10; n < 31; n++) await practice.book(`15:${n}`, 0, { type: 'emergency' })
    await bell(page, 21).waitFor()
    // Only the first page is loaded again, also when the list is opened.
    const before = requests.length
    // The button also works while those that are shown are being marked.
    const marking = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    await page.route(
      '**/api/notifications/read',
      async (route) => {
        marking.resolve()
        await release.promise
        await route.continue()
      },
      { times: 1 },
    )
    await bell(page, 21).click()
    await expect.poll(() => requests.length).toBeGreaterThan(before)
    expect(new Set(requests)).toEqual(new Set(['']))
    await marking.promise
    await list(page).getByRole('button', { name: 'Mark all as read' }).press('Enter')
    release.resolve()
    await expect.poll(async () => (await practice.client.get('/api/notifications')).body.unread).toBe(0)
    // The server has marked them before its reply arrives here.
    const markAll = list(page).getByRole('button', { name: 'Mark all as read' })
    await expect.poll(() => markAll.getAttribute('aria-disabled')).toBe('true')
    await finish(screen)
  })

  it('says when there is nothing, while it loads, and when it cannot load', async () => {
    const practice = await newSubscribedPractice()
    const screen = await openWindow(browser, { url: app.url })
    const { page } = screen
    await page.request.post('/api/login', { data: { email: practice.registration.email, password } })
    const release = Promise.withResolvers<void>()
    let isBroken = true
    await page.route('**/api/notifications', async (route) => {
      if (!isBroken) return await route.continue()
      await release.promise
      await route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        body: JSON.stringify({ status: 409, code: 'x', message: 'Not now.', title: 'Conflict', detail: 'Not now.' }),
      })
    })
    await silenceLiveUpdates(page)
    await page.goto('/')
    await bell(page, 0).click()
    await list(page).getByLabel('Loading notifications').waitFor()
    release.resolve()
    await list(page).getByText('Notifications could not be loaded').waitFor()
    await expectAccessible(page, 'not loaded')
    isBroken = false
    await list(page).getByRole('button', { name: 'Try again' }).press('Enter')
    await list(page).getByText('You are all caught up').waitFor()
    await expect.poll(() => list(page).locator(':focus').count()).toBe(1)
    await expectAccessible(page, 'nothing')
    await finish(screen)
  })

  it.each(looks)('is accessible and fits: $name', async ({ name, ...look }) => {
    const practice = await newSubscribedPractice()
    await practice.client.post('/api/waitlist', { patientId: practice.patientId, type: 'check-up', duration: 30 })
    await practice.cancel((await practice.book('10:00', 2)).id)
    await practice.book('14:00', 0, { type: 'emergency' })
    await practice.client.post('/api/subscription/cancel')
    const screen = await signedIn(practice, '/', look)
    const { page } = screen
    await bell(page, 3).click()
    await list(page).getByText('A slot is free on').waitFor()
    await list(page).getByText('Your plan ends on').waitFor()
    await expectAccessible(page, `notifications, ${name}`)
    await expectNoSidewaysScroll(page)
    const box = await list(page).boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= look.width).toBe(true)
    await finish(screen)
  })

  it('of the demo shows the sample, three as the spec says, with and without an account', async () => {
    const owner = await newOwner(app, { selectedPlan: 'starter' })
    for (const [path, person] of [
      ['/demo', null],
      ['/', owner],
      ['/patients', owner],
    ] as const) {
      const screen = person
        ? await signedIn(person, path)
        : await openWindow(browser, { url: app.url }).then(async (opened) => {
            await opened.page.goto(path)
            return opened
          })
      const { page } = screen
      await bell(page, 3).click()
      await expect.poll(() => list(page).getByRole('listitem').count()).toBe(3)
      await list(page).getByText('New patient intake came in').waitFor()
      // Without a control in it, the list itself has the focus: otherwise screen readers would not find it.
      await expect.poll(() => page.evaluate<string>('document.activeElement.getAttribute("role")')).toBe('dialog')
      await page.keyboard.press('Escape')
      await list(page).waitFor({ state: 'detached' })
      await finish(screen)
    }
  })
})

describe('the settings', () => {
  const path = '/practice?tab=notifications'
  const toggle = (page: Page, name: string) => page.getByRole('switch', { name, exact: true })

  it.each(looks)('are accessible and fit: $name', async ({ name, ...look }) => {
    const screen = await signedIn(await newSubscribedPractice(), path, look)
    const { page } = screen
    await toggle(page, 'Appointment Reminders').waitFor()
    for (const label of ['Appointment Reminders', 'AI Alerts', 'Form Submissions', 'Insurance Updates'])
      expect(await toggle(page, label).isChecked()).toBe(true)
    expect(await toggle(page, 'Daily email').isChecked()).toBe(false)
    const hintId = await toggle(page, 'AI Alerts').getAttribute('aria-describedby')
    expect(await page.locator(`[id="${hintId}"]`).innerText()).toBe(
      'Urgent findings in forms; insights of high priority in the daily email',
    )
    await expectAccessible(page, `notification settings, ${name}`)
    await expectNoSidewaysScroll(page)
    await finish(screen)
  })

  it('open from the bell, and steer it once they are saved', async () => {
    const practice = await newSubscribedPractice()
    await practice.book('14:00', 0, { type: 'emergency' })
    const screen = await signedIn(practice, '/patients')
    const { page } = screen
    await bell(page, 1).click()
    await list(page).getByRole('link', { name: 'Choose your notifications' }).press('Enter')
    await keepToasts(page)
    await toggle(page, 'Appointment Reminders').press('Space')
    await toggle(page, 'Daily email').press('Space')
    await page.getByRole('button', { name: 'Save notifications' }).press('Enter')
    await page.getByText('Notification settings saved').waitFor()
    const { choices } = (await practice.client.get('/api/notifications/preferences')).body
    expect(choices).toMatchObject({ appointmentReminders: false, aiAlerts: true, dailyDigest: true })
    await bell(page, 0).click()
    await list(page).getByText('You are all caught up').waitFor()
    await page.keyboard.press('Escape')
    // The tab is in the address, and its values come back.
    await page.reload()
    await toggle(page, 'Daily email').waitFor()
    expect(await toggle(page, 'Appointment Reminders').isChecked()).toBe(false)
    await finish(screen)
  })

  it('show what was saved in another window, and ask before unsaved changes are left', async () => {
    const practice = await newSubscribedPractice()
    const screen = await signedIn(practice, path)
    const { page } = screen
    await toggle(page, 'Daily email').press('Space')
    const body = { choices: { dailyDigest: true, aiAlerts: false }, revision: null }
    expect((await practice.client.patch('/api/notifications/preferences', body)).status).toBe(200)
    await toggle(page, 'Form Submissions').press('Space')
    await page.getByRole('button', { name: 'Save notifications' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'changed your notification settings' })
    await notice.getByText('AI Alerts').waitFor()
    await expectAccessible(page, 'a conflict')
    expect(await toggle(page, 'AI Alerts').isChecked()).toBe(false)
    await page.getByRole('tab', { name: 'Billing' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click()
    await page.getByRole('button', { name: 'Save notifications' }).click()
    await notice.waitFor({ state: 'detached' })
    const expected = { appointmentReminders: true, aiAlerts: false, formSubmissions: false, dailyDigest: true }
    expect((await practice.client.get('/api/notifications/preferences')).body.choices).toMatchObject(expected)
    await page.getByRole('tab', { name: 'Billing' }).click()
    await page.getByRole('button', { name: 'Download Invoice' }).waitFor()
    await finish(screen)
  })

  it('offer the daily email only with a plan', async () => {
    const screen = await signedIn(await newOwner(app), path)
    await toggle(screen.page, 'Daily email').waitFor()
    expect(await toggle(screen.page, 'Daily email').isDisabled()).toBe(true)
    await screen.page.getByText('Available once your practice has a plan').waitFor()
    await finish(screen)
  })

  it('belong to each member, whatever the role', async () => {
    const practice = await newSubscribedPractice()
    const screen = await signedIn(practice.nurse, path)
    await toggle(screen.page, 'Appointment Reminders').press('Space')
    await screen.page.getByRole('button', { name: 'Save notifications' }).click()
    await screen.page.getByText('Notification settings saved').waitFor()
    const doctor = await joinPractice(app, practice.practice.id, 'doctor')
    expect((await doctor.get('/api/notifications/preferences')).body.choices.appointmentReminders).toBe(true)
    await finish(screen)
  })
})
