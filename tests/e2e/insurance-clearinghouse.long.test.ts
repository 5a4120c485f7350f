import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSubscriber } from '#tests/support/billing.ts'
import { startClearinghouseServer } from '#tests/support/clearinghouse-server.ts'
import { password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { activePlan, compose271 } from '#tests/modules/insurance/eligibility/replies.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, takePicture } from './browser.ts'
import { looks } from './looks.ts'

describe('an insurer that is asked', () => {
  let app: TestApp
  let browser: Browser
  let server: Awaited<ReturnType<typeof startClearinghouseServer>>
  /** The segments of the next answers; then the plan is active. */
  const answers: string[][] = []

  beforeAll(async () => {
    server = await startClearinghouseServer(({ trace }) => ({
      x12: compose271(answers.shift() ?? activePlan, { trace }),
    }))
    app = await startTestApp({ clearinghouse: server.settings })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
    await server?.close()
  })

  it.each(looks)('names what to correct, and verifies the corrected policy: $name', async ({ name, ...look }) => {
    answers.splice(
      0,
      answers.length,
      ['AAA*N**72*C'],
      ['AAA*N**50*C'],
      ['DTP*347*D8*20981231', 'EB*1**30'],
      ['EB*6**30'],
    )
    const { client, registration } = await newSubscriber(app, 'starter')
    const person = { firstName: 'Robert', lastName: 'Hayes', dateOfBirth: '1966-12-09' }
    expect((await client.post('/api/patients', person)).status).toBe(201)
    const { page, context, complaints } = await openWindow(browser, { ...look, url: app.url })
    await page.request.post('/api/login', { data: { email: registration.email, password } })
    await page.goto('/insurance')
    await page.getByRole('button', { name: 'New Verification' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'New Verification' })
    await dialog.getByText('The insurer is asked').waitFor()
    await dialog.getByRole('combobox', { name: 'Patient', exact: true }).fill('hayes')
    await page.getByRole('option', { name: /Robert Hayes/ }).click()
    await dialog.getByLabel('Insurance provider').fill('Summit Mutual')
    await dialog.getByLabel('Policy number').fill('SM-7741-0039')
    await dialog.getByRole('button', { name: 'Verify Insurance' }).click()
    await page.getByText('Insurance verification initiated').waitFor()
    const [{ id }] = (await client.get('/api/insurance')).body as [{ id: string }]
    await page.goto(`/insurance?verification=${id}`)
    const details = page.getByRole('dialog', { name: 'Verification Details' })
    await details.getByText('The insurer does not find this member').waitFor()
    await details.getByText(/Compare the policy number with the card/).waitFor()
    await expectAccessible(page, `what to correct, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `insurer-correct-${name}`)

    await details.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Summit Mutual of Robert Hayes' })
    await form.getByLabel('Policy number').fill('SM-7741-0093')
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await details.getByText('The insurer does not answer this practice').waitFor()
    await details.getByRole('button', { name: 'Ask again' }).click()
    await details.getByText('The insurer confirms the coverage').waitFor()
    await details.getByText(/^Answered: Today, /).waitFor()
    await details
      .getByText(/Dec 31, 2098/)
      .first()
      .waitFor()
    await expectAccessible(page, `a confirmed coverage, ${name}`)
    await takePicture(page, `insurer-confirms-${name}`)

    // The coverage has ended since.
    await details.getByRole('button', { name: 'Ask again' }).click()
    await details.getByText('The insurer says that the policy is not active').waitFor()
    await details.getByText('Denied', { exact: true }).first().waitFor()
    await page.goto('/automation')
    await page.getByText('Robert Hayes is not covered').waitFor()
    await page.getByText('Coverage of Robert Hayes confirmed').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
