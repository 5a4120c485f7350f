import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addPasskey, createAuthenticator } from '#tests/support/authenticator.ts'
import { newMember } from '#tests/support/members.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { showCode, turnOnTwoFactor } from '#tests/support/two-factor.ts'
import {
  dismissToasts,
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  openWindow,
  takePicture,
} from './browser.ts'
import { looks } from './looks.ts'

const minute = 60_000

/** Chromium with its virtual authenticator, which holds passkeys in memory and verifies its user at once. */
describe('passkeys', () => {
  let app: TestApp
  let browser: Browser
  /** Passkeys need https or localhost; an IP address is no site. */
  let url: string

  beforeAll(async () => {
    app = await startTestApp()
    // Codes depend on the time.
    app.stopClock()
    browser = await launchBrowser()
    url = app.url.replace('127.0.0.1', 'localhost')
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  /** Plugs a device into a window. */
  async function plugIn(context: BrowserContext, page: Page) {
    const session = await context.newCDPSession(page)
    await session.send('WebAuthn.enable')
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    return {
      /** Makes the device accept or refuse its user from now on, as a wrong PIN does. */
      verifyUser: (isUserVerified: boolean) =>
        session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
      countPasskeys: async () =>
        (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    }
  }

  const signIn = async (page: Page, email: string) => {
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  }
  const byPasskey = (page: Page) => page.getByRole('button', { name: 'Sign in with a passkey' })
  const list = (page: Page) => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
  /** Ends the session of a window, and opens the sign-in page. */
  const signOut = async (page: Page) => {
    await page.evaluate(`fetch('/api/logout', { method: 'POST' })`)
    await page.goto('/auth?redirect=/practice?tab=security')
  }
  /** Adds a passkey in the settings, whose Security tab is open. */
  async function add(page: Page, name: string): Promise<void> {
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }

  it.each(looks)('are added in the settings, sign in, and are removed: $name', async ({ name, ...look }) => {
    const { user } = await newOwner(app)
    const { page, context, complaints } = await openWindow(browser, { ...look, url })
    const device = await plugIn(context, page)
    await page.goto('/practice?tab=security')
    await byPasskey(page).waitFor()
    await expectAccessible(page, `sign-in, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `passkey sign-in, ${name}`)
    await signIn(page, user.email)
    await page.getByText('Sign in with your fingerprint, your face or the PIN').waitFor()
    await takePicture(page, `no passkeys, ${name}`)

    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByLabel('Name').fill('Front desk laptop')
    await dialog.getByLabel('Your password').fill('not my password')
    await page.keyboard.press('Enter')
    await page.getByText('This is not your current password').waitFor()
    await device.verifyUser(false)
    await dialog.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').filter({ hasText: 'No passkey was created' }).waitFor()
    await expectAccessible(page, `add passkey, ${name}`)
    await takePicture(page, `add passkey, ${name}`)
    await device.verifyUser(true)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => list(page).count()).toBe(1)
    expect(await list(page).innerText()).toMatch(/Front desk laptop\s+Added .*, not used yet/)
    expect(await device.countPasskeys()).toBe(1)
    await expectAccessible(page, `passkeys, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `passkeys, ${name}`)
    // A device holds one passkey for an account.
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await dialog.getByLabel('Name').fill('Again')
    await dialog.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('This device has a passkey for Everchart already.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()

    await signOut(page)
    await device.verifyUser(false)
    await byPasskey(page).click()
    await page.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor()
    await expectAccessible(page, `cancelled, ${name}`)
    await device.verifyUser(true)
    await byPasskey(page).focus()
    await page.keyboard.press('Enter')
    await heading(page, 'Practice Settings').waitFor()
    await expect.poll(() => list(page).innerText()).toMatch(/last used/)

    await page.getByRole('button', { name: 'Remove Front desk laptop' }).click()
    await page.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await expect.poll(() => list(page).count()).toBe(0)
    await signOut(page)
    await byPasskey(page).click()
    await page.getByRole('alert').filter({ hasText: 'This passkey was removed from Everchart' }).waitFor()
    await takePicture(page, `removed passkey, ${name}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('unlock a window, which keeps what was typed', async () => {
    const { user } = await newOwner(app, { selectedPlan: 'starter' })
    const { page, context, complaints } = await openWindow(browser, { url })
    await plugIn(context, page)
    await context.clock.install()
    await page.goto('/practice?tab=security')
    await signIn(page, user.email)
    await add(page, 'Laptop')
    await page.goto('/patients')
    await page.getByRole('button', { name: 'Add Patient' }).first().click()
    const form = page.getByRole('dialog', { name: 'Add Patient' })
    await form.getByLabel('First name').first().fill('Chien-Shiung')
    await dismissToasts(page)
    await context.clock.fastForward(59 * minute)
    const lock = page.getByRole('alertdialog', { name: 'Everchart is locked' })
    await lock.waitFor()
    await lock.getByRole('button', { name: 'Unlock with a passkey' }).waitFor()
    await expectAccessible(page, 'a locked window with a passkey')
    await takePicture(page, 'locked window with a passkey')
    await page.setViewportSize({ width: 390, height: 844 })
    await expectNoSidewaysScroll(page)
    await takePicture(page, 'locked window with a passkey, phone')
    await lock.getByRole('button', { name: 'Unlock with a passkey' }).click()
    await lock.waitFor({ state: 'detached' })
    expect(await form.getByLabel('First name').first().inputValue()).toBe('Chien-Shiung')
    expect(await page.evaluate(`fetch('/api/user').then(({ status }) => status)`)).toBe(200)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('do not unlock a window for another account', async () => {
    const [first, second] = [await newOwner(app), await newOwner(app)]
    const { page, context } = await openWindow(browser, { url })
    await plugIn(context, page)
    await page.goto('/practice?tab=security')
    await signIn(page, first.user.email)
    await add(page, 'Laptop')
    // The second has a passkey on another device.
    await addPasskey(second.client, createAuthenticator(app.url))
    await page.evaluate(`fetch('/api/logout', { method: 'POST' })`)
    await context.clock.install()
    await page.goto('/auth?redirect=/practice')
    await signIn(page, second.user.email)
    await heading(page, 'Practice Settings').waitFor()
    await context.clock.fastForward(59 * minute)
    const lock = page.getByRole('alertdialog', { name: 'Everchart is locked' })
    await lock.getByRole('button', { name: 'Unlock with a passkey' }).click()
    await lock.getByText('This passkey belongs to another account.').waitFor()
    await context.close()
  })

  it('say so at an address that is no site, and where the browser knows none', async () => {
    const { user } = await newOwner(app)
    const atAddress = await openWindow(browser, { url: app.url })
    await plugIn(atAddress.context, atAddress.page)
    await atAddress.page.goto('/auth')
    await byPasskey(atAddress.page).click()
    await atAddress.page.getByRole('alert').filter({ hasText: 'Passkeys do not work at this address' }).waitFor()
    const { page, context } = await openWindow(browser, { url, width: 390 })
    await context.addInitScript('delete window.PublicKeyCredential')
    await page.goto('/practice?tab=security')
    await signIn(page, user.email)
    await page.getByText('This browser does not support passkeys here.').waitFor()
    expect(await page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0)
    await expectAccessible(page, 'no support for passkeys')
    await takePicture(page, 'no support for passkeys')
    await page.evaluate(`fetch('/api/logout', { method: 'POST' })`)
    await page.goto('/auth')
    await page.getByRole('link', { name: 'Forgot your password?' }).waitFor()
    expect(await byPasskey(page).count()).toBe(0)
    for (const each of [atAddress.context, context]) await each.close()
  })

  it('are added with one code, also when the device is asked twice', async () => {
    const { client, user } = await newOwner(app)
    const secret = await turnOnTwoFactor(client, app.services.clock)
    // Of the next minute: the code of this one was used.
    app.advanceClock(minute)
    const { page, context, complaints } = await openWindow(browser, { url })
    const device = await plugIn(context, page)
    await page.goto('/practice?tab=security')
    await signIn(page, user.email)
    await page.getByLabel('Code').fill(showCode(secret, app.services.clock()))
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Add passkey' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByLabel('Name').fill('Laptop')
    await dialog.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await dialog.getByText('Please enter the code').waitFor()
    await device.verifyUser(false)
    app.advanceClock(minute)
    await dialog.getByLabel('Code').fill(showCode(secret, app.services.clock()))
    await page.keyboard.press('Enter')
    await dialog.getByRole('alert').filter({ hasText: 'No passkey was created' }).waitFor()
    await device.verifyUser(true)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.waitFor({ state: 'detached' })
    await expect.poll(() => list(page).count()).toBe(1)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('take the place of a code', async () => {
    const { client, user } = await newOwner(app)
    const { page, context, complaints } = await openWindow(browser, { url })
    await plugIn(context, page)
    await page.goto('/practice?tab=security')
    await signIn(page, user.email)
    await add(page, 'Laptop')
    // Ends the session of the window.
    await turnOnTwoFactor(client, app.services.clock)
    await page.goto('/auth?redirect=/practice')
    await signIn(page, user.email)
    await page.getByLabel('Code').waitFor()
    await takePicture(page, 'passkey instead of the code')
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    await heading(page, 'Practice Settings').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it.each(looks)('are enough where the practice requires a second factor: $name', async ({ name, ...look }) => {
    const owner = await newOwner(app)
    await turnOnTwoFactor(owner.client, app.services.clock)
    await owner.client.patch(`/api/practices/${owner.practice.id}`, { requireTwoFactor: true })
    const { registration } = await newMember(app, owner.practice.id, 'nurse')
    const { page, context, complaints } = await openWindow(browser, { ...look, url })
    await plugIn(context, page)
    await page.goto('/auth?redirect=/practice')
    await signIn(page, registration.email)
    await heading(page, 'Set up two-factor authentication').waitFor()
    await expectAccessible(page, `required, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `required second factor, ${name}`)
    await page.getByRole('button', { name: 'Use a passkey instead' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add a passkey' })
    await dialog.getByLabel('Name').fill('Phone')
    await dialog.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await heading(page, 'Practice Settings').waitFor()

    await page.evaluate(`fetch('/api/logout', { method: 'POST' })`)
    await page.goto('/auth?redirect=/practice')
    await signIn(page, registration.email)
    await page.getByRole('alert').filter({ hasText: 'Please sign in with your passkey' }).waitFor()
    await takePicture(page, `passkey required, ${name}`)
    await byPasskey(page).click()
    await heading(page, 'Practice Settings').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
