import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { formatWeekRange, getWeekDays } from '#web/features/appointments/calendar-dates.ts'
import { future } from '#tests/support/future-days.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { itLong } from '#tests/support/long.ts'
import {
  expectAccessible,
  groundsBehind,
  launchBrowser,
  loadAgain,
  openWindow,
  silenceLiveUpdates,
  type Screen,
} from './browser.ts'

const day = future.tuesday.iso
const longDate = future.tuesday.long

/** One day of a practice. Each test builds on the one before. */
describe('the appointments of a day', () => {
  let app: TestApp
  let browser: Browser
  let screen: Screen
  let owner: Awaited<ReturnType<typeof newOwner>>
  const ids = new Map<string, string>()

  async function openSignedIn(look: { width?: number; height?: number; dark?: boolean } = {}): Promise<Screen> {
    const opened = await openWindow(browser, { ...look, url: app.url })
    await opened.page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    return opened
  }
  const listBooked = async (): Promise<Appointment[]> =>
    (await owner.client.get(`/api/appointments?startDate=${day}T00:00:00Z&endDate=${future.thursday.iso}T00:00:00Z`))
      .body
  const findAppointment = async (name: string) => (await listBooked()).find(({ patient }) => patient.lastName === name)
  const block = (page: Page, name: string) => page.locator('ol > li').filter({ hasText: name })

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'starter' })
    for (const [firstName, lastName] of [
      ['Grace', 'Hopper'],
      ['Ada', 'Lovelace'],
      ['Alan', 'Turing'],
    ] as const)
      ids.set(lastName, (await owner.client.post('/api/patients', { firstName, lastName })).body.id)
    screen = await openSignedIn()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('starts empty, and offers the first actions', async () => {
    const { page } = screen
    await page.goto(`/appointments?date=${day}`)
    await page.getByText('No appointments scheduled for this date').waitFor()
    await page.getByRole('heading', { name: longDate }).waitFor()
    await page.getByRole('button', { name: 'Schedule First Appointment' }).waitFor()
    // Beside the day, whose screen does not wait for them.
    await expect.poll(() => page.getByRole('button', { name: /^\d+:\d\d [AP]M, free$/ }).count()).toBe(13)
    await expectAccessible(page, 'an empty day')
  })

  it('books an appointment with three keys beyond the name', async () => {
    const { page } = screen
    await page.keyboard.press('n')
    await page.getByRole('dialog').waitFor()
    await page.locator('select[name=time]').filter({ hasText: '9:00 AM' }).waitFor()
    await expect.poll(() => page.locator('select[name=time]').inputValue()).toBe('09:00')
    await page.keyboard.type('Hopper')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.evaluate<string>('document.activeElement?.name ?? ""')).toBe('type')
    await page.keyboard.type('f')
    await page.keyboard.press('Enter')
    await page.getByText('Appointment scheduled', { exact: true }).waitFor()
    await block(page, 'Grace Hopper').getByText('9:00 AM, 30 min.').waitFor()
    expect(await findAppointment('Hopper')).toMatchObject({ localDate: day, localTime: '09:00', type: 'follow-up' })
    await page.getByRole('button', { name: '9:00 AM, booked' }).waitFor()
  })

  it('shows that a slot is taken before the form is sent, and offers free ones', async () => {
    const { page } = screen
    await page.getByRole('button', { name: '9:00 AM, booked' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Lovelace')
    await page.keyboard.press('Enter')
    await page.getByText('9:00 AM is taken').waitFor()
    await page.getByText('Ada Okafor sees Grace Hopper until 9:30 AM.').waitFor()
    await expectAccessible(page, 'a slot that is taken')
    await page.getByRole('button', { name: `${future.tuesday.short}, 9:30 AM` }).click()
    await page.getByText('9:00 AM is taken').waitFor({ state: 'detached' })
    await page.locator('select[name=type]').selectOption('check-up')
    await page.keyboard.press('Enter')
    await block(page, 'Ada Lovelace').waitFor()
    expect(await findAppointment('Lovelace')).toMatchObject({ localTime: '09:30', overlap: false })
  })

  it('adds a new patient during a booking, and books an overlap on request', async () => {
    const { page } = screen
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '10:00 AM is free' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Katherine Johnson')
    await page.getByRole('option', { name: /Add new patient/ }).click()
    expect(await page.getByLabel('Last name').inputValue()).toBe('Johnson')
    await page.getByLabel('Last name').press('Enter')
    await page.getByText('Patient added successfully').waitFor()
    await page.locator('select[name=time]').selectOption('09:30')
    await page.locator('select[name=type]').selectOption('emergency')
    await page.getByRole('button', { name: 'Book anyway' }).click()
    await block(page, 'Katherine Johnson').waitFor()
    expect(await findAppointment('Johnson')).toMatchObject({ localTime: '09:30', overlap: true })
  })

  it('moves and resizes with the keyboard, and edits with Enter', async () => {
    const { page } = screen
    const name = block(page, 'Grace Hopper').getByRole('button').first()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await name.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await expect.poll(() => findAppointment('Hopper')).toMatchObject({ localTime: '10:30', duration: 45 })
    await block(page, 'Grace Hopper').getByText('10:30 AM, 45 min.').waitFor()
    await block(page, 'Grace Hopper').getByRole('button').first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: /Edit appointment of Grace Hopper/ }).waitFor()
    await page.locator('select[name=status]').selectOption('confirmed')
    await page.keyboard.press('Enter')
    await page.getByText('Appointment updated').waitFor()
    await block(page, 'Grace Hopper').getByText('Confirmed').waitFor()
  })

  /** Drags Grace Hopper's appointment, or its lower edge, down by a distance in px. */
  async function dragHopper(handle: 'block' | 'edge', dy: number): Promise<void> {
    const { page } = screen
    const box = (await block(page, 'Grace Hopper').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const x = box.x + 60
    const y = handle === 'block' ? box.y + 12 : box.y + box.height - 2
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + dy / 2)
    await page.mouse.move(x, y + dy)
    await page.mouse.up()
  }

  it('moves by dragging, resizes at the edge, and asks before an overlap', async () => {
    const { page } = screen
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await dragHopper('block', 54)
    await expect.poll(() => findAppointment('Hopper')).toMatchObject({ localTime: '11:00', duration: 45 })
    await block(page, 'Grace Hopper').getByText('11:00 AM, 45 min.').waitFor()
    await dragHopper('edge', -27)
    await expect.poll(() => findAppointment('Hopper')).toMatchObject({ localTime: '11:00', duration: 30 })
    await block(page, 'Grace Hopper').getByText('11:00 AM, 30 min.').waitFor()
    await dragHopper('block', -3 * 54)
    await page.getByText('Move Grace Hopper to 9:30 AM?').waitFor()
    await page.getByRole('button', { name: 'Discard change' }).click()
    expect(await findAppointment('Hopper')).toMatchObject({ localTime: '11:00' })
  })

  itLong('keeps every drag when the first is still being saved, also one back', async () => {
    const { page } = screen
    const hopper = block(page, 'Grace Hopper')
    const saving = Promise.withResolvers<void>()
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.route('**/api/appointments/*', async (route) => {
      await saving.promise
      await route.continue()
    })
    await dragHopper('block', -54)
    await hopper.getByText('10:30 AM, 30 min.').waitFor()
    await dragHopper('edge', 27)
    await hopper.getByText('10:30 AM, 45 min.').waitFor()
    await dragHopper('block', 54)
    await hopper.getByText('11:00 AM, 45 min.').waitFor()
    saving.resolve()
    await expect.poll(() => findAppointment('Hopper')).toMatchObject({ localTime: '11:00', duration: 45 })
    await page.unroute('**/api/appointments/*')
    await dragHopper('edge', -27)
    await expect.poll(() => findAppointment('Hopper')).toMatchObject({ localTime: '11:00', duration: 30 })
  })

  itLong('keeps date, view and filters in the address', async () => {
    const { page } = screen
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.keyboard.press('l')
    await page.waitForURL(/view=list/)
    await page.getByRole('row', { name: /Grace Hopper/ }).waitFor()
    await page.goto(`/appointments?date=${day}&type=emergency`)
    await block(page, 'Katherine Johnson').waitFor()
    expect(await block(page, 'Grace Hopper').count()).toBe(0)
    await page.getByRole('button', { name: 'Filter, 1 active' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(new RegExp(`date=${future.wednesday.iso}`))
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(new RegExp(`date=${future.tuesday.iso}`))
    await page.keyboard.press('w')
    await page.getByText(formatWeekRange(getWeekDays(day))).waitFor()
    await page.keyboard.press('t')
    await page.waitForURL((url) => !url.searchParams.has('date'))
    await page.keyboard.press('?')
    await page.getByText('Schedule an appointment').waitFor()
    await page.keyboard.press('Escape')
  })

  it('shows in one browser what happens in another, and reports a slot that was just taken', async () => {
    const other = await openSignedIn()
    const { page } = screen
    await page.goto(`/appointments?date=${day}`)
    await other.page.goto(`/appointments?date=${day}`)
    await block(page, 'Grace Hopper').waitFor()
    await block(other.page, 'Grace Hopper').waitFor()
    // In this browser a form is open while a colleague books the same slot.
    await page.getByRole('button', { name: '3:00 PM, free' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Turing')
    await page.keyboard.press('Enter')
    await page.locator('select[name=type]').selectOption('consultation')
    await owner.client.post('/api/appointments', {
      patientId: ids.get('Lovelace'),
      appointmentDate: `${day}T15:00`,
      type: 'procedure',
    })
    await page.getByText(/3:00 PM (is|has just been) taken/).waitFor()
    await block(other.page, 'Ada Lovelace').nth(1).waitFor()
    await page.getByRole('button', { name: 'Schedule appointment', exact: true }).last().click()
    await page.getByText('3:00 PM has just been taken').waitFor()
    await page.getByText(/Nothing was booked/).waitFor()
    await page.getByRole('button', { name: `${future.tuesday.short}, 3:30 PM` }).click()
    await page.keyboard.press('Enter')
    await block(other.page, 'Alan Turing').waitFor()
    expect(other.complaints).toEqual([])
    await other.context.close()
  })

  itLong('shows what another user changed, and lets the user choose', async () => {
    const { page } = screen
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await block(page, 'Alan Turing').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Reason').fill('Mine')
    const turing = await findAppointment('Turing')
    await owner.client.patch(`/api/appointments/${turing?.id}`, { reason: 'Theirs', status: 'confirmed' })
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await page.getByText(/changed this appointment while you were editing/).waitFor()
    await expectAccessible(page, 'a conflict with another user')
    await page.getByRole('button', { name: 'Keep mine' }).waitFor()
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect.poll(() => findAppointment('Turing')).toMatchObject({ reason: 'Mine', status: 'confirmed' })
  })

  it('shows an appointment, and cancels it in both ways', async () => {
    const { page } = screen
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await block(page, 'Alan Turing').getByRole('button').first().click()
    await page.getByText('Appointment Details').waitFor()
    await page.getByText(`${longDate}, 3:30 PM`).waitFor()
    await expectAccessible(page, 'an appointment')
    await page.getByRole('button', { name: 'Arrived' }).click()
    await expect.poll(() => findAppointment('Turing')).toMatchObject({ status: 'waiting' })
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const listed of [true, false]) {
      await block(page, 'Alan Turing').getByRole('button').last().click()
      await page.getByRole('menuitem', { name: 'Cancel' }).click()
      if (listed) await page.getByLabel(/Keep it on the day/).check()
      await page.getByRole('button', { name: listed ? 'Cancel appointment' : 'Remove from list' }).click()
      await page.getByRole('alertdialog').waitFor({ state: 'detached' })
      if (listed) await block(page, 'Alan Turing').getByText('Cancelled').waitFor()
    }
    await block(page, 'Alan Turing').waitFor({ state: 'detached' })
    expect(await findAppointment('Turing')).toBeUndefined()
  })

  itLong('offers a freed slot to patients on the waitlist, and books it with one press', async () => {
    const { page } = screen
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add to waitlist' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Turing')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('input[role=combobox]').inputValue()).toBe('Alan Turing')
    await page.getByRole('dialog').locator('select').first().selectOption('consultation')
    await page.getByRole('button', { name: 'Add to waitlist' }).last().click()
    await page.getByRole('button', { name: 'Remove Alan Turing from the waitlist' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await block(page, 'Grace Hopper').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Cancel appointment' }).click()
    await page.getByText(`${future.tuesday.short}, 11:00 AM is free now`).waitFor()
    await expectAccessible(page, 'a time that was freed')
    await page.getByRole('button', { name: 'Book Alan Turing' }).click()
    await block(page, 'Alan Turing').waitFor()
    expect(await findAppointment('Turing')).toMatchObject({ localTime: '11:00', type: 'consultation' })
    await page.getByText('No patients on the waitlist.').waitFor()

    // The patient cancels, and waits again at the same place.
    await block(page, 'Alan Turing').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Cancel appointment' }).click()
    const question = page.getByRole('alertdialog', { name: 'Put Alan Turing back on the waitlist?' })
    await question.waitFor()
    await expectAccessible(page, 'the question about the waitlist')
    await question.getByRole('button', { name: 'Back to the waitlist' }).click()
    await page.getByRole('button', { name: 'Remove Alan Turing from the waitlist' }).waitFor()
    await block(page, 'Alan Turing').waitFor({ state: 'detached' })
    const [entry] = (await owner.client.get('/api/waitlist')).body as { id: string; patientId: string }[]
    const again = { patientId: entry?.patientId, waitlistEntryId: entry?.id, type: 'consultation' }
    const slot = { appointmentDate: `${future.tuesday.iso}T11:00`, confirmed: BookingConcern.options }
    expect((await owner.client.post('/api/appointments', { ...again, ...slot })).status).toBe(201)
    await block(page, 'Alan Turing').waitFor()
    await page.getByText('No patients on the waitlist.').waitFor()
  })

  itLong(
    'takes a patient off the waitlist who is booked from the calendar, if that is what they wait for',
    async () => {
      const { page } = screen
      const entry = { patientId: ids.get('Lovelace'), type: 'follow-up' }
      expect((await owner.client.post('/api/waitlist', entry)).status).toBe(201)
      await page.getByRole('button', { name: 'Remove Ada Lovelace from the waitlist' }).waitFor()
      const before = new Set((await listBooked()).map(({ id }) => id))
      const shown = await block(page, 'Ada Lovelace').count()
      await page.keyboard.press('n')
      const dialog = page.getByRole('dialog')
      await dialog.waitFor()
      await page.keyboard.type('Lovelace')
      await page.keyboard.press('Enter')
      const choice = dialog.getByRole('checkbox', { name: /^Take the patient off the waitlist/ })
      await choice.waitFor()
      expect(await choice.isChecked()).toBe(false)
      await page.locator('select[name=type]').selectOption('check-up')
      expect(await choice.isChecked()).toBe(false)
      await page.locator('select[name=type]').selectOption('follow-up')
      await expect.poll(() => choice.isChecked()).toBe(true)
      await expectAccessible(page, 'a booking for a patient on the waitlist')
      await dialog.getByRole('button', { name: 'Schedule appointment' }).click()
      await dialog.waitFor({ state: 'detached' })
      await page.getByText('No patients on the waitlist.').waitFor()
      const booked = (await listBooked()).find(({ id }) => !before.has(id))
      expect(booked).toMatchObject({ type: 'follow-up', patient: { lastName: 'Lovelace' } })
      expect((await owner.client.get(`/api/waitlist/booked?appointmentId=${booked?.id}`)).body).toMatchObject(entry)
      expect((await owner.client.delete(`/api/appointments/${booked?.id}`)).status).toBe(204)
      await expect.poll(() => block(page, 'Ada Lovelace').count()).toBe(shown)
    },
  )

  itLong('shows several providers side by side, and prints without the frame', async () => {
    const { page } = screen
    const filter = page.getByRole('button', { name: 'Filter' })
    await filter.press('Enter')
    await page.getByRole('dialog', { name: 'Filter' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => filter.evaluate((button) => button === button.ownerDocument.activeElement)).toBe(true)
    await filter.click()
    await page.getByRole('button', { name: 'Add provider' }).click()
    await page.getByLabel('Name').fill('Dr. Rosalind Franklin')
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Appointments of Dr. Rosalind Franklin' }).waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await expectAccessible(page, 'several providers')
    await page.emulateMedia({ media: 'print' })
    await page.locator('[data-print=day]').getByText('Alan Turing').waitFor()
    expect(await page.getByRole('complementary', { name: 'Sidebar' }).isVisible()).toBe(false)
    expect(await page.getByRole('button', { name: 'Schedule Appointment' }).isVisible()).toBe(false)
    // Black on white in the dark theme as well, also when backgrounds are printed.
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect.poll(() => groundsBehind(page, '[data-print=day]')).toEqual(['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)'])
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  })

  itLong('does not lead back a user who has left before the appointment of a link is loaded', async () => {
    const { page, context, complaints } = await openSignedIn()
    const { id } = (await findAppointment('Turing')) as Appointment
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(`**/api/appointments/${id}`, async (route) => {
      held.resolve()
      await released.promise
      await route.continue()
    })
    // The next screen arrives after the reply: until then, this one is still shown.
    const screenReleased = Promise.withResolvers<void>()
    await page.route('**/assets/patients-page-*.js', async (route) => {
      await screenReleased.promise
      await route.continue()
    })
    await page.goto(`/appointments?date=${day}&appointment=${id}`)
    await held.promise
    await page.getByRole('link', { name: 'Patients' }).first().click()
    await page.waitForURL('**/patients')
    const reply = page.waitForResponse(`**/api/appointments/${id}`)
    released.resolve()
    await (await reply).finished()
    // What the page does with the reply, it has done before it runs this.
    await page.evaluate('new Promise((resolve) => setTimeout(resolve))')
    expect(new URL(page.url()).pathname).toBe('/patients')
    screenReleased.resolve()
    await page
      .getByRole('link', { name: /Hopper/ })
      .first()
      .click()
    await page.waitForURL(`**/patients/${ids.get('Hopper')}`)
    expect(new URL(page.url()).pathname).toBe(`/patients/${ids.get('Hopper')}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('calls no slot free and no waitlist empty while they are not known', async () => {
    const { page, context } = await openSignedIn()
    await silenceLiveUpdates(context)
    for (const path of [/\/api\/appointments\?/, /\/api\/waitlist/]) await context.route(path, (route) => route.abort())
    await page.goto(`/appointments?date=${future.thirdTuesday.iso}`)
    await page.getByText('Failed to fetch appointments').waitFor()
    const slots = page.getByRole('region', { name: 'Time Slots' })
    await slots.getByRole('button', { name: '9:00 AM', exact: true }).waitFor()
    expect(await page.getByText('free', { exact: false }).filter({ visible: true }).allTextContents()).toEqual(['Free'])
    await page.getByText('The waitlist could not be loaded').waitFor()
    expect(await page.getByText('No patients on the waitlist.').count()).toBe(0)
    await context.unrouteAll()
    await loadAgain(page, /Failed to fetch|could not be loaded/)
    await slots.getByText('13 free').waitFor()
    await slots.getByRole('button', { name: '9:00 AM, free' }).waitFor()
    await context.close()
  })

  it('leaves no warnings in the console', () => {
    expect(screen.complaints).toEqual([])
  })
})
