import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import type { WaitlistEntry } from '#contracts/waitlist.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { future } from '#tests/support/future-days.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, type Screen } from './browser.ts'
import { looks } from './looks.ts'

/** The waitlist beside the day. Each test builds on the one before. */
describe('the waitlist', () => {
  let app: TestApp
  let browser: Browser
  let screen: Screen
  let owner: Awaited<ReturnType<typeof newOwner>>
  let grace: string
  let own: Appointment

  const add = async (fields: object) => (await owner.client.post('/api/patients', fields)).body.id as string
  const list = async () => (await owner.client.get('/api/waitlist')).body as WaitlistEntry[]
  const openDay = (page: Page) => page.goto(`/appointments?date=${future.tuesday.iso}`)
  const entryOf = (page: Page, name: string) =>
    page
      .getByRole('listitem')
      .filter({ has: page.getByRole('button', { name: `Remove ${name} from the waitlist` }) })
      .getByRole('button', { name: new RegExp(`^${name}`) })
  const openSignedIn = async (look: { width?: number; height?: number; dark?: boolean } = {}): Promise<Screen> => {
    const opened = await openWindow(browser, { ...look, url: app.url })
    await opened.page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    return opened
  }

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'starter' })
    grace = await add({ firstName: 'Grace', lastName: 'Hopper' })
    await add({ firstName: 'Alan', lastName: 'Turing' })
    const booking = { patientId: grace, appointmentDate: `${future.tuesday.iso}T11:00`, duration: 45 }
    const body = { ...booking, type: 'procedure', confirmed: BookingConcern.options }
    own = (await owner.client.post('/api/appointments', body)).body as Appointment
    screen = await openSignedIn()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('takes a patient on who wants an appointment earlier, from its details', async () => {
    const { page } = screen
    await openDay(page)
    await page.getByRole('button', { name: /^Grace Hopper, 11:00 AM/ }).click()
    await page.getByRole('button', { name: 'Wants an earlier time' }).click()
    const form = page.getByRole('dialog', { name: 'Add to Waitlist' })
    expect(await form.getByRole('combobox', { name: 'Patient' }).inputValue()).toBe('Grace Hopper')
    await form.getByLabel('Notes').fill('Mornings only')
    await form.getByRole('button', { name: 'Add to waitlist' }).click()
    await form.waitFor({ state: 'detached' })
    await entryOf(page, 'Grace Hopper').getByText('Mornings only').waitFor()
    const [entry] = await list()
    expect(entry).toMatchObject({
      patientId: grace,
      appointmentId: own.id,
      providerId: own.providerId,
      type: 'procedure',
      duration: 45,
      notes: 'Mornings only',
    })
    await page.getByRole('button', { name: /^Grace Hopper, 11:00 AM/ }).click()
    const details = page.getByRole('dialog', { name: 'Appointment Details' })
    await details.locator('dt:text-is("Waitlist") + dd').getByText('Wants an earlier time').waitFor()
    expect(await details.getByRole('button', { name: 'Wants an earlier time' }).count()).toBe(1)
    await expectAccessible(page, 'an appointment that is wanted earlier')
    await page.keyboard.press('Escape')
  })

  it('asks whether another patient waits for a new appointment or for an earlier one', async () => {
    const { page } = screen
    await page.getByRole('button', { name: 'Add to waitlist' }).click()
    const form = page.getByRole('dialog', { name: 'Add to Waitlist' })
    const waitsFor = form.getByLabel('Waits for')
    for (const [typed, count] of [
      ['Turing', 0],
      ['Hopper', 1],
    ] as const) {
      await form.getByRole('combobox', { name: 'Patient' }).fill(typed)
      await page.getByRole('option', { name: new RegExp(typed) }).waitFor()
      await page.keyboard.press('Enter')
      await expect.poll(() => waitsFor.count()).toBe(count)
    }
    expect(await waitsFor.locator('option:checked').textContent()).toBe('A new appointment')
    await waitsFor.selectOption(`An earlier time than ${future.tuesday.full}, 11:00 AM, Procedure`)
    expect(await form.getByLabel('Type*').inputValue()).toBe('procedure')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await form.waitFor({ state: 'detached' })
  })

  it('shows an entry and changes what the patient waits for', async () => {
    const { page } = screen
    await entryOf(page, 'Grace Hopper').click()
    const details = page.getByRole('dialog', { name: 'Waitlist Entry' })
    await details.getByText(`An earlier time than ${future.tuesday.long}, 11:00 AM`).waitFor()
    await expectAccessible(page, 'an entry of the waitlist')
    await details.getByRole('button', { name: 'Edit' }).click()
    const form = page.getByRole('dialog', { name: 'Edit the waitlist entry of Grace Hopper' })
    await form.getByLabel('First day').fill('2031-03-07')
    await form.getByLabel('Last day').fill('2031-03-03')
    await expectAccessible(page, 'the form of a waitlist entry')
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await form.getByText('Must not be before the first day').waitFor()
    await form.getByLabel('First day').fill('')
    await form.getByLabel('Notes').fill('Afternoons, too')
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await form.waitFor({ state: 'detached' })
    await entryOf(page, 'Grace Hopper').getByText('Afternoons, too').waitFor()
    expect(await list()).toMatchObject([{ latest: '2031-03-03', notes: 'Afternoons, too', duration: 45 }])
  })

  it.each(looks)('is accessible and fits: $name', async ({ name, ...look }) => {
    const { page, context, complaints } = await openSignedIn(look)
    await openDay(page)
    await entryOf(page, 'Grace Hopper').click()
    await page.getByRole('dialog', { name: 'Waitlist Entry' }).waitFor()
    await expectAccessible(page, `an entry of the waitlist, ${name}`)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Edit' }).last().click()
    await page.getByRole('dialog', { name: 'Edit the waitlist entry of Grace Hopper' }).waitFor()
    await expectAccessible(page, `the form of a waitlist entry, ${name}`)
    await expectNoSidewaysScroll(page)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('moves the appointment that is wanted earlier, and takes the patient off', async () => {
    const { page } = screen
    await entryOf(page, 'Grace Hopper').press('Enter')
    await page.getByRole('button', { name: 'Move appointment' }).press('Enter')
    const form = page.getByRole('dialog', { name: 'Edit appointment of Grace Hopper' })
    const choice = form.getByRole('checkbox', { name: /^Take the patient off the waitlist/ })
    await form.locator('select[name=time]').selectOption('14:00')
    await form.locator('select[name=time] option:checked', { hasText: '2:00 PM' }).waitFor({ state: 'attached' })
    expect(await choice.count()).toBe(0)
    await form.locator('select[name=time]').selectOption('09:00')
    expect(await choice.isChecked()).toBe(true)
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByText('No patients on the waitlist.').waitFor()
    expect((await owner.client.get(`/api/appointments/${own.id}`)).body).toMatchObject({ localTime: '09:00' })
    expect(screen.complaints).toEqual([])
  })

  it('books an entry for a new appointment, and marks those that are over', async () => {
    const { page } = screen
    const alan = await add({ firstName: 'Alan', lastName: 'Kay' })
    await owner.client.post('/api/waitlist', { patientId: alan, type: 'follow-up', earliest: future.tuesday.iso })
    const over = { patientId: grace, type: 'check-up', latest: '2026-01-05' }
    await owner.client.post('/api/waitlist', over)
    await entryOf(page, 'Grace Hopper').getByText('Over, Check-up, until Jan 5, 2026').waitFor()
    await entryOf(page, 'Grace Hopper').click()
    const details = page.getByRole('dialog', { name: 'Waitlist Entry' })
    await details.locator('dt:text-is("Days") + dd').getByText('Over').waitFor()
    expect(await details.getByRole('button', { name: 'Book' }).count()).toBe(0)
    await details.getByRole('button', { name: 'Remove' }).click()
    await details.waitFor({ state: 'detached' })
    await entryOf(page, 'Grace Hopper').waitFor({ state: 'detached' })

    await entryOf(page, 'Alan Kay').click()
    await details.getByRole('button', { name: 'Book' }).click()
    const form = page.getByRole('dialog', { name: 'Schedule Appointment' })
    await expect.poll(() => form.locator('select[name=time]').inputValue()).toMatch(/^\d\d:\d\d$/)
    expect(await form.getByLabel('Date*').inputValue()).toBe(future.tuesday.iso)
    expect(await form.getByRole('checkbox', { name: /^Take the patient off the waitlist/ }).isChecked()).toBe(true)
    await form.getByRole('button', { name: 'Schedule appointment' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByText('No patients on the waitlist.').waitFor()
    expect(screen.complaints).toEqual([])
  })
})
