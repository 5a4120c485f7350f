import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { future } from '#tests/support/future-days.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, type Screen } from './browser.ts'
import { looks } from './looks.ts'

/** The parts of other features in the details of a patient. Each test builds on the one before. */
describe('the chart of a patient', () => {
  let app: TestApp
  let browser: Browser
  let screen: Screen
  let owner: Awaited<ReturnType<typeof newSubscriber>>
  let grace: string

  const openSignedIn = async (
    email: string,
    look: { width?: number; height?: number; dark?: boolean } = {},
  ): Promise<Screen> => {
    const opened = await openWindow(browser, { ...look, url: app.url })
    await opened.page.request.post('/api/login', { data: { email, password } })
    return opened
  }
  const section = (page: Page, title: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: title, exact: true }) })
  const openChart = (page: Page) => page.goto(`/patients/${grace}`)

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newSubscriber(app)
    const { client } = owner
    const insuranceInfo = { provider: 'Summit Mutual', policyNumber: 'SM-7741-0093' }
    const person = { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1957-02-10', insuranceInfo }
    grace = (await client.post('/api/patients', person)).body.id as string
    const other = (await client.post('/api/patients', { firstName: 'Alan', lastName: 'Turing' })).body.id as string
    for (const title of ['One', 'Two', 'Three', 'Four'])
      await client.post('/api/forms', { patientId: grace, formType: 'intake', title: `Intake ${title}` })
    await client.post('/api/forms', { patientId: other, formType: 'intake', title: 'Of another patient' })
    const policy = { insuranceProvider: 'Summit Mutual', policyNumber: 'SM-7741-0093' }
    await client.post('/api/insurance/verify', { ...policy, patientId: grace })
    const referral = { specialtyType: 'Cardiology', reasonForReferral: 'Murmur' }
    await client.post('/api/referrals', { ...referral, patientId: grace })
    await client.post('/api/call-logs', { callerPhone: '(617) 555-0100', patientId: grace })
    screen = await openSignedIn(owner.registration.email)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('shows the newest forms, all of them on request, and opens one', async () => {
    const { page } = screen
    await openChart(page)
    const forms = section(page, 'Forms')
    await forms.getByRole('link', { name: 'Intake Four' }).waitFor()
    expect(await forms.getByRole('listitem').count()).toBe(3)
    await forms.getByRole('button', { name: 'Show all 4' }).click()
    await forms.getByRole('link', { name: 'Intake One' }).waitFor()
    expect(await forms.getByRole('listitem').count()).toBe(4)
    expect(await page.getByText('Of another patient').count()).toBe(0)
    await forms.getByRole('link', { name: 'Intake Two' }).click()
    await page.waitForURL(/\/forms\/[0-9a-f-]{36}/)
    await page.goBack()
    await section(page, 'Forms').getByRole('link', { name: 'Create form' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create Form' })
    await expect.poll(() => dialog.getByRole('combobox', { name: 'Patient' }).inputValue()).toContain('Grace Hopper')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })

  it('shows the verifications of the insurance, and opens one', async () => {
    const { page } = screen
    await openChart(page)
    const verifications = section(page, 'Insurance verification')
    await verifications.getByText('Policy SM-7741-0093').waitFor()
    await verifications.getByRole('link', { name: 'Summit Mutual' }).click()
    await page.getByRole('dialog').getByText('SM-7741-0093').first().waitFor()
    await openChart(page)
    await verifications.getByRole('link', { name: 'Verify insurance' }).click()
    const dialog = page.getByRole('dialog', { name: 'New Verification' })
    await expect
      .poll(() => dialog.getByRole('combobox', { name: 'Patient' }).first().inputValue())
      .toContain('Grace Hopper')
  })

  it('shows records of every kind, opens one, and adds one for the patient', async () => {
    const { page } = screen
    await openChart(page)
    const records = section(page, 'Records')
    await records.getByText(/^Referral/).waitFor()
    await records.getByText(/^Call/).waitFor()
    await records.getByRole('button', { name: 'Add record' }).press('Enter')
    await page.getByRole('menuitem', { name: 'New Referral' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'New Referral, Grace Hopper' })
    expect(await dialog.getByLabel('Insurance provider').inputValue()).toBe('Summit Mutual')
    await dialog.getByLabel('Specialty*').fill('Dermatology')
    await dialog.getByLabel('Reason*').fill('Rash')
    await expectAccessible(page, 'a record that is added from the chart')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    await records.getByRole('link', { name: /Dermatology/ }).waitFor()
    const list = await owner.client.get(`/api/referrals?patientId=${grace}`)
    expect((list.body as { specialtyType: string }[]).map(({ specialtyType }) => specialtyType)).toEqual([
      'Dermatology',
      'Cardiology',
    ])
    await records.getByRole('link', { name: /Cardiology/ }).click()
    await page.waitForURL(/\/automation\?.*record=/)
    await page.getByRole('dialog').getByText('Murmur').first().waitFor()
    expect(screen.complaints).toEqual([])
  })

  it.each(looks)('is accessible and fits: $name', async ({ name, ...look }) => {
    const { page, context, complaints } = await openSignedIn(owner.registration.email, look)
    await openChart(page)
    await section(page, 'Records')
      .getByText(/^Referral/)
      .first()
      .waitFor()
    await section(page, 'Forms').getByRole('link', { name: 'Intake Four' }).waitFor()
    await section(page, 'Insurance verification').getByText('Policy SM-7741-0093').waitFor()
    await expectAccessible(page, `the chart of a patient, ${name}`)
    await expectNoSidewaysScroll(page)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('is there in the details of an appointment as far as it matters on that day: forms that are missing', async () => {
    const { page } = screen
    const booking = { patientId: grace, appointmentDate: `${future.tuesday.iso}T10:00`, type: 'check-up' }
    const { id } = (await owner.client.post('/api/appointments', booking)).body as { id: string }
    await page.goto(`/appointments?appointment=${id}`)
    const details = page.getByRole('dialog', { name: 'Appointment Details' })
    await details.getByRole('link', { name: 'Intake Four: not handed in' }).waitFor()
    await expectAccessible(page, 'an appointment whose patient has forms to hand in')
    await details.getByRole('link', { name: 'Intake One: not handed in' }).click()
    await page.getByRole('heading', { name: 'Intake One' }).first().waitFor()
    await owner.client.patch(`/api/appointments/${id}`, { status: 'cancelled' })
    await page.goto(`/appointments?appointment=${id}`)
    await details.getByText('Cancelled').first().waitFor()
    expect(await details.getByRole('link', { name: /not handed in/ }).count()).toBe(0)
    expect(screen.complaints).toEqual([])
  })

  it('leaves out what the plan does not include', async () => {
    const demo = await newOwner(app)
    const body = { firstName: 'Ada', lastName: 'Lovelace' }
    const ada = (await demo.client.post('/api/patients', body)).body.id as string
    const { page, context } = await openSignedIn(demo.registration.email)
    await page.goto(`/patients/${ada}`)
    await section(page, 'Forms').getByText('No forms yet').waitFor()
    expect(await section(page, 'Insurance verification').count()).toBe(0)
    expect(await section(page, 'Records').count()).toBe(0)
    await context.close()
  })
})
