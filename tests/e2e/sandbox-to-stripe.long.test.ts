import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { switchToStripe } from '#tests/modules/billing/switched-installation.ts'
import { waitForUserSubscription } from '#tests/support/billing.ts'
import { launchBrowser } from './browser.ts'
import { looks } from './looks.ts'
import { accessible, windowOf } from './payment-steps.ts'

/** A practice whose test subscription ended because its installation switched to Stripe. */
describe('a sandbox subscription that has ended', () => {
  let switched: Awaited<ReturnType<typeof switchToStripe>>
  let browser: Browser
  beforeAll(async () => {
    switched = await switchToStripe()
    await switched.end()
    await waitForUserSubscription(switched.client, 'demo')
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await switched?.dispose()
  })

  it.each(looks)('is announced on every screen and leads to the plans, $name', async (look) => {
    const { page, complaints } = await windowOf({ app: switched.fixture.app, browser }, switched, look)
    const title = 'Sandbox subscription, choose a plan'
    await page.goto('/practice')
    await page.getByRole('tab', { name: 'Billing' }).click()
    await page.getByRole('region', { name: 'Billing' }).getByText(title, { exact: true }).waitFor()
    await accessible(page, `billing, ${look.name}`)
    await page.goto('/manage-subscription')
    await page.getByText(title, { exact: true }).waitFor()
    await accessible(page, `manage subscription, ${look.name}`)
    await page.goto('/patients')
    const banner = page.getByRole('complementary', { name: 'Subscription' })
    await banner.getByText(`${title}.`).waitFor()
    await page.getByText('Grace Hopper').first().waitFor()
    await accessible(page, `banner, ${look.name}`)
    await banner.getByRole('link', { name: 'Choose a plan' }).click()
    await page.getByRole('button', { name: 'Start Professional' }).waitFor()
    expect(complaints).toEqual([])
    await page.context().close()
  })
})
