import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { future } from '#tests/support/future-days.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  openWindow,
  type Screen,
  takePicture,
} from './browser.ts'
import { looks } from './looks.ts'

const day = future.tuesday.iso

/** The settings of appointment types, from the form to the revenue. Each test builds on the one before. */
describe('appointment types', () => {
  let app: TestApp
  let browser: Browser
  let screen: Screen
  let owner: Awaited<ReturnType<typeof newOwner>>
  let grace = ''

  async function openSignedIn(look: { width?: number; height?: number; dark?: boolean } = {}): Promise<Screen> {
    const opened = await openWindow(browser, { ...look, url: app.url })
    await opened.page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    return opened
  }
  const listBooked = async (): Promise<Appointment[]> =>
    (
      await owner.client.get(
        `/api/appointments?startDate=${future.monday.iso}T00:00:00Z&endDate=${future.nextMonth.iso}T00:00:00Z`,
      )
    ).body
  const bookingForm = (page: Page) => page.getByRole('dialog', { name: 'Schedule Appointment' })
  const getDuration = (page: Page) => bookingForm(page).getByLabel('Duration').inputValue()
  const chooseType = (page: Page, type: string) => bookingForm(page).getByLabel('Type*').selectOption(type)
  const block = (page: Page) => page.locator('ol > li').filter({ hasText: 'Grace Hopper' })

  /** Opens the form on the calendar, and chooses the patient. */
  async function startBooking(page: Page): Promise<void> {
    await page.goto(`/appointments?date=${day}&provider=all`)
    await page.getByRole('button', { name: 'Schedule Appointment' }).waitFor()
    await page.keyboard.press('n')
    await page.getByPlaceholder('Name, phone or date of birth').fill('Hopper')
    await page.getByRole('option', { name: /Grace Hopper/ }).waitFor()
    await page.keyboard.press('Enter')
    await expect
      .poll(() => bookingForm(page).getByRole('combobox', { name: 'Patient' }).inputValue())
      .toBe('Grace Hopper')
  }

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'professional' })
    await app.services.pool.query(
      "update read.users set subscription_status = 'active', subscription_tier = 'professional' where user_id = $1",
      [owner.user.id],
    )
    grace = (await owner.client.post('/api/patients', { firstName: 'Grace', lastName: 'Hopper' })).body.id
    screen = await openSignedIn()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('are set in the settings', async () => {
    const { page, complaints } = screen
    await page.goto('/practice')
    const section = page.getByRole('region', { name: 'Appointment types', exact: true })
    await section.getByLabel('Procedure, duration').fill('60')
    await section.getByLabel('Procedure, fee').fill('512.50')
    await section.getByRole('combobox', { name: 'Procedure, color' }).click()
    await page.getByRole('option', { name: 'Purple' }).click()
    await section.getByLabel('Follow-up, duration').fill('25')
    await section.getByRole('button', { name: 'Save appointment types' }).click()
    await page.getByText('Appointment types saved').waitFor()
    expect(await section.getByRole('combobox', { name: 'Procedure, color' }).innerText()).toBe('Purple')
    // The dot, the name and the arrow are on one line.
    const readHeight = async (type: string) =>
      (await section.getByRole('combobox', { name: `${type}, color` }).boundingBox())?.height
    expect(await readHeight('Procedure')).toBe(await readHeight('Emergency'))
    expect((await owner.client.get('/api/appointment-types')).body.types).toMatchObject({
      procedure: { duration: 60, fee: { cents: 512_50 }, colour: 'purple' },
      'follow-up': { duration: 25, fee: { cents: 90_00 }, colour: null },
    })
    await page.reload()
    await expect.poll(() => section.getByLabel('Procedure, duration').inputValue()).toBe('60')
    expect(complaints).toEqual([])
  })

  it('propose the duration of the chosen type, and a free time that is long enough', async () => {
    const { page } = screen
    // The first free half hour of the day is too short for a procedure.
    const booked = { patientId: grace, appointmentDate: `${day}T09:30`, type: 'consultation' }
    expect((await owner.client.post('/api/appointments', booked)).status).toBe(201)
    await startBooking(page)
    const form = bookingForm(page)
    await expect.poll(() => form.getByLabel('Time*').inputValue()).toBe('09:00')
    expect(await getDuration(page)).toBe('30')
    await chooseType(page, 'procedure')
    expect(await getDuration(page)).toBe('60')
    await expect.poll(() => form.getByLabel('Time*').inputValue()).toBe('10:00')
    await chooseType(page, 'follow-up')
    expect(await getDuration(page)).toBe('25')
    await expect.poll(() => form.getByLabel('Time*').inputValue()).toBe('09:00')
    // A time that was chosen stays.
    await form.getByLabel('Time*').selectOption('11:00')
    await chooseType(page, 'procedure')
    expect(await getDuration(page)).toBe('60')
    await form.getByRole('button', { name: 'Schedule appointment' }).click()
    await form.waitFor({ state: 'detached' })
    expect(await listBooked()).toMatchObject([
      { localTime: '09:30', duration: 30 },
      { localTime: '11:00', duration: 60, type: 'procedure', localDate: day },
    ])
  })

  it('leave a duration that was chosen by hand, and that of a booked appointment', async () => {
    const { page } = screen
    await startBooking(page)
    await bookingForm(page).getByLabel('Duration').selectOption('45')
    await chooseType(page, 'procedure')
    expect(await getDuration(page)).toBe('45')
    await bookingForm(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await block(page).filter({ hasText: '11:00 AM' }).getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit appointment of Grace Hopper' })
    await form.getByLabel('Type*').selectOption('follow-up')
    expect(await form.getByLabel('Duration').inputValue()).toBe('60')
    await form.getByLabel('Type*').selectOption('procedure')
    await form.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('hold for series, for the waitlist and in the details of a patient', async () => {
    const { page } = screen
    await startBooking(page)
    const form = bookingForm(page)
    await chooseType(page, 'procedure')
    await form.getByLabel('Date*').fill(future.wednesday.iso)
    await form.getByLabel('Time*').selectOption('14:00')
    await form.getByRole('combobox', { name: 'Repeat' }).selectOption('week')
    await form.getByLabel('Appointments', { exact: true }).fill('2')
    await form.getByRole('button', { name: 'Schedule 2 appointments' }).click()
    await form.waitFor({ state: 'detached' })
    const series = (await listBooked()).filter(({ seriesId }) => seriesId)
    expect(series.map(({ duration }) => duration)).toEqual([60, 60])

    await page.getByRole('button', { name: 'Add to waitlist' }).click()
    const waitlist = page.getByRole('dialog', { name: 'Add to Waitlist' })
    await waitlist.getByRole('combobox', { name: 'Patient' }).fill('Hopper')
    await page.getByRole('option', { name: /Grace Hopper/ }).waitFor()
    await page.keyboard.press('Enter')
    await waitlist.getByLabel('Type*').selectOption('follow-up')
    await waitlist.getByRole('button', { name: 'Add to waitlist' }).click()
    await waitlist.waitFor({ state: 'detached' })
    expect((await owner.client.get('/api/waitlist')).body).toMatchObject([{ type: 'follow-up', duration: 25 }])

    await page.goto(`/patients/${grace}`)
    await page.getByRole('button', { name: 'Book appointment' }).click()
    await chooseType(page, 'procedure')
    expect(await getDuration(page)).toBe('60')
    await bookingForm(page).getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await bookingForm(page).waitFor({ state: 'detached' })
  })

  it.each(looks)('show their color in the day, the list and the details, $name', async ({ name, ...look }) => {
    const { page, complaints, context } = await openSignedIn(look)
    await page.goto(`/appointments?date=${day}&provider=all`)
    const getDots = (part: string) =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('${part} [style*="--dot"]')].map((dot) => dot.getAttribute('style'))`,
      )
    await page.getByText('Procedure', { exact: false }).first().waitFor()
    await expect.poll(() => getDots('ol > li')).toEqual(['--dot: var(--colorPalettePurpleBorderActive);'])
    await expectAccessible(page, `the day, ${name}`)
    await takePicture(page, `types-day-${name}`)
    await page.locator('[data-appointment][aria-label*=Procedure]').click()
    await page.getByRole('dialog', { name: 'Appointment Details' }).getByText('Procedure').waitFor()
    expect(await getDots('[role=dialog]')).toEqual(['--dot: var(--colorPalettePurpleBorderActive);'])
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.goto(`/appointments?date=${day}&provider=all&view=list`)
    await expect.poll(() => getDots('main')).toEqual(['--dot: var(--colorPalettePurpleBorderActive);'])
    await expectAccessible(page, `the list, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `types-list-${name}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('bring their fee to the revenue when the appointment is completed', async () => {
    const { page } = screen
    await page.goto(`/appointments?date=${day}&provider=all`)
    await block(page).filter({ hasText: 'Procedure' }).getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit appointment of Grace Hopper' })
    await form.getByLabel('Status').selectOption('completed')
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await form.waitFor({ state: 'detached' })
    await page.goto('/')
    await page.getByRole('button', { name: 'Open the completed appointments' }).click()
    await page.getByText('Revenue: $512.50').waitFor()
  })
})
