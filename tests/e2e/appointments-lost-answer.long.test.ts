import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { future } from '#tests/support/future-days.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, launchBrowser, openWindow } from './browser.ts'

const day = future.tuesday.iso

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

it('books a series once, also when the reply to the first attempt is lost', async () => {
  const owner = await newOwner(app, { selectedPlan: 'starter' })
  await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
  const listBooked = async () => {
    const url = `/api/appointments?startDate=${future.monday.iso}T00:00:00Z&endDate=${future.nextMonth.iso}T00:00:00Z`
    const appointments: Appointment[] = (await owner.client.get(url)).body
    return appointments.map(({ localDate, localTime }) => `${localDate.slice(5)} ${localTime}`)
  }
  const { page, complaints } = await openWindow(browser, { url: app.url })
  await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
  await page.goto(`/appointments?date=${day}`)
  await page.getByRole('button', { name: 'Schedule Appointment' }).click()
  await page.getByPlaceholder('Name, phone or date of birth').fill('Hopper')
  await page.getByRole('option', { name: /Grace Hopper/ }).click()
  const form = page.getByRole('dialog', { name: 'Schedule Appointment' })
  await form.getByLabel('Date*').fill(day)
  await form.getByLabel('Time*').selectOption('16:00')
  await form.getByLabel('Type*').selectOption('follow-up')
  await form.getByRole('combobox', { name: 'Repeat' }).selectOption('week')
  await form.getByLabel('Appointments', { exact: true }).fill('4')
  await page.getByText(new RegExp(`at 4:00 PM, 4 appointments, last on ${future.fourthTuesday.medium}$`)).waitFor()
  await page.route('**/api/appointments/series', async (route) => {
    await route.fetch()
    await route.abort()
  })
  const send = page.getByRole('button', { name: 'Schedule 4 appointments' })
  await send.press('Enter')
  await page.getByText(/Some appointments may be booked already/).waitFor()
  await page.unroute('**/api/appointments/series')
  const once = [
    `${future.tuesday.monthDay} 16:00`,
    `${future.secondTuesday.monthDay} 16:00`,
    `${future.thirdTuesday.monthDay} 16:00`,
    `${future.fourthTuesday.monthDay} 16:00`,
  ]
  expect(await listBooked()).toEqual(once)
  expect(await page.getByText(/of these times (is|are) taken/).count()).toBe(0)
  await send.press('Enter')
  await page.getByText('4 appointments scheduled').waitFor()
  await form.waitFor({ state: 'detached' })
  expect(await listBooked()).toEqual(once)
  expect(complaints).toEqual([])
})

it('adds a patient once, also when the reply to the first attempt is lost', async () => {
  const owner = await newOwner(app)
  const { page, complaints } = await openWindow(browser, { url: app.url })
  await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
  await page.goto('/patients')
  await page.getByRole('button', { name: 'Add Patient' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('First name').first().fill('Grace')
  await dialog.getByLabel('Last name').first().fill('Hopper')
  const save = dialog.getByRole('button', { name: 'Add Patient' })
  await page.route('**/api/patients', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await save.click()
  await page
    .getByText(/Everchart cannot be reached/)
    .first()
    .waitFor()
  await page.unroute('**/api/patients')
  await save.click()
  // Neither a second patient nor a warning that this one exists already.
  await dialog.waitFor({ state: 'detached' })
  expect((await owner.client.get('/api/patients')).body).toHaveLength(1)
  expect(complaints).toEqual([])
})

it('books an overlapping appointment once, also when it is entered again after the reply was lost', async () => {
  const owner = await newOwner(app, { selectedPlan: 'starter' })
  const { client } = owner
  await client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
  const turing = await client.post('/api/patients', { firstName: 'Alan', lastName: 'Turing' })
  const taken = { patientId: turing.body.id, appointmentDate: `${day}T16:00`, type: 'check-up' }
  expect((await client.post('/api/appointments', taken)).status).toBe(201)
  const { page, complaints } = await openWindow(browser, { url: app.url })
  await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
  const form = page.getByRole('dialog', { name: 'Schedule Appointment' })
  const bookAnyway = async () => {
    await page.goto(`/appointments?date=${day}`)
    await page.getByRole('button', { name: 'Schedule Appointment' }).click()
    await page.getByPlaceholder('Name, phone or date of birth').fill('Hopper')
    await page.getByRole('option', { name: /Grace Hopper/ }).click()
    await form.getByLabel('Date*').fill(day)
    await form.getByLabel('Time*').selectOption('16:00')
    await form.getByLabel('Type*').selectOption('follow-up')
    await form.getByRole('button', { name: 'Book anyway' }).click()
  }
  await page.route('**/api/appointments', async (route) => {
    if (route.request().method() !== 'POST') return await route.continue()
    await route.fetch()
    await route.abort()
  })
  await bookAnyway()
  await page
    .getByText(/Everchart cannot be reached/)
    .first()
    .waitFor()
  await page.unroute('**/api/appointments')
  // The window forgets its idempotency keys.
  await bookAnyway()
  await form.getByText('This patient has this appointment already. It was not booked a second time.').waitFor()
  await expectAccessible(page, 'an appointment that is booked already')
  const url = `/api/appointments?startDate=${future.monday.iso}T00:00:00Z&endDate=${future.nextMonth.iso}T00:00:00Z`
  expect((await client.get(url)).body).toHaveLength(2)
  expect(complaints).toEqual([])
})

it('closes the form of a booking although the free slots that it asked for never arrive', async () => {
  const owner = await newOwner(app, { selectedPlan: 'starter' })
  await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })
  const { page, complaints } = await openWindow(browser, { url: app.url })
  await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
  const asked = Promise.withResolvers<void>()
  await page.route('**/api/appointments/free-slots*', () => asked.resolve())
  await page.goto(`/appointments?date=${day}`)
  await page.getByRole('button', { name: '9:00 AM, free' }).click()
  const form = page.getByRole('dialog', { name: 'Schedule Appointment' })
  await asked.promise
  await form.getByPlaceholder('Name, phone or date of birth').fill('Hopper')
  await page.getByRole('option', { name: /Grace Hopper/ }).click()
  await form.getByLabel('Type*').selectOption('follow-up')
  await form.getByRole('button', { name: 'Schedule appointment' }).click()
  await form.waitFor({ state: 'detached' })
  await page.locator('ol > li').filter({ hasText: 'Grace Hopper' }).waitFor()
  expect(complaints).toEqual([])
})
