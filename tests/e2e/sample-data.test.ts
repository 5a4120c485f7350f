import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Patient } from '#contracts/patients.ts'
import { isLongRun, itLong } from '#tests/support/long.ts'
import { joinPractice } from '#tests/support/members.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, silenceLiveUpdates } from './browser.ts'
import { looks } from './looks.ts'

describe('the sample practice', () => {
  let app: TestApp
  let browser: Browser

  beforeAll(async () => {
    app = await startTestApp({ hasSamplePractices: true })
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  const section = (page: Page) => page.getByRole('region', { name: 'Sample data' })

  async function picture(page: Page, name: string): Promise<void> {
    const folder = process.env['SCREENSHOTS']
    if (folder) await page.screenshot({ path: `${folder}/${name}.png` })
  }

  it.runIf(isLongRun)(
    'shows in full its badge in the week view and the name of a cancelled appointment beside a free slot',
    async () => {
      const owner = await newOwner(app, { selectedPlan: 'starter' })
      const { body: providers } = await owner.client.get('/api/providers')
      for (const name of ['Dr. Park', 'Dr. Lind']) await owner.client.post('/api/providers', { name })
      const appointment = {
        patientId: (await owner.client.get('/api/patients')).body[0].id,
        appointmentDate: '2030-03-04T15:00:00Z',
        type: 'check-up',
        providerId: providers[0].id,
      }
      const { body: booked } = await owner.client.post('/api/appointments', appointment)
      await owner.client.patch(`/api/appointments/${booked.id}`, { status: 'cancelled' })
      const { page, context } = await openWindow(browser, { url: app.url })
      await page.request.post('/api/login', { data: { email: owner.registration.email, password } })

      await page.goto('/appointments?date=2030-03-04&provider=all')
      const name = page.locator(`[data-appointment="${booked.id}"]`)
      await name.waitFor()
      expect(await name.evaluate((it) => (it as unknown as { clientWidth: number }).clientWidth)).toBeGreaterThan(90)
      await page.getByRole('button', { name: `10:00 AM is free, ${providers[0].name}` }).click()
      await page.getByRole('dialog').waitFor()

      for (const width of [1440, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        await page.goto('/appointments?view=week&provider=all')
        const mark = page.getByText('Demo', { exact: true })
        await mark.first().waitFor()
        // oxlint-disable-next-line no-await-in-loop -- one window, one width after the other
        const cut =
          await page.evaluate<number>(`[...document.querySelectorAll('section li button span span')].filter((it) =>
        it.textContent.trim() === 'Demo' &&
        it.getBoundingClientRect().right > it.closest('button').getBoundingClientRect().right).length`)
        expect([await mark.count(), cut]).toEqual([expect.toSatisfy((count: number) => count > 12), 0])
      }
      await context.close()
    },
  )

  itLong.each(looks)('fills a new practice, and is removed except for records in use: $name', async (look) => {
    const owner = await newOwner(app, { selectedPlan: 'starter' })
    const { page, complaints, context } = await openWindow(browser, { ...look, url: app.url })
    await page.request.post('/api/login', { data: { email: owner.registration.email, password } })

    await page.goto('/dashboard')
    await page.getByRole('heading', { name: "Today's Schedule" }).waitFor()
    await picture(page, `sample-dashboard-${look.name}`)
    await page.goto('/patients')
    await page.getByText('Demo', { exact: true }).first().waitFor()
    await picture(page, `sample-patients-${look.name}`)
    const [sample] = (await owner.client.get('/api/patients')).body as Patient[]
    await owner.client.patch(`/api/patients/${sample?.id}`, { notes: 'Prefers mornings' })
    await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })

    await page.goto('/practice')
    await section(page)
      .getByText(/^40 patients and \d+ appointments$/)
      .waitFor()
    await section(page).scrollIntoViewIfNeeded()
    await expectAccessible(page, `settings, ${look.name}`)
    await expectNoSidewaysScroll(page)
    await picture(page, `sample-section-${look.name}`)
    await section(page).getByRole('button', { name: 'Remove sample data' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Remove sample data?' })
    await dialog.getByText(`${sample?.firstName} ${sample?.lastName}`).waitFor()
    await dialog.getByText('Patient, edited').waitFor()
    expect(await dialog.getByRole('radio', { name: /^Keep it/ }).isChecked()).toBe(true)
    await expectAccessible(page, `the question, ${look.name}`)
    await picture(page, `sample-dialog-${look.name}`)
    await dialog.getByRole('button', { name: 'Remove sample data' }).click()
    await page.getByText('Everything you entered yourself is still there.').waitFor()
    await section(page).getByText('There is no sample data.').waitFor()
    await section(page).scrollIntoViewIfNeeded()
    await picture(page, `sample-removed-${look.name}`)

    await page.goto('/patients')
    await page.getByText('Grace Hopper').first().waitFor()
    await page.getByText(`${sample?.firstName} ${sample?.lastName}`).first().waitFor()
    expect(await page.getByText('Demo', { exact: true }).count()).toBe(0)
    await page.goto('/appointments')
    await page
      .getByText(/No appointments/i)
      .first()
      .waitFor()
    await page.goto('/dashboard')
    await page.getByRole('heading', { name: "Today's Schedule" }).waitFor()
    await page
      .getByText(/No appointments/i)
      .first()
      .waitFor()
    await picture(page, `sample-empty-${look.name}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('asks about records edited while the dialog was open', async () => {
    const owner = await newOwner(app, { selectedPlan: 'starter' })
    const { page, context } = await openWindow(browser, { url: app.url })
    await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    // Live updates would refresh the dialog first.
    await silenceLiveUpdates(page)
    await page.goto('/practice')
    await section(page).getByRole('button', { name: 'Remove sample data' }).click()
    const dialog = page.getByRole('alertdialog')
    const [sample] = (await owner.client.get('/api/patients')).body as Patient[]
    await owner.client.patch(`/api/patients/${sample?.id}`, { notes: 'Prefers mornings' })
    await dialog.getByRole('button', { name: 'Remove sample data' }).click()
    await dialog.getByText('Patient, edited').waitFor()
    await dialog.getByRole('radio', { name: 'Remove it too' }).check()
    await dialog.getByRole('button', { name: 'Remove sample data' }).click()
    await section(page).getByText('There is no sample data.').waitFor()
    expect((await owner.client.get('/api/patients')).body).toEqual([])
    await context.close()
  })

  itLong('cannot be removed by a nurse', async () => {
    const { practice } = await newOwner(app)
    const nurse = await joinPractice(app, practice.id, 'nurse')
    const { page, context } = await openWindow(browser, { url: app.url })
    await context.addCookies(
      (nurse.cookie() ?? '').split('; ').map((pair) => {
        const [key = '', ...rest] = pair.split('=')
        return { name: key, value: rest.join('='), url: app.url }
      }),
    )
    await page.goto('/practice')
    await section(page).getByText('Sample data are for the owner and administrators').waitFor()
    expect(await section(page).getByRole('button').count()).toBe(0)
    await context.close()
  })
})
