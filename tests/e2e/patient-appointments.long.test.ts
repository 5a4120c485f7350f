import type { Browser, Locator, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Appointment } from '#contracts/appointments.ts'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { future } from '#tests/support/future-days.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import {
  dismissToasts,
  expectAccessible,
  expectNoSidewaysScroll,
  keepToasts,
  launchBrowser,
  openWindow,
  type Screen,
} from './browser.ts'
import { looks } from './looks.ts'

/** The record of one patient, from the details. Each test builds on the one before. */
describe('the details of a patient', () => {
  let app: TestApp
  let browser: Browser
  let screen: Screen
  let owner: Awaited<ReturnType<typeof newOwner>>
  let grace: string

  const openSignedIn = async (look: { width?: number; height?: number; dark?: boolean } = {}): Promise<Screen> => {
    const opened = await openWindow(browser, { ...look, url: app.url })
    await opened.page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    return opened
  }
  const add = async (fields: object) => (await owner.client.post('/api/patients', fields)).body.id as string
  const book = (appointmentDate: string, more: object = {}) =>
    owner.client.post('/api/appointments', {
      patientId: grace,
      appointmentDate,
      type: 'check-up',
      confirmed: BookingConcern.options,
      ...more,
    })
  const listUpcoming = async () =>
    (await owner.client.get(`/api/patients/${grace}/appointments?period=upcoming`)).body as Appointment[]
  const coming = (page: Page) => page.getByRole('region', { name: 'Coming' })
  const past = (page: Page) => page.getByRole('region', { name: 'Past and cancelled' })
  const openMenu = async (page: Page, row: string, item: string) => {
    await page.getByRole('button', { name: `Actions for ${row}` }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  const closed = (page: Page) => page.locator('[role=dialog], [role=alertdialog]').nth(1).waitFor({ state: 'detached' })

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'starter' })
    grace = await add({ firstName: 'Grace', lastName: 'Hopper' })
    await add({ firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1950-12-10', deceasedOn: '2020-01-02' })
    for (let month = 1; month <= 6; month++) await book(`2025-0${month}-03T09:00`)
    screen = await openSignedIn()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('tells unknown allergies from none and from listed ones', async () => {
    const { page } = screen
    await page.goto(`/patients/${grace}`)
    await page.getByText('Allergies unknown').waitFor()
    for (const [choice, shown] of [
      ['No known allergies', 'No known allergies'],
      ['Has allergies', 'Allergic to Latex'],
    ] as const) {
      await page.getByRole('button', { name: 'Edit Patient' }).click()
      const form = page.getByRole('dialog', { name: 'Edit Grace Hopper' })
      await form.getByRole('radio', { name: choice }).check()
      if (choice === 'Has allergies') {
        await form.getByRole('button', { name: 'Save Changes' }).click()
        await form.getByText('Please name the allergies').waitFor()
        await form.getByLabel('Allergic to').fill('Latex')
      }
      await form.getByRole('button', { name: 'Save Changes' }).click()
      await form.waitFor({ state: 'detached' })
      await page.getByText(shown).waitFor()
    }
  })

  it('lists past appointments page by page, and books a coming one for the patient', async () => {
    const { page } = screen
    await coming(page).getByText('Nothing booked').waitFor()
    await past(page).getByText('1–5 of 6').waitFor()
    await past(page).getByRole('button', { name: 'Next page' }).click()
    await past(page).getByText('Fri, Jan 3, 2025').waitFor()
    await page.getByRole('button', { name: 'Book appointment' }).click()
    const form = page.getByRole('dialog', { name: 'Schedule Appointment' })
    expect(await form.getByRole('combobox', { name: 'Patient' }).inputValue()).toBe('Grace Hopper')
    await form.getByLabel('Date*').fill(future.tuesday.iso)
    await form.locator('select[name=time]').selectOption('09:00')
    await form.locator('select[name=type]').selectOption('follow-up')
    await form.getByRole('button', { name: 'Schedule appointment' }).click()
    await closed(page)
    await coming(page).getByText(future.tuesday.full).waitFor()
  })

  it('asks before an appointment is moved to a day without work', async () => {
    const { page } = screen
    await openMenu(page, `${future.tuesday.full}, 9:00 AM`, 'Move or edit')
    const form = page.getByRole('dialog', { name: 'Edit appointment of Grace Hopper' })
    await form.getByLabel('Date*').fill(future.saturday.iso)
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await form.getByText(`${future.saturday.full} is not a working day.`).waitFor()
    expect((await listUpcoming()).map(({ localDate }) => localDate)).toEqual([future.tuesday.iso])
    await form.getByRole('button', { name: 'Save anyway' }).click()
    await closed(page)
    await coming(page).getByText(future.saturday.full).waitFor()
  })

  it('leads to the calendar and back', async () => {
    const { page } = screen
    await dismissToasts(page)
    await openMenu(page, `${future.saturday.full}, 9:00 AM`, 'Show in calendar')
    await page.getByRole('heading', { name: future.saturday.long }).waitFor()
    await page.getByRole('button', { name: 'Actions for Grace Hopper' }).click()
    await page.getByRole('menuitem', { name: 'View Details' }).click()
    await page.getByRole('link', { name: 'Grace Hopper' }).click()
    await coming(page).getByText(future.saturday.full).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: future.saturday.long }).waitFor()
    await page.goForward()
  })

  it('opens menus above toasts, which do not move while the mouse is pressed', async () => {
    const { page, context } = await openSignedIn({ height: 600 })
    await page.goto(`/appointments?date=${future.saturday.iso}`)
    await keepToasts(page)
    const actions = page.getByRole('button', { name: 'Actions for Grace Hopper' })
    const choose = async (item: string) => {
      await actions.press('Enter')
      await page.getByRole('menuitem', { name: item }).press('Enter')
    }
    await choose('Edit')
    await page.getByLabel('Reason').fill('Blood pressure')
    await page.getByRole('button', { name: 'Save Changes' }).click()
    const toast = page.locator('.fui-Toast').filter({ hasText: 'Appointment updated' })
    await toast.waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await actions.press('Enter')
    const first = page.getByRole('menuitem').first()
    await first.waitFor()
    const box = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    const [menu, covering] = [await box(page.getByRole('menu')), await box(toast)]
    expect(menu.y).toBeLessThan(covering.y + covering.height)
    expect(
      await first.evaluate((item) => {
        const { left, top, width, height } = item.getBoundingClientRect()
        return item.contains(item.ownerDocument.elementFromPoint(left + width / 2, top + height / 2))
      }),
    ).toBe(true)
    await page.keyboard.press('Escape')

    const frames = () =>
      page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
    await page.mouse.move(300, 300)
    await page.mouse.down()
    const before = await box(toast)
    await page.evaluate('scrollBy(0, 60)')
    await frames()
    expect(await box(toast)).toEqual(before)
    await page.mouse.up()
    await expect.poll(async () => (await box(toast)).y).not.toBe(before.y)
    await context.close()
  })

  it.each(looks)('is accessible and fits: $name', async (look) => {
    const { page, complaints, context } = await openSignedIn(look)
    await page.goto(`/patients/${grace}`)
    await coming(page).getByText(future.saturday.full).waitFor()
    await expectAccessible(page, `details, ${look.name}`)
    await expectNoSidewaysScroll(page)
    await openMenu(page, `${future.saturday.full}, 9:00 AM`, 'Cancel')
    const buttons = page.getByRole('alertdialog').locator('.fui-DialogActions button')
    await expect.poll(() => buttons.count()).toBe(2)
    // No label is broken over two lines.
    for (const button of await buttons.all()) expect((await button.boundingBox())?.height).toBeLessThan(40)
    await expectAccessible(page, `cancel, ${look.name}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('names the coming appointments that the deletion cancels', async () => {
    const { page } = screen
    await book(`${future.secondTuesday.iso}T10:00`, { type: 'procedure' })
    await page.goto('/patients?search=hopper')
    await openMenu(page, 'Grace Hopper', 'Delete')
    const question = page.getByRole('alertdialog')
    await question.getByText('This cancels 2 coming appointments:').waitFor()
    await question.getByText(`${future.saturday.medium}, 9:00 AM, Follow-up`).waitFor()
    await question.getByText(`${future.secondTuesday.medium}, 10:00 AM, Procedure`).waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
  })

  it('cancels an appointment, which stays in the history', async () => {
    const { page } = screen
    await page.goto(`/patients/${grace}`)
    await openMenu(page, `${future.saturday.full}, 9:00 AM`, 'Cancel')
    await page.getByRole('button', { name: 'Cancel appointment' }).click()
    await past(page).getByText(future.saturday.full).waitFor()
    // The button that opened the question is gone; the focus must not move behind the details.
    await expect
      .poll(() => page.evaluate<boolean>('Boolean(document.activeElement?.closest("[role=dialog]"))'))
      .toBe(true)
    expect((await listUpcoming()).map(({ localDate }) => localDate)).toEqual([future.secondTuesday.iso])
  })

  const readFocus = (page: Page) =>
    page.evaluate<string>(
      `(() => { const { activeElement: e } = document; return e.getAttribute('aria-label') ?? e.textContent })()`,
    )

  it('scrolls with the keyboard as soon as it is open, without another tab stop', async () => {
    const { page, context } = await openSignedIn({ height: 600 })
    await page.goto(`/patients/${grace}`)
    await coming(page).getByText(future.secondTuesday.full).waitFor()
    await expect.poll(() => readFocus(page)).toBe('Grace Hopper')
    const readScroll = () =>
      page.evaluate<number>(`document.querySelector('[role=group][aria-label="Grace Hopper"]').scrollTop`)
    expect(await readScroll()).toBe(0)
    await page.keyboard.press('PageDown')
    await expect.poll(readScroll).toBeGreaterThan(0)
    await page.keyboard.press('Tab')
    expect(await readFocus(page)).not.toBe('Grace Hopper')
    await page.keyboard.press('Shift+Tab')
    expect(await readFocus(page)).toBe('Close details')
    await context.close()
  })

  it('shows the new status and next steps in the details, and returns the focus to the appointment', async () => {
    const { page } = screen
    await page.goto(`/patients/${grace}`)
    const row = coming(page).getByRole('button', { name: new RegExp(`^${future.secondTuesday.full}`) })
    await row.waitFor()
    // Fluent would return the focus to these buttons later: they had it last.
    await page.getByRole('button', { name: 'Edit Patient' }).press('Enter')
    await page.getByRole('dialog', { name: 'Edit Grace Hopper' }).waitFor()
    await page.keyboard.press('Escape')
    await closed(page)
    await expect.poll(() => readFocus(page)).toBe('Edit Patient')
    await page
      .getByRole('button', { name: /^Actions for/ })
      .last()
      .press('Enter')
    await page.getByRole('menuitem', { name: 'View Details' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => readFocus(page)).toMatch(/^Actions for/)

    await row.press('Enter')
    const details = page.getByRole('dialog', { name: 'Appointment Details' })
    await details.getByRole('button', { name: 'Confirm' }).press('Enter')
    await details.getByRole('button', { name: 'Start appointment' }).waitFor()
    await details.getByText('Confirmed').waitFor()
    expect(await details.getByRole('button', { name: 'Confirm', exact: true }).count()).toBe(0)
    await page.keyboard.press('Escape')
    await closed(page)
    await expect.poll(() => readFocus(page)).toMatch(new RegExp(`^${future.secondTuesday.full}`))

    // A missed appointment moves to the other list.
    await row.press('Enter')
    await details.getByRole('button', { name: 'No-show' }).press('Enter')
    await details.getByRole('group', { name: 'Next step' }).getByRole('button', { name: 'Arrived' }).waitFor()
    await details.getByRole('button', { name: 'Start appointment' }).waitFor({ state: 'detached' })
    const moved = { hasText: future.secondTuesday.full }
    // Behind the dialog, regions have no role.
    const list = (title: string) => page.locator('section:not(:has(section))', { hasText: title })
    await list('Past and cancelled').locator('[data-focus-key]', moved).waitFor()
    await list('Coming').locator('[data-focus-key]', moved).waitFor({ state: 'detached' })
    await page.keyboard.press('Escape')
    await closed(page)
    await expect.poll(() => readFocus(page)).toMatch(new RegExp(`^${future.secondTuesday.full}`))
    expect(screen.complaints).toEqual([])
  })

  it('books an appointment that was missed again, with its details', async () => {
    const { page } = screen
    await page.goto(`/patients/${grace}`)
    const missed = page.getByRole('button', { name: new RegExp(`^${future.secondTuesday.full}`) })
    await missed.press('Enter')
    const details = page.getByRole('dialog', { name: 'Appointment Details' })
    const type = await details.locator('dt:text-is("Type") + dd').textContent()
    await expectAccessible(page, 'the details of a missed appointment')
    await details.getByRole('button', { name: 'Book again' }).press('Enter')
    const form = page.getByRole('dialog', { name: 'Schedule Appointment' })
    await form.waitFor()
    expect(await form.getByRole('combobox', { name: 'Patient' }).inputValue()).toBe('Grace Hopper')
    expect(await form.locator('select[name=type] option:checked').textContent()).toBe(type)
    // The next free time from today on.
    await expect.poll(() => form.locator('select[name=time]').inputValue()).toMatch(/^\d\d:\d\d$/)
    await page.keyboard.press('Escape')
    await closed(page)
    expect(screen.complaints).toEqual([])
  })

  it('marks the dead where patients are chosen, and asks before booking for them', async () => {
    const { page } = screen
    await page.goto(`/appointments?date=${future.tuesday.iso}`)
    await page.getByRole('button', { name: '9:00 AM, free' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Lovelace')
    await page.getByRole('option', { name: /Ada Lovelace.*Deceased/ }).waitFor()
    await page.keyboard.press('Enter')
    const form = page.getByRole('dialog')
    await expect
      .poll(() => form.getByRole('combobox', { name: 'Patient' }).inputValue())
      .toBe('Ada Lovelace, Dec 10, 1950, deceased')
    await form.locator('select[name=type]').selectOption('check-up')
    await form.getByLabel('Date*').fill('2025-03-02')
    await page.keyboard.press('Enter')
    await form.getByText('Ada Lovelace is recorded as deceased.').waitFor()
    await form.getByText('Sun, Mar 2, 2025, 9:00 AM is in the past.').waitFor()
    await form.getByText('Sun, Mar 2, 2025 is not a working day.').waitFor()
    await expectAccessible(page, 'the question before booking')
    await form.getByRole('button', { name: 'Book anyway' }).click()
    await form.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Sunday, March 2, 2025' }).waitFor()
    expect(screen.complaints).toEqual([])
  })

  it('marks the coming appointments of the dead, and cancels them all from the details', async () => {
    const { page } = screen
    const paul = await add({ firstName: 'Paul', lastName: 'Late' })
    for (const day of [future.tuesday, future.secondTuesday])
      expect((await book(`${day.iso}T11:00`, { patientId: paul })).status).toBe(201)
    await page.goto(`/patients/${paul}`)
    await coming(page).getByText(future.tuesday.full).waitFor()
    await page.getByRole('button', { name: 'Edit Patient' }).click()
    const form = page.getByRole('dialog', { name: 'Edit Paul Late' })
    await form.getByLabel('Date of death').fill('2026-01-05')
    await form.getByRole('button', { name: 'Save Changes' }).click()
    await form.waitFor({ state: 'detached' })
    const notice = page.getByRole('note').filter({ hasText: '2 appointments still booked' })
    await notice.getByText('Paul Late is recorded as deceased.').waitFor()
    await expectAccessible(page, 'the notice about a patient who has died')

    await page.goto(`/appointments?date=${future.tuesday.iso}`)
    const block = page.getByRole('button', { name: /^Paul Late, 11:00 AM, .*deceased/ })
    await block.click()
    const details = page.getByRole('dialog', { name: 'Appointment Details' })
    await details.locator('dt:text-is("Patient") + dd').getByText('Deceased').waitFor()
    await expectAccessible(page, 'the appointment of a patient who has died')
    await details.getByRole('link', { name: 'Paul Late' }).click()

    await notice.getByRole('button', { name: 'Cancel them all' }).press('Enter')
    const question = page.getByRole('alertdialog', { name: 'Cancel the 2 coming appointments of Paul Late?' })
    await expectAccessible(page, 'the question before cancelling all')
    await question.getByRole('button', { name: 'Cancel 2 appointments' }).click()
    await question.waitFor({ state: 'detached' })
    await notice.waitFor({ state: 'detached' })
    await coming(page).getByText('Nothing booked').waitFor()
    await past(page).getByText(future.secondTuesday.full).waitFor()
    expect(screen.complaints).toEqual([])
  })
})
