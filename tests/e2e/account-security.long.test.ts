import { Secret, TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLongRun, itLong } from '#tests/support/long.ts'
import { findResetToken, waitForMessages } from '#tests/support/outbox.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow } from './browser.ts'
import { looks } from './looks.ts'

const newPassword = 'quite another password'

describe('the security of an account', () => {
  let app: TestApp
  let browser: Browser

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  const signIn = async (page: Page, email: string, typed: string) => {
    await page.getByRole('textbox', { name: 'Email' }).fill(email)
    await page.getByLabel('Password', { exact: true }).fill(typed)
    await page.keyboard.press('Enter')
  }

  it.each(looks)('lets someone who forgot the password back in: $name', async ({ name, ...look }) => {
    const { user } = await newUser(app)
    const { page, complaints } = await openWindow(browser, { ...look, url: app.url })
    await page.goto('/auth')
    await page.getByRole('textbox', { name: 'Email' }).fill(user.email)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor()
    // What was typed arrives on the next page.
    await expect.poll(() => page.getByRole('textbox', { name: 'Email' }).inputValue()).toBe(user.email)
    await page.getByRole('textbox', { name: 'Email' }).press('Enter')
    await page.getByText('Mail is not configured here').waitFor()
    await expectAccessible(page, `forgot, ${name}`)
    await expectNoSidewaysScroll(page)

    await page.goto(`/reset/${findResetToken(await waitForMessages(app, user.email, 1))}`)
    const typeTwice = async (text: string) => {
      await page.getByLabel('New password').fill(text)
      await page.getByLabel('Confirm password').fill(text)
      await page.keyboard.press('Enter')
    }
    await typeTwice('password1')
    await page.getByText('This password is one of the most common ones').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement?.getAttribute("name")')).toBe('password')
    await expectAccessible(page, `reset, ${name}`)
    await expectNoSidewaysScroll(page)
    const used = page.url()
    await typeTwice(newPassword)
    await page.getByText('Your password was changed').waitFor()
    await expectAccessible(page, `after the reset, ${name}`)
    await signIn(page, user.email, newPassword)
    await page.getByRole('heading', { level: 1, name: /^Welcome to Everchart/ }).waitFor()

    await page.goto(used)
    await typeTwice('a third long password')
    await page.getByRole('heading', { level: 1, name: 'This link no longer works' }).waitFor()
    await expectAccessible(page, `used link, ${name}`)
    await page.getByRole('link', { name: 'Request a new link' }).click()
    await page.getByRole('heading', { level: 1, name: 'Forgot your password?' }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  itLong.each(looks)('shows where the user is signed in, and ends it there: $name', async ({ name, ...look }) => {
    const { user } = await newOwner(app)
    const [here, there, third] = [
      await openWindow(browser, { ...look, url: app.url }),
      await openWindow(browser, { url: app.url }),
      app.newClient(),
    ]
    for (const { page } of [here, there]) {
      await page.goto('/practice')
      await signIn(page, user.email, password)
      await page.getByRole('heading', { level: 1, name: 'Practice Settings' }).waitFor()
    }
    const { page } = here
    await page.getByRole('tab', { name: 'Security' }).click()
    const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem')
    // This browser, the other, and that in which the practice was set up.
    await expect.poll(() => sessions.count()).toBe(3)
    await expectAccessible(page, `security, ${name}`)
    await expectNoSidewaysScroll(page)
    expect(await sessions.first().innerText()).toContain('This browser')

    await sessions
      .getByRole('button', { name: /^Sign out Chrome/ })
      .first()
      .click()
    await there.page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    await expect.poll(() => sessions.count()).toBe(2)

    await third.post('/api/login', { email: user.email, password })
    await page.getByLabel('Current password').fill('not my password')
    await page.getByLabel('New password', { exact: true }).fill(newPassword)
    await page.getByLabel('Confirm new password').fill(newPassword)
    await page.keyboard.press('Enter')
    await page.getByText('This is not your current password').waitFor()
    await expectAccessible(page, `wrong password, ${name}`)
    await page.getByLabel('Current password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByText('Password changed').waitFor()
    expect((await third.get('/api/user')).status).toBe(401)
    await expect.poll(() => sessions.count()).toBe(1)
    await expect.poll(() => page.getByLabel('New password', { exact: true }).inputValue()).toBe('')

    await page.getByRole('radio', { name: '30 minutes' }).press('Space')
    await page.getByRole('button', { name: 'Save timeout' }).click()
    await page.getByText('Session timeout saved').waitFor()
    expect((await page.request.get('/api/user').then((answer) => answer.json())).sessionTimeout).toBe(30)
    expect([...here.complaints, ...there.complaints]).toEqual([])
    for (const { context } of [here, there]) await context.close()
  })

  it.runIf(isLongRun).each(looks)('asks for a code once two-factor sign-in is on: $name', async ({ name, ...look }) => {
    const { user } = await newOwner(app)
    const { page, complaints } = await openWindow(browser, { ...look, url: app.url })
    await page.goto('/practice')
    await signIn(page, user.email, password)
    await page.getByRole('tab', { name: 'Security' }).click()
    const toggle = page.getByRole('switch', { name: 'Two-factor authentication' })
    await toggle.press('Space')
    await page.getByLabel('Your password').fill('not my password')
    await page.keyboard.press('Enter')
    await page.getByText('This is not your current password').waitFor()
    await page.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    await expectAccessible(page, `set-up, ${name}`)
    await expectNoSidewaysScroll(page)
    const link = page.getByRole('link', { name: 'open it with the key' })
    expect(await link.getAttribute('href')).toMatch(/^otpauth:\/\/totp\/Everchart/)
    const key = (await page.getByText('Or type the key').innerText())
      .replace('Or type the key', '')
      .replaceAll(/\s/g, '')
    const showCode = () =>
      new TOTP({ secret: Secret.fromBase32(key) }).generate({ timestamp: app.services.clock().getTime() })
    const field = page.getByLabel('Enter the six digits it shows')
    await field.fill('12345')
    await page.keyboard.press('Enter')
    await page.getByText('Enter the six digits that the app shows').waitFor()
    await field.fill(showCode())
    await page.keyboard.press('Enter')
    const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
    await expect.poll(() => codes.count()).toBe(10)
    const recoveryCode = await codes.first().innerText()
    await expectAccessible(page, `recovery codes, ${name}`)
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByText('10 recovery codes are left').waitFor()
    expect(await toggle.isChecked()).toBe(true)
    await expectAccessible(page, `two-factor on, ${name}`)

    const other = await openWindow(browser, { ...look, url: app.url })
    await other.page.goto('/auth?redirect=/practice')
    await signIn(other.page, user.email, password)
    await other.page.getByLabel('Code').fill('000000')
    await other.page.keyboard.press('Enter')
    await other.page.getByText('This code is not valid, or was used before').waitFor()
    await expectAccessible(other.page, `wrong code, ${name}`)
    await other.page.getByLabel('Code').fill(recoveryCode)
    await other.page.keyboard.press('Enter')
    await other.page.getByRole('tab', { name: 'Security' }).click()
    await other.page.getByText('9 recovery codes are left').waitFor()

    await other.page.getByRole('switch', { name: 'Two-factor authentication' }).press('Space')
    await other.page.getByLabel('Your password').fill(password)
    await other.page.keyboard.press('Enter')
    await other.page.getByText('Please enter the code').waitFor()
    await expectAccessible(other.page, `turning off, ${name}`)
    // Of the next minute: the code of this one was used.
    app.advanceClock(60_000)
    await other.page.getByLabel('Code').fill(showCode())
    await other.page.keyboard.press('Enter')
    await other.page.getByText('Two-factor authentication is off').waitFor()
    expect(await other.page.getByRole('switch', { name: 'Two-factor authentication' }).isChecked()).toBe(false)
    expect([...complaints, ...other.complaints]).toEqual([])
    await page.context().close()
    await other.page.context().close()
  })
})
