import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { backgroundHeader } from '#contracts/accounts.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, launchBrowser, openWindow } from './browser.ts'

const minute = 60_000

/** Unattended browsers show no patient. The clock of the browser is moved, that of the server is not. */
describe('a browser without input', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'starter' })
    await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  const signIn = async (page: Page, email = owner.registration.email) => {
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  }
  const warning = (page: Page) => page.getByRole('alertdialog', { name: 'Are you still there?' })
  const countSessions = async () => {
    const { rows } = await app.services.pool.query('select 1 from app.sessions where user_id = $1', [owner.user.id])
    return rows.length
  }

  it('warns, then blanks all tabs, ends the session and leads back after signing in', async () => {
    const { page: first, context, complaints } = await openWindow(browser, { url: app.url })
    await context.clock.install()
    const before = await countSessions()
    await first.goto('/patients')
    await signIn(first)
    await first.getByText('Grace Hopper').first().waitFor()
    const second = await context.newPage()
    await second.goto('/patients?search=Hopper')
    await second.getByText('Grace Hopper').first().waitFor()
    expect(await countSessions()).toBe(before + 1)

    // A refetch that a colleague caused says so: it does not keep the session alive.
    await context.clock.fastForward(30_000)
    const refetch = first.waitForRequest((request) => new URL(request.url()).pathname === '/api/patients')
    await owner.client.post('/api/patients', { firstName: 'Hedy', lastName: 'Lamarr' })
    expect((await refetch).headers()[backgroundHeader.toLowerCase()]).toBe('true')
    await first.getByText('Hedy Lamarr').first().waitFor()

    // To the beginning of the warning, which lasts two minutes.
    await context.clock.fastForward(55.5 * minute)
    await Promise.all([first, second].map((page) => warning(page).waitFor()))
    await expectAccessible(first, 'warning before signing out')
    const stayed = first.waitForRequest(
      (request) =>
        new URL(request.url()).pathname === '/api/user' && !(backgroundHeader.toLowerCase() in request.headers()),
    )
    await first.getByRole('button', { name: 'Stay signed in' }).click()
    await stayed
    await Promise.all([first, second].map((page) => warning(page).waitFor({ state: 'detached' })))

    await context.clock.fastForward(58 * minute + 1_000)
    for (const page of [first, second]) {
      await page.getByText('You were signed out').waitFor()
      expect(await page.content()).not.toMatch(/Hopper<|Lamarr/)
    }
    await expect.poll(countSessions).toBe(before)

    await signIn(second)
    await second.getByText('Grace Hopper').first().waitFor()
    expect(new URL(second.url()).search).toBe('?search=Hopper')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('keeps the user who is active in one tab signed in, although another one received no message of that', async () => {
    const { page: first, context, complaints } = await openWindow(browser, { url: app.url })
    await context.clock.install()
    const before = await countSessions()
    await first.goto('/patients')
    await signIn(first)
    await first.getByText('Grace Hopper').first().waitFor()
    const second = await context.newPage()
    // As in a tab that the browser has suspended.
    await second.addInitScript('BroadcastChannel.prototype.addEventListener = () => undefined')
    await second.goto('/patients')
    await second.getByText('Grace Hopper').first().waitFor()
    const signOuts: string[] = []
    context.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/logout') signOuts.push(request.url())
    })

    await context.clock.fastForward(30 * minute)
    await first.bringToFront()
    await first.mouse.move(200, 200)
    await first.mouse.move(210, 210)
    // Chromium shares the storage of its tabs with a delay, during which none of them is suspended for half an hour.
    const loadLastInput = (page: Page) => page.evaluate<string>(`localStorage.getItem('everchart.last-input')`)
    const stored = await loadLastInput(first)
    await expect.poll(() => loadLastInput(second)).toBe(stored)
    await context.clock.fastForward(29 * minute)
    await second.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`)
    for (const page of [second, first]) {
      await page.getByRole('link', { name: 'Appointments' }).first().click()
      await page.getByRole('button', { name: 'Schedule Appointment' }).first().waitFor()
    }
    expect(signOuts).toEqual([])
    expect(await countSessions()).toBe(before + 1)
    expect(complaints).toEqual([])

    await first.getByRole('button', { name: 'Sign Out' }).click()
    await first.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    expect(await first.evaluate<unknown>(`localStorage.getItem('everchart.last-input')`)).toBeNull()
    await context.close()
  })

  it('leaves the other tabs too when one of them signs out', async () => {
    const { page: first, context, complaints } = await openWindow(browser, { url: app.url })
    await first.goto('/patients')
    await signIn(first)
    await first.getByText('Grace Hopper').first().waitFor()
    const second = await context.newPage()
    await second.goto('/patients')
    await second.getByText('Grace Hopper').first().waitFor()
    await first.getByRole('button', { name: 'Sign Out' }).click()
    await Promise.all([first, second].map((page) => page.getByRole('button', { name: 'Sign In' }).waitFor()))
    expect(await second.content()).not.toContain('Hopper')
    expect(complaints).toEqual([])
    await context.close()
  })

  it('leaves the tabs of one user when another one signs in', async () => {
    const next = await newOwner(app, { selectedPlan: 'starter' })
    const { page: first, context, complaints } = await openWindow(browser, { url: app.url })
    await first.goto('/patients')
    const second = await context.newPage()
    // A form that was left open before the first user signed in.
    await second.goto('/auth')
    // Once anyone has signed in, the page would redirect instead.
    await second.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    await signIn(first)
    await first.getByText('Grace Hopper').first().waitFor()

    await signIn(second, next.registration.email)
    await second.getByRole('heading', { name: 'Dashboard' }).waitFor()
    await first.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    expect(await first.content()).not.toContain('Hopper')
    expect(complaints).toEqual([])
    await context.close()
  })
})
