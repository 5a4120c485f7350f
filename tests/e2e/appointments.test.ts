import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, groundsBehind, launchBrowser, openWindow, type Screen } from './browser.ts'

const day = '2027-03-02'
const shown = 'Tuesday, March 2, 2027'

/** One day at the desk. Each step builds on the one before. */
describe('the appointments of a day', () => {
  let app: TestApp
  let browser: Browser
  let desk: Screen
  let owner: Awaited<ReturnType<typeof newOwner>>
  const ids = new Map<string, string>()

  async function signedIn(look: { width?: number; height?: number; dark?: boolean } = {}): Promise<Screen> {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    return screen
  }
  const booked = async (): Promise<Appointment[]> =>
    (await owner.client.get(`/api/appointments?startDate=${day}T00:00:00Z&endDate=2027-03-04T00:00:00Z`)).body
  const appointmentOf = async (name: string) => (await booked()).find(({ patient }) => patient.lastName === name)
  /** A toast that fades is between two colours, which says nothing about what people see. */
  const accessible = async (page: Page, what: string) => {
    await page.locator('.fui-Toast').first().waitFor({ state: 'detached' })
    await expectAccessible(page, what)
  }
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
    desk = await signedIn()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('begins empty, and says what can be done', async () => {
    const { page } = desk
    await page.goto(`/appointments?date=${day}`)
    await page.getByText('No appointments scheduled for this date').waitFor()
    await page.getByRole('heading', { name: shown }).waitFor()
    await page.getByRole('button', { name: 'Schedule First Appointment' }).waitFor()
    expect(await page.getByRole('button', { name: /^\d+:\d\d [AP]M, free$/ }).count()).toBe(13)
    await accessible(page, 'an empty day')
  })

  it('books an appointment with three keys beyond the name', async () => {
    const { page } = desk
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
    expect(await appointmentOf('Hopper')).toMatchObject({ localDate: day, localTime: '09:00', type: 'follow-up' })
    await page.getByRole('button', { name: '9:00 AM, booked' }).waitFor()
  })

  it('says that a slot is taken before it is sent, and offers what is free', async () => {
    const { page } = desk
    await page.getByRole('button', { name: '9:00 AM, booked' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Lovelace')
    await page.keyboard.press('Enter')
    await page.getByText('9:00 AM is taken').waitFor()
    await page.getByText('Ada Okafor sees Grace Hopper until 9:30 AM.').waitFor()
    await accessible(page, 'a slot that is taken')
    await page.getByRole('button', { name: 'Tue, Mar 2, 9:30 AM' }).click()
    await page.getByText('9:00 AM is taken').waitFor({ state: 'detached' })
    await page.locator('select[name=type]').selectOption('check-up')
    await page.keyboard.press('Enter')
    await block(page, 'Ada Lovelace').waitFor()
    expect(await appointmentOf('Lovelace')).toMatchObject({ localTime: '09:30', overlap: false })
  })

  it('adds a new patient on the way, and books beside another appointment when somebody wants that', async () => {
    const { page } = desk
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
    expect(await appointmentOf('Johnson')).toMatchObject({ localTime: '09:30', overlap: true })
  })

  it('moves and lengthens by keys, and edits with Enter', async () => {
    const { page } = desk
    const name = block(page, 'Grace Hopper').getByRole('button').first()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await name.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await expect.poll(() => appointmentOf('Hopper')).toMatchObject({ localTime: '10:30', duration: 45 })
    await block(page, 'Grace Hopper').getByText('10:30 AM, 45 min.').waitFor()
    await block(page, 'Grace Hopper').getByRole('button').first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: /Edit appointment of Grace Hopper/ }).waitFor()
    await page.locator('select[name=status]').selectOption('confirmed')
    await page.keyboard.press('Enter')
    await page.getByText('Appointment updated').waitFor()
    await block(page, 'Grace Hopper').getByText('Confirmed').waitFor()
  })

  it('moves by dragging, lengthens at the edge, and asks where somebody else is', async () => {
    const { page } = desk
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const drag = async (x: number, y: number, dy: number) => {
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x, y + dy / 2)
      await page.mouse.move(x, y + dy)
      await page.mouse.up()
    }
    const boxOf = async () => (await block(page, 'Grace Hopper').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    let box = await boxOf()
    await drag(box.x + 60, box.y + 12, 54)
    await expect.poll(() => appointmentOf('Hopper')).toMatchObject({ localTime: '11:00', duration: 45 })
    await block(page, 'Grace Hopper').getByText('11:00 AM, 45 min.').waitFor()
    box = await boxOf()
    await drag(box.x + 60, box.y + box.height - 2, -27)
    await expect.poll(() => appointmentOf('Hopper')).toMatchObject({ localTime: '11:00', duration: 30 })
    await block(page, 'Grace Hopper').getByText('11:00 AM, 30 min.').waitFor()
    box = await boxOf()
    await drag(box.x + 60, box.y + 12, -3 * 54)
    await page.getByText('Move Grace Hopper to 9:30 AM?').waitFor()
    await page.getByRole('button', { name: 'Leave it as it was' }).click()
    expect(await appointmentOf('Hopper')).toMatchObject({ localTime: '11:00' })
  })

  it('keeps date, view and filters in the address', async () => {
    const { page } = desk
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await page.keyboard.press('l')
    await page.waitForURL(/view=list/)
    await page.getByRole('row', { name: /Grace Hopper/ }).waitFor()
    await page.goto(`/appointments?date=${day}&type=emergency`)
    await block(page, 'Katherine Johnson').waitFor()
    expect(await block(page, 'Grace Hopper').count()).toBe(0)
    await page.getByRole('button', { name: 'Filter, 1 active' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await page.waitForURL(/date=2027-03-03/)
    await page.keyboard.press('ArrowLeft')
    await page.waitForURL(/date=2027-03-02/)
    await page.keyboard.press('w')
    await page.getByText('Feb 28 to Mar 6, 2027').waitFor()
    await page.keyboard.press('t')
    await page.waitForURL((url) => !url.searchParams.has('date'))
    await page.keyboard.press('?')
    await page.getByText('Schedule an appointment').waitFor()
    await page.keyboard.press('Escape')
  })

  it('shows in one browser what happens in another, and says who was faster', async () => {
    const other = await signedIn()
    const { page } = desk
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
    await page.getByRole('button', { name: 'Tue, Mar 2, 3:30 PM' }).click()
    await page.keyboard.press('Enter')
    await block(other.page, 'Alan Turing').waitFor()
    expect(other.complaints).toEqual([])
    await other.context.close()
  })

  it('tells what changed meanwhile, and lets a person choose', async () => {
    const { page } = desk
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await block(page, 'Alan Turing').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    await page.getByLabel('Reason').fill('Mine')
    const turing = await appointmentOf('Turing')
    await owner.client.patch(`/api/appointments/${turing?.id}`, { reason: 'Theirs', status: 'confirmed' })
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await page.getByText(/changed this appointment while you were editing/).waitFor()
    await accessible(page, 'changed meanwhile')
    await page.getByRole('button', { name: 'Keep mine' }).waitFor()
    await page.getByRole('button', { name: 'Save Changes' }).click()
    await expect.poll(() => appointmentOf('Turing')).toMatchObject({ reason: 'Mine', status: 'confirmed' })
  })

  it('shows an appointment, and cancels it in both ways', async () => {
    const { page } = desk
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await block(page, 'Alan Turing').getByRole('button').first().click()
    await page.getByText('Appointment Details').waitFor()
    await page.getByText(`${shown}, 3:30 PM`).waitFor()
    await accessible(page, 'an appointment')
    await page.getByRole('button', { name: 'Arrived' }).click()
    await expect.poll(() => appointmentOf('Turing')).toMatchObject({ status: 'waiting' })
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const listed of [true, false]) {
      await block(page, 'Alan Turing').getByRole('button').last().click()
      await page.getByRole('menuitem', { name: 'Cancel' }).click()
      if (listed) await page.getByLabel(/Keep it on the day/).check()
      await page.getByRole('button', { name: listed ? 'Cancel appointment' : 'Take off the list' }).click()
      await page.getByRole('alertdialog').waitFor({ state: 'detached' })
      if (listed) await block(page, 'Alan Turing').getByText('Cancelled').waitFor()
    }
    await block(page, 'Alan Turing').waitFor({ state: 'detached' })
    expect(await appointmentOf('Turing')).toBeUndefined()
  })

  it('offers a time that was freed to who waits for one, and books it with one press', async () => {
    const { page } = desk
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add to waitlist' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Turing')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('input[role=combobox]').inputValue()).toBe('Alan Turing')
    await page.getByRole('dialog').locator('select').first().selectOption('consultation')
    await page.getByRole('button', { name: 'Add to waitlist' }).last().click()
    await page.getByRole('button', { name: 'Take Alan Turing off the waitlist' }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await block(page, 'Grace Hopper').getByRole('button').last().click()
    await page.getByRole('menuitem', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Cancel appointment' }).click()
    await page.getByText('Tue, Mar 2, 11:00 AM is free now').waitFor()
    await accessible(page, 'a time that was freed')
    await page.getByRole('button', { name: 'Book Alan Turing' }).click()
    await block(page, 'Alan Turing').waitFor()
    expect(await appointmentOf('Turing')).toMatchObject({ localTime: '11:00', type: 'consultation' })
    await page.getByText('Nobody waits for an earlier time.').waitFor()
  })

  it('stands side by side for several providers, and prints without its frame', async () => {
    const { page } = desk
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('button', { name: 'Add provider' }).click()
    await page.getByLabel('Name').fill('Dr. Rosalind Franklin')
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Appointments of Dr. Rosalind Franklin' }).waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    await accessible(page, 'several providers')
    await page.emulateMedia({ media: 'print' })
    await page.locator('[data-print=day]').getByText('Alan Turing').waitFor()
    expect(await page.getByRole('complementary', { name: 'Sidebar' }).isVisible()).toBe(false)
    expect(await page.getByRole('button', { name: 'Schedule Appointment' }).isVisible()).toBe(false)
    // Black on white in the dark theme as well, also where somebody prints backgrounds.
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await groundsBehind(page, '[data-print=day]')).toEqual(['rgba(0, 0, 0, 0)', 'rgb(255, 255, 255)'])
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
  })

  it('left no complaint in the console', () => {
    expect(desk.complaints).toEqual([])
  })
})
