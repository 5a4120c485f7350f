import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Confirmation } from '#contracts/confirmations.ts'
import { waitForJobs } from '#tests/support/job-delays.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { subscribe, waitForUserSubscription } from '#tests/support/billing.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, launchBrowser, openWindow, takePicture } from './browser.ts'
import { itLong } from '#tests/support/long.ts'

const hourMs = 3_600_000

/** Each test builds on the state of the previous one. */
describe('Healthcare Automation Hub', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>

  async function signedIn(email: unknown) {
    const screen = await openWindow(browser, { url: app.url })
    await screen.page.request.post('/api/login', { data: { email, password } })
    return screen
  }
  const row = (page: Page, name: string) => page.getByRole('row', { name: new RegExp(name) }).first()
  const book = async (name: string, email: string | null) => {
    const [firstName, lastName] = name.split(' ')
    const patient = await owner.client.post('/api/patients', { firstName, lastName, email })
    const appointmentDate = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 20 * hourMs).toISOString()
    const booking = { patientId: patient.body.id, appointmentDate, type: 'consultation', allowOverlap: true }
    expect((await owner.client.post('/api/appointments', booking)).status).toBe(201)
  }

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app)
    await subscribe(owner.client, 'starter')
    await waitForUserSubscription(owner.client, 'trial')
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  itLong('says that nothing has run by itself yet', async () => {
    const { page, context, complaints } = await signedIn(owner.registration.email)
    await page.goto('/automation')
    await page.getByText('Nothing has run by itself yet').waitFor()
    await page.getByText('Nothing waits for a person.').waitFor()
    expect(await page.getByText('Not enough data yet').count()).toBe(3)
    await page.getByRole('tab', { name: 'Appointments' }).click()
    await page.getByText('No confirmations yet').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('shows what was sent and what failed, in the figures, the log and the list', async () => {
    await book('Grace Liu', 'grace.liu@example.com')
    await book('Ella Johansson', null)
    await waitForJobs(
      app.services.pool,
      async () => (await owner.client.get('/api/automation/activity')).body as unknown[],
      (actions) => actions.length === 2,
    )
    const { page, context, complaints } = await signedIn(owner.registration.email)
    await page.goto('/automation')
    await page.getByText('Grace Liu was asked about an appointment').waitFor()
    await page.getByText('50%', { exact: true }).waitFor()
    await page.getByText('2 in all, 1 declined or failed').waitFor()
    await expectAccessible(page, 'the overview')
    await page.getByRole('link', { name: 'Show messages' }).click()
    await row(page, 'Ella Johansson').getByText('The patient has no number or address').waitFor()
    expect(new URL(page.url()).search).toBe('?tab=appointments&status=failed')
    await page.getByRole('combobox', { name: 'Status of the confirmation' }).selectOption('all')
    await row(page, 'Grace Liu').click()
    const details = page.getByRole('dialog', { name: 'Confirmation Details' })
    await details.getByText('Message sent').waitFor()
    await expectAccessible(page, 'the details')
    await details.getByRole('button', { name: 'Close', exact: true }).click()
    await row(page, 'Grace Liu').getByRole('button', { name: 'Resend to Grace Liu' }).click()
    await page.getByText('Confirmation resent').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('says in the details of an appointment what its patient was asked', async () => {
    const { page, context, complaints } = await signedIn(owner.registration.email)
    const asked = (await owner.client.get('/api/appointment-confirmations')).body as Confirmation[]
    for (const [name, text] of [
      ['Grace Liu', /^Asked by email, .*: kept in the outbox$/],
      ['Ella Johansson', /^Could not be asked by email$/],
    ] as const) {
      const appointmentId = asked.find(({ patientName }) => patientName === name)?.appointmentId
      await page.goto(`/appointments?appointment=${appointmentId}`)
      const details = page.getByRole('dialog', { name: 'Appointment Details' })
      await details.getByRole('link', { name: text }).waitFor()
      await expectAccessible(page, `the appointment of ${name}`)
      await details.getByRole('link', { name: text }).click()
      await page.getByRole('dialog', { name: 'Confirmation Details' }).getByText(name).first().waitFor()
    }
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('saves by what, and when, patients are asked', async () => {
    const { page, context, complaints } = await signedIn(owner.registration.email)
    await page.goto('/automation?tab=appointments')
    await page.getByText('asked 24 hours before, by email').waitFor()
    await page.getByRole('button', { name: 'Configure Settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Configure Settings' })
    await dialog.getByRole('radio', { name: 'Both' }).check()
    await dialog.getByLabel('When').selectOption('48h')
    await dialog.getByLabel('Add to the message (optional)').fill('Please bring your insurance card.')
    await dialog.getByText(/Confirm or decline: .*Please bring your insurance card\./).waitFor()
    await dialog.getByLabel('Language of the messages').selectOption('Spanish')
    await dialog.getByText(/su cita es el .* Confirme o rechace: /).waitFor()
    await expectAccessible(page, 'the settings')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Configuration saved').waitFor()
    await page.getByText('asked 48 hours before, by text message and email').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('switches off that patients are asked, and says so', async () => {
    const { page, context, complaints } = await signedIn(owner.registration.email)
    await page.goto('/automation')
    await page.getByRole('button', { name: 'Configure Settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Configure Settings' })
    const switchOf = (label: string) => dialog.getByRole('switch', { name: label })
    expect(await switchOf('Ask insurers about coverage').isDisabled()).toBe(true)
    await dialog.getByText('No clearinghouse is connected').waitFor()
    await expectAccessible(page, 'the switches')
    await takePicture(page, 'switches')
    await switchOf('Ask patients about appointments').click()
    const state = new RegExp(`Off since .*, by ${owner.user.firstName} ${owner.user.lastName}`)
    await dialog.getByText(state).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('tab', { name: 'Appointments' }).click()
    await page.getByText('Patients are not asked about appointments').waitFor()
    await page.getByText(state).waitFor()
    await expectAccessible(page, 'the notice')
    await takePicture(page, 'switched-off')
    await page.getByRole('button', { name: 'Configure Settings' }).click()
    await switchOf('Ask patients about appointments').click()
    await dialog.getByText('On since').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await page.getByText('Patients are not asked about appointments').count()).toBe(0)
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('computes the savings from the estimates of the practice', async () => {
    const { page, context, complaints } = await signedIn(owner.registration.email)
    await page.goto('/automation')
    await page.getByText('at $28 an hour').waitFor()
    await page.getByRole('button', { name: 'Configure Settings' }).click()
    const dialog = page.getByRole('dialog', { name: 'Configure Settings' })
    await dialog.getByLabel('Pay of an hour, in dollars').fill('much')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Please enter an amount').waitFor()
    await dialog.getByLabel('Pay of an hour, in dollars').fill('40.50')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Estimates saved').waitFor()
    await page.getByText('at $40.50 an hour').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('shows the demo its fixed figures and four confirmations', async () => {
    const demo = await newOwner(app)
    const { page, context, complaints } = await signedIn(demo.registration.email)
    await page.goto('/automation')
    for (const figure of ['94.2%', '1,247', '127 hrs', '$14,250'])
      await page.getByText(figure, { exact: true }).waitFor()
    await page.getByText('Prior authorization for Robert Hayes approved').waitFor()
    await page.getByRole('tab', { name: 'Appointments' }).click()
    await row(page, 'Hannah Novak').waitFor()
    expect(await page.getByRole('row').count()).toBe(5)
    expect(complaints).toEqual([])
    await context.close()
  })
})
