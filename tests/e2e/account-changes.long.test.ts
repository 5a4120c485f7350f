import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newMember } from '#tests/support/members.ts'
import { waitForEmailToken } from '#tests/support/outbox.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { showCode, turnOnTwoFactor } from '#tests/support/two-factor.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, takePicture } from './browser.ts'
import { looks } from './looks.ts'

describe('changes of an account', () => {
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

  async function openAs(email: string, look: Partial<(typeof looks)[number]> = {}) {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email, password } })
    return screen
  }
  /** Sets up two-factor authentication on the page that the practice requires, and leaves it. */
  async function setUpTwoFactor(page: Page) {
    await page.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    const key = (await page.getByText('Or type the key').innerText()).replace('Or type the key', '')
    const code = showCode(key.replaceAll(/\s/g, ''), app.services.clock())
    await page.getByLabel('Enter the six digits it shows').fill(code)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have kept them' }).click()
  }
  const check = async (page: Page, name: string) => {
    await takePicture(page, name)
    await expectAccessible(page, name)
    await expectNoSidewaysScroll(page)
  }

  it.each(looks)('lets someone without a practice change the email: $name', async ({ name, ...look }) => {
    const { user } = await newUser(app)
    const email = `new.${user.email}`
    const { page, complaints, context } = await openAs(user.email, look)
    await page.goto('/welcome')
    await page.getByRole('link', { name: 'Account security' }).press('Enter')
    const section = page.getByRole('region', { name: 'Email' })
    await section.getByText(`You sign in with ${user.email}`).waitFor()
    await section.getByLabel('New email').fill(user.email)
    await section.getByLabel('Password', { exact: true }).fill('not my password')
    await page.keyboard.press('Enter')
    await section.getByText('This is not your current password').waitFor()
    await section.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await section.getByText('This is your email already').waitFor()
    await check(page, `email refused, ${name}`)
    await section.getByLabel('New email').fill(email)
    await page.keyboard.press('Enter')
    await section.getByText('Waiting for your confirmation').waitFor()
    await expect.poll(() => section.getByLabel('New email').inputValue()).toBe('')
    await check(page, `email requested, ${name}`)

    // In a browser where the user is not signed in.
    const path = `/email/${await waitForEmailToken(app, email)}`
    const other = await openWindow(browser, { ...look, url: app.url })
    await other.page.goto(path)
    await other.page.getByRole('heading', { level: 1, name: 'Confirm your new email' }).waitFor()
    await check(other.page, `email signed out, ${name}`)
    await other.page.getByRole('link', { name: 'Sign in' }).click()
    await other.page.getByRole('textbox', { name: 'Email' }).fill(user.email)
    await other.page.getByLabel('Password', { exact: true }).fill(password)
    await other.page.keyboard.press('Enter')
    await other.page.getByText('no longer works then').waitFor()
    await check(other.page, `email confirm, ${name}`)
    // Opening the page has changed nothing.
    expect((await page.request.get('/api/user').then((reply) => reply.json())).email).toBe(user.email)
    await other.page.getByRole('button', { name: 'Confirm the new email' }).press('Enter')
    await other.page.getByRole('heading', { level: 1, name: 'Your email was changed' }).waitFor()
    await other.page.getByText(email).waitFor()
    await check(other.page, `email changed, ${name}`)

    await page.goto(path)
    await page.getByRole('button', { name: 'Confirm the new email' }).click()
    await page.getByRole('heading', { level: 1, name: 'This link no longer works' }).waitFor()
    await check(page, `email used link, ${name}`)
    await page.getByRole('link', { name: 'Open the settings' }).click()
    await section.getByText(`You sign in with ${email}`).waitFor()
    expect([...complaints, ...other.complaints]).toEqual([])
    await context.close()
    await other.context.close()
  })

  it('lets a member set up two-factor authentication first, and then confirm the email', async () => {
    const { practice, client } = await newOwner(app)
    const { client: colleague, user: member } = await newMember(app, practice.id, 'nurse')
    const email = `new.${member.email}`
    await colleague.post('/api/account/email', { email, password })
    const path = `/email/${await waitForEmailToken(app, email)}`
    await turnOnTwoFactor(client, app.services.clock)
    expect((await client.patch(`/api/practices/${practice.id}`, { requireTwoFactor: true })).status).toBe(200)

    const { page, complaints, context } = await openAs(member.email)
    await page.goto(path)
    const link = page.getByRole('link', { name: 'Set up two-factor authentication' })
    await link.waitFor()
    await check(page, 'email before the set-up')
    await link.click()
    await setUpTwoFactor(page)
    await page.getByRole('button', { name: 'Confirm the new email' }).click()
    await page.getByRole('heading', { level: 1, name: 'Your email was changed' }).waitFor()
    await page.getByText(email).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it.each(looks)('leads a member to the set-up that the practice requires: $name', async ({ name, ...look }) => {
    const { user: owner, practice, client } = await newOwner(app)
    const { user: member } = await newMember(app, practice.id, 'nurse')
    const admin = await openAs(owner.email, look)
    await admin.page.goto('/practice?tab=security')
    const requirement = admin.page.getByRole('switch', { name: 'Require it of everyone' })
    const question = admin.page.getByRole('alertdialog')
    await requirement.press('Space')
    await question.getByRole('button', { name: 'Require it' }).click()
    await question.getByText('Turn on two-factor authentication for yourself first').waitFor()
    await check(admin.page, `require refused, ${name}`)
    await admin.page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    // In the session of the page: every other one ends.
    const cookies = (await admin.context.cookies()).map(({ name: key, value }) => `${key}=${value}`)
    client.setCookie(cookies.join('; '))
    await turnOnTwoFactor(client, app.services.clock)

    const { page, complaints, context } = await openAs(member.email, look)
    await page.goto('/patients')
    await page.getByRole('heading', { level: 1, name: 'Patient Management' }).waitFor()
    await requirement.press('Space')
    await question.getByRole('button', { name: 'Require it' }).click()
    await admin.page.getByText('Two-factor is required for everyone').waitFor()
    await expect.poll(() => requirement.isChecked()).toBe(true)
    await check(admin.page, `required, ${name}`)

    // The open screen of the member leads there, and so does every other one.
    await page.getByRole('heading', { level: 1, name: 'Set up two-factor authentication' }).waitFor()
    await page.goto('/appointments')
    await page.getByRole('heading', { level: 1, name: 'Set up two-factor authentication' }).waitFor()
    expect((await page.request.get('/api/patients')).status()).toBe(403)
    await check(page, `set-up password, ${name}`)
    await page.getByLabel('Your password').fill('not my password')
    await page.keyboard.press('Enter')
    await page.getByText('This is not your current password').waitFor()
    await page.getByLabel('Your password').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    await check(page, `set-up code, ${name}`)
    const key = (await page.getByText('Or type the key').innerText()).replace('Or type the key', '')
    const code = showCode(key.replaceAll(/\s/g, ''), app.services.clock())
    await page.getByLabel('Enter the six digits it shows').fill(code)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have kept them' }).click()
    await page.getByRole('heading', { level: 1, name: 'Appointment Management' }).waitFor()
    await page.goto('/practice?tab=security')
    await page.getByText('Your practice requires it.').waitFor()
    expect(await page.getByRole('switch', { name: 'Two-factor authentication' }).isDisabled()).toBe(true)

    // The phone and the codes are lost: the owner resets it, and the set-up begins again.
    await admin.page.goto('/team')
    const [first, last] = [member.firstName, member.lastName]
    await admin.page
      .getByRole('button', { name: `Actions for ${first} ${last}` })
      .last()
      .click()
    await admin.page.getByRole('menuitem', { name: 'Reset two-factor' }).click()
    const dialog = admin.page.getByRole('dialog')
    await dialog.getByLabel('Your password').fill('not my password')
    await admin.page.keyboard.press('Enter')
    await dialog.getByText('This is not your current password').waitFor()
    await check(admin.page, `reset refused, ${name}`)
    await dialog.getByLabel('Your password').fill(password)
    await admin.page.keyboard.press('Enter')
    await admin.page.getByText('Two-factor authentication was reset').waitFor()
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    await page.getByRole('textbox', { name: 'Email' }).fill(member.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Set up two-factor authentication' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('button', { name: 'Sign In', exact: true }).waitFor()
    expect([...complaints, ...admin.complaints]).toEqual([])
    await context.close()
    await admin.context.close()
  })
})
