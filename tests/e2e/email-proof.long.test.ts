import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOwner, password } from '#tests/support/practice.ts'
import { type MailServer, startMailServer } from '#tests/support/mail-server.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, takePicture } from './browser.ts'

const looks = [{ name: 'light' }, { name: 'phone, dark', width: 390, height: 844, dark: true }]

describe('the confirmation of an email', () => {
  let app: TestApp
  let browser: Browser
  let mailServer: MailServer

  beforeAll(async () => {
    mailServer = await startMailServer()
    app = await startTestApp({ smtp: mailServer.settings() })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
    await mailServer?.close()
  })

  const banner = (page: Page) => page.getByRole('complementary', { name: 'Account confirmation' })
  const waitForLinks = (email: string, count: number) =>
    waitUntil(
      () =>
        mailServer.messages
          .filter(({ to }) => to === email)
          .flatMap(({ content }) => /\/confirm-email\/[\w.-]+/.exec(content.replaceAll('=\r\n', ''))?.[0] ?? []),
      (links) => links.length >= count,
    )

  it.each(looks)(
    'is asked above every page until the link is opened, also elsewhere: $name',
    async ({ name, ...look }) => {
      const { registration, user } = await newOwner(app)
      const { page, complaints } = await openWindow(browser, { ...look, url: app.url })
      await page.request.post('/api/login', { data: { email: registration.email, password } })
      await page.goto('/dashboard')
      await banner(page).getByText(`We sent a link to ${user.email}.`).waitFor()
      await expectAccessible(page, `email to confirm, ${name}`)
      await expectNoSidewaysScroll(page)
      await takePicture(page, `email-to-confirm-${name}`)
      const [first = ''] = await waitForLinks(user.email, 1)
      await banner(page).getByRole('button', { name: 'Send again' }).press('Enter')
      await banner(page).getByText(`We sent another link to ${user.email}.`).waitFor()
      const [, second = ''] = await waitForLinks(user.email, 2)

      // On a phone that is not signed in.
      const other = await openWindow(browser, { ...look, url: app.url })
      await other.page.goto(first)
      await other.page.getByRole('button', { name: 'Confirm this email' }).press('Enter')
      await other.page.getByRole('heading', { name: 'This link no longer works' }).waitFor()
      await expectAccessible(other.page, `old link, ${name}`)
      await other.page.goto(second)
      await other.page.getByRole('heading', { name: 'Confirm your email' }).waitFor()
      await expectAccessible(other.page, `confirm, ${name}`)
      await takePicture(other.page, `confirm-email-${name}`)
      await other.page.getByRole('button', { name: 'Confirm this email' }).press('Enter')
      await other.page.getByRole('heading', { name: 'Your email is confirmed' }).waitFor()
      await other.page.getByText(user.email).waitFor()
      await expectAccessible(other.page, `confirmed, ${name}`)
      await other.page.getByRole('link', { name: 'Sign in' }).waitFor()
      await other.page.context().close()

      await banner(page).waitFor({ state: 'detached' })
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  it('says what is limited where it is met: an invitation', async () => {
    const { registration } = await newOwner(app)
    const { page } = await openWindow(browser, { url: app.url })
    await page.request.post('/api/login', { data: { email: registration.email, password } })
    await page.goto('/team')
    await page.getByRole('button', { name: 'Invite', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Invite to the team' })
    await dialog.getByLabel('Email').fill('robin@example.test')
    await dialog.getByRole('button', { name: /^(Invite|Send)/ }).click()
    await page.getByText('Please confirm your own email first').first().waitFor()
    await page.context().close()
  })
})
