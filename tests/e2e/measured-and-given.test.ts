import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, takePicture } from './browser.ts'
import { looks } from './looks.ts'

describe('What is measured and given', () => {
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

  it.each(looks)(
    'vital signs go from an appointment to a chart, and to the list that retracts one: $name',
    async ({ name, ...look }) => {
      const { client, practice, registration } = await newSubscriber(app, 'starter')
      const person = { firstName: 'Robert', lastName: 'Hayes', dateOfBirth: '1966-12-09' }
      const patientId = (await client.post('/api/patients', person)).body.id as string
      const earlier = { patientId, measuredAt: '2026-01-12T15:00:00.000Z' }
      const values = { systolicPressure: 142, diastolicPressure: 91, weight: 81.2, height: 175.3 }
      expect((await client.post('/api/vital-signs', { ...earlier, ...values })).status).toBe(201)
      const today = toLocalDate(new Date(), practice.timezone)
      const booking = {
        patientId,
        type: 'check-up',
        appointmentDate: `${today}T10:00`,
        confirmed: BookingConcern.options,
      }
      const appointment = (await client.post('/api/appointments', booking)).body.id as string

      const { page, context, complaints } = await openWindow(browser, { ...look, url: app.url })
      await page.request.post('/api/login', { data: { email: registration.email, password } })
      await page.goto(`/appointments?date=${today}&appointment=${appointment}`)
      await page.getByRole('link', { name: 'Record vital signs' }).click()
      const dialog = page.getByRole('dialog', { name: 'Record Vital Signs, Robert Hayes' })
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('Please enter at least one value').waitFor()
      await dialog.getByLabel('Temperature (°F)').fill('37')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('Please enter a number from 25 to 45 °C (77 to 113 °F)').waitFor()
      await dialog.getByLabel('Temperature (°F)').fill('101.3')
      await dialog.getByLabel('Blood pressure, upper (mmHg)').fill('128')
      await dialog.getByLabel('Blood pressure, lower (mmHg)').fill('79')
      await dialog.getByLabel('Weight (lb)').fill('171.7')
      await expectAccessible(page, `the form of vital signs, ${name}`)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByText('128/79 mmHg, 101.3 °F, 171.7 lb').first().waitFor()

      await page.goto(`/appointments?date=${today}&appointment=${appointment}`)
      await page.getByRole('link', { name: '128/79 mmHg, 101.3 °F, 171.7 lb' }).waitFor()

      await page.goto(`/patients/${patientId}`)
      const chart = page.getByRole('img', { name: /^Blood pressure\. Jan 12, 2026: 142\/91\. .*: 128\/79$/ })
      await chart.waitFor()
      const temperature = page.locator('dl > div', { has: page.getByText('Temperature', { exact: true }) })
      expect((await temperature.allTextContents()).join(' ')).toContain('101.3 °FHigh')
      expect(await page.locator('dl > div', { hasText: 'Body mass index' }).textContent()).toContain('25.3 kg/m²')
      await page.getByLabel('Course').selectOption('Weight')
      await page.getByRole('img', { name: /^Weight\. .*: 179\. .*: 171\.7$/ }).waitFor()
      await expectAccessible(page, `the chart of vital signs, ${name}`)
      await expectNoSidewaysScroll(page)
      await takePicture(page, `vital-signs-${name}`)

      await page.getByRole('link', { name: '128/79 mmHg, 101.3 °F, 171.7 lb' }).click()
      const details = page.getByRole('dialog', { name: 'Details of the measurement' })
      await details.getByRole('button', { name: 'Edit' }).click()
      const form = page.getByRole('dialog', { name: /^Edit 128\/79 mmHg/ })
      expect(await form.getByLabel('Temperature (°F)').inputValue()).toBe('101.3')
      await form.getByLabel('Temperature (°F)').fill('100.4')
      await form.getByRole('button', { name: 'Save Changes' }).click()
      await details.getByText('Changed: Temperature (°F)').waitFor()
      await details.getByRole('button', { name: 'Mark as entered in error' }).click()
      await details.getByText('Entered in error').first().waitFor()
      await page.goto(`/patients/${patientId}`)
      await page.getByText('142/91 mmHg').first().waitFor()
      await page.getByText('Entered in error').waitFor()
      expect(await chart.count()).toBe(0)
      expect(complaints).toEqual([])
      await context.close()
    },
  )

  it.each(looks)(
    'a medication is given despite an allergy only where that is said, and found by its lot: $name',
    async ({ name, ...look }) => {
      const { client, practice, registration } = await newSubscriber(app, 'starter')
      const person = { firstName: 'Ada', lastName: 'Novak', allergies: ['Penicillin'], allergiesStatus: 'listed' }
      const patientId = (await client.post('/api/patients', person)).body.id as string
      const { page, context, complaints } = await openWindow(browser, { ...look, url: app.url })
      await page.request.post('/api/login', { data: { email: registration.email, password } })
      await page.goto(`/patients/${patientId}`)
      await page.getByRole('button', { name: 'Add record' }).click()
      await page.getByRole('menuitem', { name: 'Record Medication' }).click()
      const dialog = page.getByRole('dialog', { name: 'Record Medication, Ada Novak' })
      await dialog.getByLabel('Medication', { exact: false }).first().fill('Amoxicillin')
      await dialog.getByLabel('Dose').fill('500 mg')
      await dialog.getByLabel('Lot number').fill('AX-2209')
      await expectAccessible(page, `the form of a medication, ${name}`)
      await takePicture(page, `medication-form-${name}`)
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText(/The record names an allergy to penicillin/i).waitFor()
      await dialog.getByLabel('Given although the record names an allergy to it').check()
      await dialog.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('link', { name: 'Amoxicillin, 500 mg' }).waitFor()
      await page.goto('/automation?tab=clinical&list=medication-administrations')
      await page.getByLabel('Search administrations').fill('ax-22')
      await page.getByText('1 administration', { exact: true }).waitFor()
      // A card has one button that covers it, named by its patient; a row is opened by its cells.
      const card = page.getByRole('button', { name: 'Ada Novak', exact: true })
      await (look.width < 600 ? card : page.getByText('Amoxicillin, 500 mg').filter({ visible: true }).first()).click()
      const details = page.getByRole('dialog', { name: 'Details of the administration' })
      await details.getByText('AX-2209').waitFor()
      await expectAccessible(page, `a medication that was given, ${name}`)
      await takePicture(page, `medication-given-${name}`)

      // A reaction to it is a new allergy.
      await details.getByRole('button', { name: 'Edit' }).click()
      const form = page.getByRole('dialog', { name: /^Edit Amoxicillin/ })
      await form.getByLabel('Reaction').fill('Hives')
      await form.getByRole('button', { name: 'Save Changes' }).click()
      await details.getByRole('button', { name: 'Add to allergies' }).click()
      await page.getByText('Allergy added').waitFor()
      await details.getByRole('button', { name: 'Add to allergies' }).waitFor({ state: 'hidden' })
      const { body: changed } = await client.get(`/api/patients/${patientId}`)
      expect(changed.allergies).toEqual(['Penicillin', 'Amoxicillin'])
      await takePicture(page, `reaction-${name}`)

      // Another one is given at an appointment, whose details name both it and the form for the next.
      const today = toLocalDate(new Date(), practice.timezone)
      const type = 'check-up'
      const confirmed = BookingConcern.options
      const booking = { patientId, type, reason: 'Cough', appointmentDate: `${today}T10:00`, confirmed }
      const appointment = (await client.post('/api/appointments', booking)).body.id as string
      expect((await client.patch(`/api/appointments/${appointment}`, { status: 'waiting' })).status).toBe(200)
      await page.goto(`/appointments?date=${today}&appointment=${appointment}`)
      await page.getByRole('link', { name: 'Record a medication' }).click()
      await dialog.getByLabel('Kind').selectOption('Vaccine')
      await dialog.getByLabel('Medication', { exact: false }).first().fill('Influenza vaccine')
      await dialog.getByLabel('Dose').fill('0.5 mL')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.getByText('Please enter the lot number of the vaccine').waitFor()
      await dialog.getByLabel('Lot number').fill('FLU-88')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'hidden' })
      await page.goto(`/appointments?date=${today}&appointment=${appointment}`)
      await page.getByRole('link', { name: 'Influenza vaccine, 0.5 mL' }).waitFor()
      await page.getByRole('link', { name: 'Record a medication' }).waitFor()
      await takePicture(page, `given-at-appointment-${name}`)
      await page.getByRole('link', { name: 'Influenza vaccine, 0.5 mL' }).click()
      await details.getByText('FLU-88').waitFor()

      // The note of the appointment begins with both.
      expect((await client.patch(`/api/appointments/${appointment}`, { status: 'in-progress' })).status).toBe(200)
      await page.goto(`/appointments?date=${today}&appointment=${appointment}`)
      await page.getByRole('link', { name: 'Write a note' }).click()
      const note = page.getByRole('dialog', { name: 'New Note, Ada Novak' })
      await expect
        .poll(() => note.getByLabel('Objective').inputValue())
        .toBe('Given: Influenza vaccine, 0.5 mL, lot FLU-88')
      expect(await note.getByLabel('Subjective').inputValue()).toBe('Reason: Cough')
      await note.getByRole('button', { name: 'Save' }).click()
      await page.getByText('Document added').waitFor()
      expect(complaints).toEqual([])
      await context.close()
    },
  )
})
