import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultWeek } from '#contracts/values/working-hours.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import {
  dismissToasts,
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  loadAgain,
  openWindow,
  type Screen,
  takePicture,
} from './browser.ts'
import { looks } from './looks.ts'
import { itLong } from '#tests/support/long.ts'

/** Each test builds on the state of the previous one. */
describe('the working time in the settings', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>
  let desk: Screen
  let providerId: string

  async function signedIn(look: { width?: number; height?: number; dark?: boolean } = {}) {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    return screen
  }
  const hours = async () => (await owner.client.get('/api/working-hours/week')).body.hours
  const panel = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
  async function openSettings(page: Page): Promise<void> {
    await page.goto('/practice')
    await page.getByLabel('Friday opens').waitFor()
    await panel(page, 'Holidays').getByRole('button', { name: 'Add holiday' }).waitFor()
    await panel(page, 'Days off').getByRole('button', { name: 'Add days off' }).waitFor()
  }

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'starter' })
    providerId = (await owner.client.get('/api/providers')).body[0].id
    desk = await signedIn()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  itLong.each(looks)('is accessible and fits the window, with errors too: $name', async ({ name, ...look }) => {
    const { page, complaints } = await signedIn(look)
    await openSettings(page)
    await page.getByText('No holidays ahead').waitFor()
    await page.getByText('No days off ahead').waitFor()
    await expectAccessible(page, name)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `working-hours-empty-${name}`)
    await page.getByLabel('Monday closes').fill('08:00')
    await page.getByRole('button', { name: 'Add break on Friday' }).click()
    const second = page.getByRole('group', { name: 'Break 2 on Friday' })
    await second.getByLabel('Starts').fill('13:30')
    await second.getByLabel('Ends').fill('14:30')
    await page.getByRole('button', { name: 'Add break on Tuesday' }).click()
    await page.getByRole('group', { name: 'Break 2 on Tuesday' }).getByLabel('Ends').fill('19:00')
    await page.getByRole('button', { name: 'Save working hours' }).click()
    await page.getByText('Must be after the opening time').waitFor()
    await second.getByText('Overlaps another break').waitFor()
    await page.getByText('Must be within the working hours').waitFor()
    // The first mistake has the focus.
    expect(await page.evaluate<string>('document.activeElement.name')).toBe('monday.closes')
    await expectAccessible(page, `${name}, refused`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `working-hours-refused-${name}`)
    for (const [button, dialog, action] of [
      ['Add holiday', 'Add Holiday', 'Add holiday'],
      ['Add days off', 'Add Days Off', 'Add days off'],
    ] as const) {
      await page.getByRole('button', { name: button }).click()
      const form = page.getByRole('dialog', { name: dialog })
      await form.getByLabel('First day').fill('2031-03-07')
      await form.getByLabel('Last day').fill('2031-03-06')
      await form.getByRole('button', { name: action }).click()
      await form.getByText('Must not be before the first day').waitFor()
      await expectAccessible(page, `${name}, ${dialog}`)
      await takePicture(page, `working-hours-${dialog}-${name}`)
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'Discard', exact: true }).click()
      await form.waitFor({ state: 'detached' })
    }
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('sets hours and breaks with the keyboard alone', async () => {
    const { page } = desk
    await openSettings(page)
    const active = () => page.evaluate<string>('document.activeElement.name || document.activeElement.ariaLabel || ""')
    const tabTo = async (field: string) => {
      for (let step = 0; step < 200 && (await active()) !== field; step++) await page.keyboard.press('Tab')
      expect(await active()).toBe(field)
    }
    await page.getByRole('switch', { name: 'Monday' }).focus()
    await page.keyboard.press('Space')
    await tabTo('Remove the break on Tuesday')
    await page.keyboard.press('Enter')
    await tabTo('friday.opens')
    await page.keyboard.type('0800AM')
    await tabTo('friday.closes')
    await page.keyboard.type('0300PM')
    await tabTo('saturday.isOpen')
    await page.keyboard.press('Space')
    await tabTo('saturday.opens')
    await page.keyboard.type('0600PM')
    await tabTo('saturday.closes')
    await page.keyboard.type('1200AM')
    await page.keyboard.press('Enter')
    await page.getByText('Working hours saved').waitFor()
    expect(await hours()).toEqual({
      ...defaultWeek,
      monday: null,
      tuesday: { opens: '09:00', closes: '17:30', breaks: [] },
      friday: { opens: '08:00', closes: '15:00', breaks: [{ from: '12:00', until: '14:00' }] },
      saturday: { opens: '18:00', closes: '24:00', breaks: [] },
    })
    await openSettings(page)
    expect(await page.getByLabel('Saturday closes').inputValue()).toBe('00:00')
    expect(await page.getByRole('switch', { name: 'Monday' }).isChecked()).toBe(false)
  })

  it('discards changes, and removes one of several breaks', async () => {
    const { page } = desk
    await page.getByRole('button', { name: 'Add break on Friday' }).click()
    const second = page.getByRole('group', { name: 'Break 2 on Friday' })
    await second.getByLabel('Starts').fill('14:15')
    await second.getByLabel('Ends').fill('14:30')
    await page.getByRole('group', { name: 'Break 1 on Friday' }).getByRole('button').click()
    const only = page.getByRole('group', { name: 'Break on Friday' })
    expect(await only.getByLabel('Starts').inputValue()).toBe('14:15')
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await expect.poll(() => only.getByLabel('Starts').inputValue()).toBe('12:00')
    expect(await only.getByLabel('Ends').inputValue()).toBe('14:00')
  })

  it('shows what another user has changed, and loses nothing', async () => {
    const { page } = desk
    const theirs = { opens: '10:00', closes: '16:00', breaks: [] }
    await page.getByLabel('Friday closes').fill('16:00')
    await page.getByLabel('Wednesday opens').fill('07:00')
    await owner.client.patch('/api/working-hours', { hours: { friday: theirs, thursday: null } })
    await page.getByRole('button', { name: 'Save working hours' }).click()
    await page.getByText('Ada Okafor changed the working hours while you were editing').waitFor()
    await page.getByText('10:00 AM to 4:00 PM').waitFor()
    await expectAccessible(page, 'the working hours, conflict')
    await takePicture(page, 'working-hours-conflict')
    await page.getByRole('button', { name: 'Use theirs' }).click()
    await dismissToasts(page)
    await page.getByRole('button', { name: 'Save working hours' }).click()
    await page.getByText('Working hours saved').waitFor()
    expect(await hours()).toMatchObject({ friday: theirs, thursday: null, wednesday: { opens: '07:00' } })
  })

  itLong('adds holidays and days off, and links to the appointments that are booked', async () => {
    const { page } = desk
    const { client } = owner
    const patientId = (await client.post('/api/patients', { firstName: 'Ida', lastName: 'Bell' })).body.id
    const book = (appointmentDate: string) =>
      client.post('/api/appointments', { patientId, appointmentDate, type: 'check-up' })
    await book('2031-03-05T10:00')
    await book('2031-03-07T10:00')
    await page.getByRole('button', { name: 'Add holiday' }).click()
    const holiday = page.getByRole('dialog', { name: 'Add Holiday' })
    await holiday.getByRole('button', { name: 'Add holiday' }).click()
    await holiday.getByText('Please enter a valid date').first().waitFor()
    await holiday.getByLabel('Name').fill('Spring days')
    await holiday.getByLabel('First day').fill('2031-03-05')
    await holiday.getByLabel('Last day').fill('2031-03-07')
    await holiday.getByRole('button', { name: 'Add holiday' }).click()
    const holidays = panel(page, 'Holidays')
    await holidays.getByText('Mar 5, 2031 to Mar 7, 2031').waitFor()
    await holidays.getByText('2 appointments are booked').waitFor()
    await page.getByRole('button', { name: 'Add days off' }).click()
    const dayOff = page.getByRole('dialog', { name: 'Add Days Off' })
    await dayOff.getByLabel('First day').fill('2031-03-07')
    await dayOff.getByLabel('Reason').fill('Conference')
    await page.keyboard.press('Enter')
    const daysOff = panel(page, 'Days off')
    await daysOff.getByText('Mar 7, 2031, Conference').waitFor()
    await daysOff.getByText('1 appointment is booked').waitFor()
    await expectAccessible(page, 'holidays and days off')
    await takePicture(page, 'working-hours-closures')
    expect(await daysOff.getByRole('link', { name: 'Open the day' }).getAttribute('href')).toBe(
      `/appointments?date=2031-03-07&provider=${providerId}`,
    )
    await holidays.getByRole('link', { name: 'Open the first day' }).click()
    await page.getByRole('heading', { name: 'Wednesday, March 5, 2031' }).waitFor()
    await page.goBack()
  })

  itLong('edits a holiday that another user has changed, and removes it', async () => {
    const { page } = desk
    const holidays = panel(page, 'Holidays')
    const openMenu = async (name: RegExp, item: string) => {
      await holidays.getByRole('button', { name }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await openMenu(/Actions for Spring days/, 'Edit')
    const form = page.getByRole('dialog', { name: 'Edit Spring days' })
    await form.getByLabel('Last day').fill('2031-03-06')
    const [{ id }] = (await owner.client.get('/api/closures')).body
    const theirs = { name: 'Founding days', from: '2031-03-04', until: '2031-03-07' }
    expect((await owner.client.patch(`/api/closures/${id}`, theirs)).status).toBe(200)
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await form.getByText('Ada Okafor changed these days while you were editing').waitFor()
    await expectAccessible(page, 'a holiday, conflict')
    await dismissToasts(page)
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await holidays.getByText('Mar 4, 2031 to Mar 6, 2031').waitFor()
    await holidays.getByText('1 appointment is booked').waitFor()
    await openMenu(/Actions for Founding days/, 'Remove')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No holidays ahead').waitFor()
    expect(desk.complaints).toEqual([])
  })

  itLong('can be loaded again after an error, and belongs to the owner and administrators', async () => {
    const { page } = await signedIn()
    for (const path of ['**/api/working-hours/week', '**/api/closures'])
      await page.route(path, (route) => route.fulfill({ status: 503, body: '' }))
    await page.goto('/practice')
    await page.getByText('Working hours could not be loaded').waitFor()
    await page.getByText('Holidays could not be loaded').waitFor()
    await page.getByText('Days off could not be loaded').waitFor()
    await page.unrouteAll()
    await loadAgain(page, /could not be loaded/)
    await page.getByLabel('Friday opens').waitFor()
    await panel(page, 'Holidays').getByText('No holidays ahead').waitFor()
    await page.context().close()
  })
})
