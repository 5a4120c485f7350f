import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { removeSampleJob } from '#modules/samples/process-manager.ts'
import { newSubscriber, waitForUserSubscription } from '#tests/support/billing.ts'
import { newOwner, newUser, password, practiceDetails, registrationForm } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { waitUntil } from '#tests/support/wait-until.ts'
import { expectAccessible, expectNoSidewaysScroll, keepToasts, launchBrowser } from './browser.ts'
import { looks } from './looks.ts'
import { pays, typeCard, windowOf } from './payment-steps.ts'
import { chooseSpecialty, fillPractice, fillRegistration } from './sign-up-steps.ts'
import { itLong } from '#tests/support/long.ts'

/** Browser tests of the way from the choice of a plan to the first screens of the practice that paid for it. */
describe('the first minutes of a subscription', () => {
  let app: TestApp
  let browser: Browser

  beforeAll(async () => {
    // Sample records stay until a test removes them, as they do for moments after a payment.
    app = await startTestApp({ hasSamplePractices: true, disabledProcessManagers: ['sample-practice'] })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  /** Collects the amounts and comparisons that the dashboard shows from now on; a new practice has none. */
  const recordFigures = (page: Page) =>
    page.evaluate<void>(`(() => {
      window.shown = new Set()
      const look = () => {
        if (location.pathname !== '/') return
        for (const [text] of document.body.innerText.matchAll(/\\$[1-9][\\d,.]*|[+-]\\d+%[^\\n]*/g)) window.shown.add(text)
      }
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    })()`)

  itLong.each(looks)(
    'lead from a plan on /pricing to its payment, and to true figures at once: $name',
    async (look) => {
      const { page, complaints } = await windowOf({ app, browser }, null, look)
      await page.goto('/pricing')
      await page.getByRole('link', { name: 'Start Enterprise' }).click()
      // A newcomer registers.
      await page.getByLabel('Username').waitFor()
      await fillRegistration(page, registrationForm())
      await page.getByLabel(/newsletter/).check()
      await page.getByRole('button', { name: 'Create Account' }).click()
      await page.waitForURL(/\/welcome$/)
      await page.getByRole('link', { name: 'Set up your practice' }).click()
      await page.getByRole('button', { name: 'Get Started' }).click()
      await fillPractice(page)
      await chooseSpecialty(page)
      await page.getByRole('button', { name: 'Complete Setup' }).click()
      await page.getByText('Stay Updated').waitFor()
      expect(await page.getByRole('checkbox').isChecked()).toBe(true)
      await page.getByRole('button', { name: 'Continue' }).click()
      expect(await page.getByRole('radio', { name: /Enterprise/ }).isChecked()).toBe(true)
      await page.getByRole('button', { name: 'Complete Setup' }).click()
      await page.getByRole('button', { name: 'Explore the demo first' }).waitFor()
      await expectAccessible(page, `the last step, ${look.name}`)
      await page.getByRole('button', { name: 'Enter Application' }).click()
      await page.waitForURL(/\/subscription\?plan=enterprise&step=payment$/)
      await page.getByLabel('Card number').waitFor()

      await recordFigures(page)
      await typeCard(page, pays)
      await page.getByRole('button', { name: 'Complete Subscription - $249/month' }).click()
      await page.getByText('Your free trial of the Enterprise plan has started.').waitFor()
      await page.getByText('Sample records are being removed.', { exact: false }).waitFor()
      await page.getByText('No appointments scheduled for today').waitFor()
      await page.getByText('No recent patient activity').waitFor()
      await expectAccessible(page, `the notice of the removal, ${look.name}`)
      await expectNoSidewaysScroll(page)
      const user = (await (await page.request.get('/api/user')).json()) as {
        practiceId: string
        newsletterOptIn: boolean
      }
      expect(user).toMatchObject({ subscriptionTier: 'enterprise', newsletterOptIn: true, isRemovingSamples: true })
      expect(await page.evaluate('[...window.shown]')).toEqual([])
      // The notice disappears without a reload.
      await app.services.jobs.send(removeSampleJob, { practiceId: user.practiceId })
      await page.getByText('Sample records are being removed.', { exact: false }).waitFor({ state: 'detached' })
      expect(await page.evaluate('[...window.shown]')).toEqual([])
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  it('continue after a login with the payment of the plan that was chosen before', async () => {
    const owner = await newOwner(app, { selectedPlan: 'starter' })
    const { page } = await windowOf({ app, browser }, null)
    await page.goto('/')
    await page.getByRole('link', { name: 'Start Professional' }).click()
    await page.getByText('You chose Professional: the first 30 days are free, then $129 per month.').waitFor()
    await page.getByRole('tab', { name: 'Login' }).click()
    await page.getByLabel('Email').fill(String(owner.registration.email))
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await page.waitForURL(/\/subscription\?plan=professional&step=payment$/)
    await page.getByRole('button', { name: 'Complete Subscription - $129/month' }).waitFor()
    await page.context().close()
  })

  itLong(
    'remember the plan that was chosen last, in a new tab too, until it is paid for or the user signs out',
    async () => {
      const { client, registration } = await newUser(app)
      const { page, context } = await windowOf({ app, browser }, null)
      await page.goto('/pricing')
      await page.getByRole('link', { name: 'Start Professional' }).click()
      await page.getByLabel('Username').waitFor()
      await page.close()
      // Another day: an account, the first part of the wizard, and no address that names the plan.
      await client.post('/api/practices/setup', practiceDetails)
      const next = await context.newPage()
      await next.request.post('/api/login', { data: { email: registration.email, password } })
      await next.goto('/')
      await next.getByRole('button', { name: 'Continue' }).click()
      expect(await next.getByRole('radio', { name: /Professional/ }).isChecked()).toBe(true)
      await next.goto('/pricing')
      await next.getByRole('link', { name: 'Start Enterprise' }).click()
      await next.getByRole('button', { name: 'Start Enterprise' }).waitFor()
      await next.goto('/')
      expect(await next.getByRole('radio', { name: /Enterprise/ }).isChecked()).toBe(true)
      await next.getByRole('button', { name: 'Complete Setup' }).click()
      await next.getByRole('button', { name: 'Explore the demo first' }).click()
      await next.getByRole('button', { name: 'Sign Out' }).click()
      await next.waitForURL(/\/auth$/)
      expect(await next.evaluate('localStorage.length')).toBe(0)
      await context.close()
    },
  )

  itLong('end the notice of the removal also where no live updates arrive', async () => {
    const owner = await newSubscriber(app, 'starter')
    const { page, context } = await windowOf({ app, browser }, owner)
    await context.route(/\/api\/changes(\?|$)/, (route) => route.abort())
    await page.goto('/patients')
    const notice = page.getByText('Sample records are being removed.', { exact: false })
    await notice.waitFor()
    await app.services.jobs.send(removeSampleJob, { practiceId: owner.practice.id })
    await notice.waitFor({ state: 'detached' })
    await context.close()
  })

  itLong('claim no payment where there was none', async () => {
    const { page } = await windowOf({ app, browser }, await newOwner(app, { selectedPlan: 'starter' }))
    await page.goto('/patients')
    await keepToasts(page)
    await page.evaluate(
      `history.pushState({}, '', '/?subscription=success'); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await page.getByRole('heading', { name: "Today's Schedule" }).waitFor()
    expect(page.url()).not.toContain('subscription=success')
    expect(await page.locator('.fui-Toast').count()).toBe(0)
    expect(await page.getByText(/payment received/i).count()).toBe(0)
    await page.context().close()
  })

  itLong('offer a plan that is large enough instead of one that is not', async () => {
    const owner = await newSubscriber(app, 'professional')
    const csv = `First name,Last name,DOB\n${Array.from({ length: 501 }, (_, row) => `Ada,Ray${row},1980-01-01`).join('\n')}`
    await owner.client.post('/api/patients/import', { csv })
    await waitUntil(
      () => owner.client.get('/api/subscription/status'),
      ({ body }) => body.patients === 501,
    )
    await owner.client.post('/api/subscription/cancel')
    await owner.client.post('/api/billing-sandbox/advance', { days: 31 })
    await waitForUserSubscription(owner.client, 'demo')
    const { page } = await windowOf({ app, browser }, owner)
    await page.goto('/subscription')
    await page.getByRole('button', { name: 'Start Starter' }).click()
    const notice = page.getByRole('alert').filter({ hasText: 'This plan is too small for your practice' })
    const words = 'Starter holds 500 patients and you have 501. Choose Professional, or remove 1 first.'
    await notice.getByText(words).waitFor()
    await expectAccessible(page, 'a plan that is too small')
    await notice.getByRole('button', { name: 'Choose Professional' }).click()
    await page.waitForURL(/plan=professional&step=payment$/)
    await page.getByLabel('Card number').waitFor()
    await page.context().close()
  })
})
