import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { subscribe } from '#tests/support/billing.ts'
import { newMember } from '#tests/support/members.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { turnOnTwoFactor } from '#tests/support/two-factor.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  loadAgain,
  openWindow,
  takePicture,
} from './browser.ts'
import { looks } from './looks.ts'

const labels = ['Data Encryption', 'Audit Logging', 'Access Controls', 'Secure Transmission']

describe('the HIPAA status in the tab Security', () => {
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

  async function newSubscriber() {
    const owner = await newOwner(app, { selectedPlan: 'starter' })
    await subscribe(owner.client)
    return owner
  }
  async function signIn(email: unknown, look: { width?: number; height?: number; dark?: boolean } = {}) {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email, password } })
    await screen.page.goto('/practice?tab=security')
    return screen
  }
  const panel = (page: Page) => page.getByRole('region', { name: 'HIPAA status', exact: true })
  const badge = (page: Page, label: string, status: string) =>
    panel(page).getByRole('button', { name: `${label} ${status}`, exact: true })

  it.each(looks)('shows a demo user four active ones: $name', async ({ name, ...look }) => {
    const owner = await newOwner(app)
    const { page, complaints } = await signIn(owner.registration.email, look)
    await panel(page).getByText('Demo').waitFor()
    expect(await panel(page).getByRole('listitem').allInnerTexts()).toEqual(
      labels.map((label) => expect.stringMatching(new RegExp(`^${label}\\s+Active$`))),
    )
    await expectAccessible(page, `sample safeguards, ${name}`)
    await expectNoSidewaysScroll(page)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it.each(looks)('opens what each rests on, and says what needs action: $name', async ({ name, ...look }) => {
    const owner = await newSubscriber()
    await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
    const { page, complaints } = await signIn(owner.registration.email, look)
    await badge(page, 'Access Controls', 'Action needed').waitFor()
    expect(await panel(page).getByRole('heading', { level: 3 }).allInnerTexts()).toEqual(
      labels.map((label) => expect.stringMatching(new RegExp(`^${label}\\s+(Active|Action needed)$`))),
    )
    await badge(page, 'Data Encryption', 'Active').focus()
    await page.keyboard.press('Enter')
    await page.getByText('1 patient has a key, protected by the master key.').waitFor()
    await page.getByText('The newest record is stored encrypted, and its key opens it.').waitFor()
    for (const label of labels.slice(1)) {
      await page.keyboard.press('Tab')
      while (!(await page.evaluate<boolean>(`document.activeElement?.innerText.startsWith('${label}') ?? false`)))
        await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
    }
    await page.getByText('Entries can be added, and neither changed nor deleted.').waitFor()
    await page.getByText('0 of 1 person uses two-factor sign-in. Require it of everyone').waitFor()
    await page.getByText('Browsers connect with https, at https://practice.example.').waitFor()
    expect(
      await panel(page)
        .getByText(/^Checked Today, /)
        .count(),
    ).toBe(4)
    await expectAccessible(page, `safeguards, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `safeguards-${name}`)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('changes as soon as everyone is protected, and leads to the team', async () => {
    const owner = await newSubscriber()
    const { page, context } = await signIn(owner.registration.email)
    await badge(page, 'Access Controls', 'Action needed').click()
    // In the session of the page: every other one ends.
    const cookies = (await context.cookies()).map(({ name, value }) => `${name}=${value}`)
    owner.client.setCookie(cookies.join('; '))
    await turnOnTwoFactor(owner.client, app.services.clock)
    await page.reload()
    await badge(page, 'Access Controls', 'Active').waitFor()
    await newMember(app, owner.practice.id, 'nurse')
    await page.reload()
    await badge(page, 'Access Controls', 'Action needed').click()
    await page.getByText('1 of 2 people use two-factor sign-in. Require it of everyone').waitFor()
    await page.getByRole('switch', { name: 'Require it of everyone' }).click()
    await page.getByRole('button', { name: 'Require it', exact: true }).click()
    await badge(page, 'Access Controls', 'Active').waitFor()
    await page.getByText('1 of 2 people use two-factor sign-in. It is required').waitFor()
    await page.getByRole('link', { name: 'Open the team' }).click()
    await page.waitForURL('**/team')
    await page.context().close()
  })

  it('is for the owner and administrators, and says when it could not be checked', async () => {
    const owner = await newSubscriber()
    const nurse = await newMember(app, owner.practice.id, 'nurse')
    const other = await signIn(nurse.registration.email)
    await other.page.getByText('The HIPAA checks are for the owner and administrators').waitFor()
    await expectAccessible(other.page, 'safeguards, for a nurse')
    await other.context.close()

    const { page } = await signIn(owner.registration.email)
    await page.route('**/api/safeguards', (route) => route.abort())
    await page.reload()
    await page.getByText('The HIPAA checks could not be loaded').waitFor()
    await expectAccessible(page, 'safeguards, failed')
    await page.unroute('**/api/safeguards')
    await loadAgain(page, /could not be loaded/)
    await badge(page, 'Data Encryption', 'Active').waitFor()
    await page.context().close()
  })
})
