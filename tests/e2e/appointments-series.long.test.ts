import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { future } from '#tests/support/future-days.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, type Screen } from './browser.ts'
import { looks } from './looks.ts'

const day = future.tuesday.iso

/** A series from its plan to its end. Each test builds on the one before. */
describe('recurring appointments', () => {
  let app: TestApp
  let browser: Browser
  let screen: Screen
  let owner: Awaited<ReturnType<typeof newOwner>>
  const ids = new Map<string, string>()
  let parkId = ''

  async function openSignedIn(look: { width?: number; height?: number; dark?: boolean } = {}): Promise<Screen> {
    const opened = await openWindow(browser, { ...look, url: app.url })
    await opened.page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    return opened
  }
  const listBooked = async (lastName: string): Promise<Appointment[]> => {
    const all: Appointment[] = (
      await owner.client.get(
        `/api/appointments?startDate=${future.monday.iso}T00:00:00Z&endDate=${future.nextMonth.iso}T00:00:00Z`,
      )
    ).body
    return all.filter(({ patient }) => patient.lastName === lastName)
  }
  const listTimes = async (lastName: string) =>
    (await listBooked(lastName)).map(({ localDate, localTime }) => `${localDate.slice(5)} ${localTime}`)
  const book = (name: string, at: string, more: object = {}) =>
    owner.client.post('/api/appointments', {
      patientId: ids.get(name),
      appointmentDate: at,
      type: 'consultation',
      ...more,
    })
  const checkAccessible = async (page: Page, what: string) => {
    await expectAccessible(page, what)
    await expectNoSidewaysScroll(page)
  }
  const block = (page: Page, name: string) => page.locator('ol > li').filter({ hasText: name })
  const appointment = (page: Page, name: string) => block(page, name).locator('[data-appointment]')
  const getFocused = (page: Page) =>
    page.evaluate<string>(
      `document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''`,
    )

  async function plan(page: Page): Promise<void> {
    await page.goto(`/appointments?date=${day}&provider=all`)
    await page.getByRole('button', { name: 'Schedule Appointment' }).waitFor()
    await page.keyboard.press('n')
    await page.getByPlaceholder('Name, phone or date of birth').fill('Hopper')
    await page.getByRole('option', { name: /Grace Hopper/ }).waitFor()
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog', { name: 'Schedule Appointment' })
    await form.getByLabel('Date*').fill(day)
    await form.getByLabel('Time*').selectOption('09:00')
    await form.getByLabel('Type*').selectOption('follow-up')
    await form.getByRole('combobox', { name: 'Repeat' }).selectOption('week')
    await form.getByLabel('Appointments', { exact: true }).fill('4')
  }

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
    for (const at of [
      `${future.secondTuesday.iso}T09:00`,
      `${future.thirdTuesday.iso}T09:00`,
      `${future.fourthTuesday.iso}T09:00`,
    ])
      expect((await book('Lovelace', at)).status).toBe(201)
    screen = await openSignedIn()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('are described in a sentence and by date, and are not booked before each conflict is resolved', async () => {
    const { page } = screen
    await plan(page)
    await page
      .getByText(`Every week on Tuesday at 9:00 AM, 4 appointments, last on ${future.fourthTuesday.medium}`)
      .waitFor()
    await page.getByText('3 of these times are taken').waitFor()
    await page.getByText('Ada Lovelace is booked until 9:30 AM').first().waitFor()
    await checkAccessible(page, 'conflicts of a series')
    await page.getByRole('button', { name: 'Schedule 4 appointments' }).press('Enter')
    const second = page.getByRole('group', { name: `${future.secondTuesday.medium}: choices` })
    await expect.poll(() => getFocused(page)).toBe(`Move to ${future.secondTuesday.short}, 9:30 AM`)
    expect(await listTimes('Hopper')).toEqual([])

    await page.keyboard.press('Enter')
    await page.getByText(`Moved to ${future.secondTuesday.short}, 9:30 AM`).waitFor()
    await page
      .getByRole('group', { name: `${future.thirdTuesday.medium}: choices` })
      .getByRole('button', { name: 'Skip' })
      .press('Enter')
    const last = page.getByRole('group', { name: `${future.fourthTuesday.medium}: choices` })
    await last.getByRole('button', { name: 'Book anyway' }).press('Enter')
    await page
      .getByText(`Every week on Tuesday at 9:00 AM, 3 appointments, last on ${future.fourthTuesday.medium}`)
      .waitFor()
    // Another user books the time that was chosen instead.
    expect((await book('Turing', `${future.secondTuesday.iso}T09:30`)).status).toBe(201)
    await page.getByRole('button', { name: 'Schedule 3 appointments' }).press('Enter')
    await page.getByText('1 of these times is taken').waitFor()
    expect(await listTimes('Hopper')).toEqual([])
    await second.getByRole('button', { name: /10:00 AM/ }).press('Enter')
    await page.getByRole('button', { name: 'Schedule 3 appointments' }).press('Enter')
    await page.getByText('3 appointments scheduled').waitFor()
    expect(await listTimes('Hopper')).toEqual([
      `${future.tuesday.monthDay} 09:00`,
      `${future.secondTuesday.monthDay} 10:00`,
      `${future.fourthTuesday.monthDay} 09:00`,
    ])
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('show that they repeat, and link to each other', async () => {
    const { page } = screen
    await appointment(page, 'Grace Hopper').waitFor()
    expect(await appointment(page, 'Grace Hopper').getAttribute('aria-label')).toContain('repeats')
    await appointment(page, 'Grace Hopper').click()
    await page.getByText('Appointment 1 of 3').waitFor()
    await checkAccessible(page, 'details of a series')
    await page.getByRole('button', { name: `${future.secondTuesday.medium}, 10:00 AM` }).press('Enter')
    await page.getByText('Appointment 2 of 3').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: future.secondTuesday.long }).waitFor()
    for (const view of ['list', 'week']) {
      await page.goto(`/appointments?date=${day}&view=${view}`)
      await page.getByLabel('Repeats').first().waitFor()
    }
  })

  it('are asked about when one is moved by keyboard, and stay when the dialog is closed', async () => {
    const { page } = screen
    await page.goto(`/appointments?date=${day}`)
    await appointment(page, 'Grace Hopper').focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('alertdialog', { name: 'Move Grace Hopper to 9:30 AM?' }).waitFor()
    await page.getByText('All appointments (3)').waitFor()
    await checkAccessible(page, 'the scope dialog of a series')
    await page.keyboard.press('Escape')
    await expect.poll(() => getFocused(page)).toMatch(/^Grace Hopper, /)
    expect(await listTimes('Hopper')).toEqual([
      `${future.tuesday.monthDay} 09:00`,
      `${future.secondTuesday.monthDay} 10:00`,
      `${future.fourthTuesday.monthDay} 09:00`,
    ])

    await page.keyboard.press('ArrowDown')
    await page.getByRole('radio', { name: /^This and following/ }).check()
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByText('1 of these times is taken').waitFor()
    await page
      .getByText(new RegExp(`${future.secondTuesday.medium}, 9:30 AM: .* sees Alan Turing until 10:00 AM`))
      .waitFor()
    expect(await listTimes('Hopper')).toEqual([
      `${future.tuesday.monthDay} 09:00`,
      `${future.secondTuesday.monthDay} 10:00`,
      `${future.fourthTuesday.monthDay} 09:00`,
    ])
    await page.getByRole('button', { name: 'Move anyway' }).press('Enter')
    await page.getByText('3 appointments updated').waitFor()
    expect(await listTimes('Hopper')).toEqual([
      `${future.tuesday.monthDay} 09:30`,
      `${future.secondTuesday.monthDay} 09:30`,
      `${future.fourthTuesday.monthDay} 09:30`,
    ])
  })

  it('are changed in the form, one or following ones, with a report of those that were not changed', async () => {
    const { page } = screen
    await appointment(page, 'Grace Hopper').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('radio', { name: 'This and following (3)' }).check()
    await page.getByRole('dialog').getByLabel('Status').selectOption('confirmed')
    await page.getByRole('button', { name: 'Save Changes' }).press('Enter')
    await page.getByText(/The status is changed for one appointment at a time/).waitFor()
    await page.getByRole('dialog').getByLabel('Status').selectOption('scheduled')
    await page.getByRole('dialog').getByLabel('Time*').selectOption('14:00')
    await checkAccessible(page, 'the form of a series')
    // A colleague changes one of them between the preview and the change.
    await page.route('**/api/appointments/series/*', async (route) => {
      if (route.request().method() === 'PATCH') {
        const [, , third] = await listBooked('Hopper')
        await owner.client.patch(`/api/appointments/${third?.id}`, {
          appointmentDate: `${future.fourthWednesday.iso}T11:00`,
        })
      }
      await route.continue()
    })
    await page.getByRole('button', { name: 'Save Changes' }).press('Enter')
    await page.getByRole('alertdialog', { name: '1 of 3 appointments was not changed' }).waitFor()
    await page.unroute('**/api/appointments/series/*')
    await page.getByText(`${future.fourthTuesday.full}, 2:00 PM: another user has changed this appointment`).waitFor()
    await checkAccessible(page, 'a series changed in part')
    expect(await listTimes('Hopper')).toEqual([
      `${future.tuesday.monthDay} 14:00`,
      `${future.secondTuesday.monthDay} 14:00`,
      `${future.fourthWednesday.monthDay} 11:00`,
    ])
    await page.getByRole('button', { name: 'Try again' }).press('Enter')
    await page.getByText('Appointments updated').waitFor()
    expect(await listTimes('Hopper')).toEqual([
      `${future.tuesday.monthDay} 14:00`,
      `${future.secondTuesday.monthDay} 14:00`,
      `${future.fourthTuesday.monthDay} 14:00`,
    ])
  })

  it('are changed once, also when the reply to the first attempt is lost', async () => {
    const { page } = screen
    await appointment(page, 'Grace Hopper').focus()
    await page.keyboard.press('ArrowUp')
    await page.getByRole('radio', { name: /^All appointments/ }).check()
    const newDates = page.getByRole('region', { name: 'New dates' })
    expect(await newDates.getByRole('listitem').allTextContents()).toEqual([
      expect.stringContaining('11:30 AM'),
      expect.stringContaining('11:30 AM'),
      expect.stringContaining('11:30 AM'),
    ])
    await checkAccessible(page, 'the new dates of a series')
    await page.route('**/api/appointments/series/*', async (route) => {
      if (route.request().method() !== 'PATCH') return await route.continue()
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByText(/Some appointments may be changed already/).waitFor()
    await page.unroute('**/api/appointments/series/*')
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    expect(await listTimes('Hopper')).toEqual([
      `${future.tuesday.monthDay} 11:30`,
      `${future.secondTuesday.monthDay} 11:30`,
      `${future.fourthTuesday.monthDay} 11:30`,
    ])
  })

  it('move from one provider to another by keyboard and by dragging, one or all', async () => {
    const { page } = screen
    parkId = (await owner.client.post('/api/providers', { name: 'Dr. Park' })).body.id
    expect((await book('Turing', `${day}T15:00`)).status).toBe(201)
    await page.goto(`/appointments?date=${day}&provider=all`)
    const inPark = page.getByRole('list', { name: 'Appointments of Dr. Park' })
    await appointment(page, 'Alan Turing').focus()
    await page.keyboard.press('Alt+ArrowRight')
    await inPark.getByText('Alan Turing').waitFor()
    await expect.poll(() => getFocused(page)).toMatch(/^Alan Turing, /)
    expect((await listBooked('Turing'))[0]).toMatchObject({ providerId: parkId, localTime: '15:00' })
    expect(page.url()).toContain('/appointments')

    // Dragged back: the block follows the pointer into the other column.
    const from = await block(page, 'Alan Turing').boundingBox()
    const back = await page.locator('[data-provider]').first().boundingBox()
    if (!from || !back) throw new Error('Both must be on screen')
    await page.mouse.move(from.x + 40, from.y + 20)
    await page.mouse.down()
    await page.mouse.move(back.x + 60, from.y + 22, { steps: 6 })
    await page.mouse.up()
    await inPark.getByText('Alan Turing').waitFor({ state: 'detached' })
    expect((await listBooked('Turing'))[0]).toMatchObject({ localTime: '15:00' })
    expect((await listBooked('Turing'))[0]?.providerId).not.toBe(parkId)

    await appointment(page, 'Grace Hopper').focus()
    await page.keyboard.press('Alt+ArrowRight')
    await page.getByRole('alertdialog', { name: 'Move Grace Hopper to Dr. Park?' }).waitFor()
    await page.getByRole('radio', { name: /^All appointments/ }).check()
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await inPark.getByText('Grace Hopper').waitFor()
    expect((await listBooked('Hopper')).map(({ providerId }) => providerId)).toEqual([parkId, parkId, parkId])
  })

  it('are cancelled from one appointment onwards', async () => {
    const { page } = screen
    await page.goto(`/appointments?date=${future.secondTuesday.iso}&provider=all`)
    await page.getByRole('button', { name: /^Actions for Grace Hopper/ }).click()
    await page.getByRole('menuitem', { name: 'Cancel' }).click()
    await page.getByRole('radio', { name: 'This and following (2)' }).check()
    await checkAccessible(page, 'cancelling a series')
    await page.getByRole('button', { name: 'Cancel these appointments' }).press('Enter')
    await page.getByText('2 appointments cancelled').waitFor()
    expect(await listTimes('Hopper')).toEqual([`${future.tuesday.monthDay} 11:30`])
  })

  it.each(looks)('look right: $name', async (look) => {
    const { context, page, complaints } = await openSignedIn(look)
    await plan(page)
    await page.getByText('3 of these times are taken').waitFor()
    await checkAccessible(page, `planning a series, ${look.name}`)
    await page.getByRole('group', { name: 'Dates of the appointments' }).scrollIntoViewIfNeeded()
    await page.getByLabel('Appointments', { exact: true }).fill('1')
    await page.getByText('At least 2 appointments').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('report an appointment whose time was just taken, and offer another time for it', async () => {
    const { page } = screen
    await plan(page)
    await page.getByRole('button', { name: 'Move each to its nearest free time' }).press('Enter')
    await page.route('**/api/appointments/series', async (route) => {
      const response = await route.fetch()
      const reply = await response.json()
      const [last] = reply.appointments.splice(-1)
      // A race inside the server cannot be caused from here: this is the reply it sends then.
      reply.notBooked = [{ index: 3, start: last.appointmentDate, conflict: null }]
      await route.fulfill({ response, json: reply })
    })
    await page.getByRole('button', { name: 'Schedule 4 appointments' }).press('Enter')
    await page.getByRole('alertdialog', { name: '1 appointment is not booked' }).waitFor()
    await page.unroute('**/api/appointments/series')
    await checkAccessible(page, 'a series booked in part')
    await page.getByRole('button', { name: `Find another time instead of ${future.fourthTuesday.full}` }).press('Enter')
    const form = page.getByRole('dialog', { name: 'Schedule Appointment' })
    await form.waitFor()
    expect(await form.getByLabel('Date*').inputValue()).toBe(future.fourthTuesday.iso)
    expect(await form.getByPlaceholder('Name, phone or date of birth').inputValue()).toContain('Grace Hopper')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  it('leave no warnings in the console', () => expect(screen.complaints).toEqual([]))
})
