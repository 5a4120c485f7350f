import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subscribe } from '#tests/support/billing.ts'
import { type MailReply, startMailServer } from '#tests/support/mail-server.ts'
import { newMember } from '#tests/support/members.ts'
import { newOwner, newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import {
  dismissToasts,
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  loadAgain,
  openWindow,
} from './browser.ts'
import { looks } from './looks.ts'

describe('the tabs of the settings', () => {
  let app: TestApp
  let browser: Browser
  let mailServer: Awaited<ReturnType<typeof startMailServer>>
  let mailReply: MailReply = 'accept'

  beforeAll(async () => {
    mailServer = await startMailServer({ answer: () => mailReply })
    // Without the messages of registrations.
    app = await startTestApp({ smtp: mailServer.settings(), disabledProcessManagers: ['follow-accounts'] })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
    await mailServer?.close()
  })

  async function signIn(email: unknown, look: { width?: number; height?: number; dark?: boolean } = {}) {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email, password } })
    return screen
  }
  const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  const focusedName = (page: Page) => page.evaluate<string>('document.activeElement?.getAttribute("name") ?? ""')
  const openProfile = async (page: Page) => {
    await page.goto('/practice?tab=profile')
    await page.getByLabel('First name').waitFor()
  }

  it('are six, in this order', async () => {
    const owner = await newOwner(app)
    const { page } = await signIn(owner.registration.email)
    await page.goto('/practice')
    await page.getByRole('tab', { name: 'Integrations' }).waitFor()
    const names = ['Practice', 'Profile', 'Security', 'Notifications', 'Billing', 'Integrations']
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(names)
    await page.context().close()
  })

  describe('Profile', () => {
    it.each(looks)('is accessible and fits, with what is wrong too: $name', async ({ name, ...look }) => {
      const owner = await newOwner(app)
      const { page, complaints } = await signIn(owner.registration.email, look)
      await openProfile(page)
      expect(await page.getByLabel('Email').inputValue()).toBe(owner.user.email)
      expect(await page.getByLabel('Role').inputValue()).toBe('Staff')
      await expectAccessible(page, `profile, ${name}`)
      await expectNoSidewaysScroll(page)
      await page.getByLabel('First name').fill('')
      await page.getByLabel('Username').fill('a b')
      await page.keyboard.press('Enter')
      await page.getByText('Please enter your first name').waitFor()
      await page.getByText('Username must be').or(page.getByText('Use letters, digits')).waitFor()
      await expect.poll(() => focusedName(page)).toBe('firstName')
      await expectAccessible(page, `profile, refused, ${name}`)
      await expectNoSidewaysScroll(page)
      expect(complaints).toEqual([])
      await page.context().close()
    })

    it('is changed with the keyboard, and shown in the sidebar and in the team at once', async () => {
      const owner = await newOwner(app)
      const colleague = await newMember(app, owner.practice.id, 'administrator')
      const [mine, theirs] = [await signIn(owner.registration.email), await signIn(colleague.registration.email)]
      await theirs.page.goto('/team')
      await theirs.page.getByText('No open invitations').waitFor()
      const { page } = mine
      await openProfile(page)
      for (let step = 0; step < 60 && (await focusedName(page)) !== 'firstName'; step++)
        await page.keyboard.press('Tab')
      await page.keyboard.press('Control+a')
      await page.keyboard.type('Adaeze')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Control+a')
      await page.keyboard.type('Bello')
      await page.keyboard.press('Enter')
      await page.getByText('Profile saved').waitFor()
      await page.getByText('Adaeze Bello').first().waitFor()
      await theirs.page.getByText('Adaeze Bello').first().waitFor()
      await page.reload()
      await page.getByLabel('First name').waitFor()
      expect(await page.getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Adaeze')
      for (const { context } of [mine, theirs]) await context.close()
    })

    it('says at the field that a username is taken, and keeps what was typed', async () => {
      const [owner, other] = [await newOwner(app), await newUser(app)]
      const { page } = await signIn(owner.registration.email)
      await openProfile(page)
      await page.getByLabel('Username').fill(other.user.username)
      await page.keyboard.press('Enter')
      await page.getByText('This username is already taken', { exact: true }).waitFor()
      expect(await page.getByLabel('Username').inputValue()).toBe(other.user.username)
      await page.context().close()
    })

    it('shows a second window what the first one changed', async () => {
      const owner = await newOwner(app)
      const { page } = await signIn(owner.registration.email)
      await openProfile(page)
      await page.getByLabel('First name').fill('Adaora')
      await owner.client.patch('/api/account/profile', { firstName: 'Adaeze', lastName: 'Bello' })
      await page.getByRole('button', { name: 'Save profile' }).click()
      await page.getByText('changed your profile while you were editing').waitFor()
      await expectAccessible(page, 'profile, conflict')
      expect(await page.getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Adaora')
      expect(await page.getByRole('textbox', { name: 'Last name' }).inputValue()).toBe('Bello')
      await page.getByRole('button', { name: 'Use theirs' }).click()
      await expect.poll(() => page.getByRole('textbox', { name: 'First name' }).inputValue()).toBe('Adaeze')
      await page.context().close()
    })

    it('says when it could not be loaded, and loads it again', async () => {
      const owner = await newOwner(app)
      const { page } = await signIn(owner.registration.email)
      await page.route('**/api/account/profile', (route) => route.abort())
      await page.goto('/practice?tab=profile')
      await page.getByText('Your profile could not be loaded').waitFor()
      await expectAccessible(page, 'profile, failed')
      await page.unroute('**/api/account/profile')
      await loadAgain(page, /could not be loaded/)
      await page.getByLabel('First name').waitFor()
      await page.context().close()
    })
  })

  describe('Integrations', () => {
    const newSubscriber = async () => {
      const owner = await newOwner(app, { selectedPlan: 'starter' })
      await subscribe(owner.client)
      return owner
    }

    it.each(looks)('show the sample to a demo user: $name', async ({ name, ...look }) => {
      const owner = await newOwner(app)
      const { page, complaints } = await signIn(owner.registration.email, look)
      await page.goto('/practice?tab=integrations')
      await card(page, 'AI provider').getByText('Connected').waitFor()
      await card(page, 'Payments provider').getByText('Connected').waitFor()
      await card(page, 'Email provider').getByText('Rate Limited').waitFor()
      await page.getByText('Emails may be delayed').waitFor()
      await card(page, 'Database host').getByText('Operational').waitFor()
      expect(await page.getByRole('button', { name: /^Test/ }).count()).toBe(0)
      await expectAccessible(page, `sample integrations, ${name}`)
      await expectNoSidewaysScroll(page)
      expect(complaints).toEqual([])
      await page.context().close()
    })

    it.each(looks)('show and test what this installation uses: $name', async ({ name, ...look }) => {
      mailReply = 'accept'
      const owner = await newSubscriber()
      const { page, complaints } = await signIn(owner.registration.email, look)
      await page.goto('/practice?tab=integrations')
      await card(page, 'AI provider').getByText('Not configured').waitFor()
      await card(page, 'Payments provider').getByText('Stand-in').waitFor()
      await card(page, 'Database host').getByText('Operational').waitFor()
      const email = card(page, 'Email provider')
      await email.getByRole('button', { name: 'Test the Email provider' }).focus()
      await page.keyboard.press('Enter')
      await email.getByText(/It works: answered in \d+ ms/).waitFor()
      await email.getByText('Connected').waitFor()
      await email.getByText('Last success within the last hour').waitFor()
      await expectAccessible(page, `integrations, ${name}`)
      await expectNoSidewaysScroll(page)
      mailReply = 554
      app.advanceClock(1_000)
      await email.getByRole('button', { name: 'Test the Email provider' }).click()
      await email.getByText('Failed: the service refused the call (smtp-554)').waitFor()
      await email.getByText('Error', { exact: true }).waitFor()
      await email.getByText(/^Last error .*smtp-554/).waitFor()
      await dismissToasts(page)
      await expectAccessible(page, `integrations, failed, ${name}`)
      await expectNoSidewaysScroll(page)
      expect(complaints).toEqual([])
      await page.context().close()
    })

    it('say to other roles who may see them, and what could not be loaded', async () => {
      const owner = await newSubscriber()
      const nurse = await newMember(app, owner.practice.id, 'nurse')
      const other = await signIn(nurse.registration.email)
      await other.page.goto('/practice?tab=integrations')
      await other.page.getByText('Integrations are for the owner and administrators').waitFor()
      await expectAccessible(other.page, 'integrations, for a nurse')
      await other.context.close()

      const { page } = await signIn(owner.registration.email)
      await page.route('**/api/integrations', (route) => route.abort())
      await page.goto('/practice?tab=integrations')
      await page.getByText('The integrations could not be loaded').waitFor()
      await expectAccessible(page, 'integrations, failed to load')
      await page.unroute('**/api/integrations')
      await loadAgain(page, /could not be loaded/)
      await card(page, 'Database host').getByText('Operational').waitFor()
      await page.context().close()
    })
  })
})
