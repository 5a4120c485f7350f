import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultWeek } from '#contracts/values/working-hours.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, takePicture } from './browser.ts'
import { looks } from './looks.ts'

/** A week of 2031: the practice is closed on Monday, has a holiday on Wednesday, and Ada is off on Thursday. */
const monday = '2031-03-03'
const tuesday = '2031-03-04'
const wednesday = '2031-03-05'
const thursday = '2031-03-06'
const friday = '2031-03-07'
const saturday = '2031-03-08'

describe('the calendar with working hours', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>
  let adaId: string

  async function signedIn(look: { width?: number; height?: number; dark?: boolean } = {}) {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    return screen
  }
  const openDay = async (page: Page, day: string, more = '') => {
    await page.goto(`/appointments?date=${day}${more}`)
    await page.locator('[data-day], [role=status]').first().waitFor()
  }
  const listFree = (page: Page) =>
    page
      .getByRole('button', { name: / is free/ })
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')))

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'starter' })
    const { client } = owner
    adaId = (await client.get('/api/providers')).body[0].id
    const graceId = (await client.post('/api/providers', { name: 'Grace Liu' })).body.id
    const patientId = (await client.post('/api/patients', { firstName: 'Ida', lastName: 'Bell' })).body.id
    const hours = { opens: '07:30', closes: '12:00', breaks: [{ from: '09:00', until: '09:30' }] }
    const long = { opens: '08:00', closes: '18:00', breaks: [{ from: '11:30', until: '12:30' }] }
    const week = { ...defaultWeek, monday: null, tuesday: long, thursday: hours, friday: hours }
    for (const [method, path, body] of [
      ['PATCH', '/api/working-hours', { hours: week }],
      ['POST', '/api/closures', { name: 'Spring day', from: wednesday, until: wednesday }],
      ['POST', '/api/closures', { providerId: adaId, name: 'Conference', from: thursday, until: thursday }],
    ] as const)
      expect((await client.request(method, path, body)).status).toBeLessThan(300)
    for (const [day, time, providerId] of [
      [monday, '10:00', adaId],
      [tuesday, '10:00', adaId],
      [tuesday, '18:30', graceId],
      [wednesday, '10:00', adaId],
      [thursday, '10:00', graceId],
      [friday, '08:00', adaId],
    ] as const) {
      const body = { patientId, providerId, type: 'check-up', appointmentDate: `${day}T${time}` }
      expect((await client.post('/api/appointments', body)).status).toBe(201)
    }
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it.each(looks)('names closed days, and is accessible: $name', async ({ name, ...look }) => {
    const { page, complaints } = await signedIn(look)
    for (const [day, note] of [
      [monday, 'Closed'],
      [wednesday, 'Closed: Spring day'],
      [thursday, 'Ada Okafor is off: Conference'],
    ] as const) {
      await openDay(page, day, '&provider=all')
      await page.getByRole('region').getByText(note, { exact: true }).first().waitFor()
      await page.locator('[data-day]').waitFor()
      await expectAccessible(page, `${note}, ${name}`)
      await expectNoSidewaysScroll(page)
      await takePicture(page, `calendar-${note}-${name}`)
    }
    await openDay(page, tuesday, '&provider=all')
    await page.getByText('Break, 11:30 AM to 12:30 PM').waitFor()
    await expectAccessible(page, `a working day, ${name}`)
    await takePicture(page, `calendar-working-day-${name}`)
    await page.goto(`/appointments?date=${tuesday}&view=week&provider=all`)
    await page.getByRole('region', { name: 'Wednesday, March 5, 2031' }).getByText('Closed: Spring day').waitFor()
    await page.getByRole('region', { name: 'Thursday, March 6, 2031' }).getByText('Ada Okafor is off').waitFor()
    await expectAccessible(page, `the week, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `calendar-week-${name}`)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  it('offers the slots within the hours, to the providers who work', async () => {
    const { page } = await signedIn()
    await openDay(page, friday, `&provider=${adaId}`)
    await expect
      .poll(() => listFree(page))
      .toEqual(
        ['7:30 AM', '8:30 AM', '9:30 AM', '10:00 AM', '10:30 AM', '11:00 AM', '11:30 AM'].map(
          (time) => `${time} is free`,
        ),
      )
    const panel = page.getByRole('region', { name: 'Time Slots' })
    await panel.getByText('7 free').waitFor()
    await openDay(page, thursday, '&provider=all')
    await expect.poll(() => listFree(page)).toContain('7:30 AM is free, Grace Liu')
    expect((await listFree(page)).filter((label) => label?.includes('Ada'))).toEqual([])
    await openDay(page, wednesday, '&provider=all')
    await panel.getByText('Closed: Spring day').waitFor()
    expect(await listFree(page)).toEqual([])
    // A day without appointments says why it is empty.
    await openDay(page, saturday, '&provider=all')
    await page.getByText('No appointments scheduled for this date').waitFor()
    await page.getByText('Closed.').waitFor()
    await page.getByRole('button', { name: 'March 5, Closed: Spring day, 100 percent booked' }).waitFor()
    await page.context().close()
  })

  it('asks before booking on a holiday, and books all the same', async () => {
    const { page } = await signedIn()
    await openDay(page, wednesday, '&provider=all')
    await page.getByRole('button', { name: 'Schedule Appointment' }).first().click()
    const form = page.getByRole('dialog', { name: 'Schedule Appointment' })
    // The next free slot is on another day.
    await expect.poll(() => form.locator('select[name=time]').inputValue()).not.toBe('')
    await form.locator('input[name=date]').fill(wednesday)
    await form.getByText('Closed: Spring day').waitFor()
    await form.getByPlaceholder('Name, phone or date of birth').fill('Bell')
    await page.getByRole('option', { name: /Ida Bell/ }).click()
    await form.locator('select[name=type]').selectOption('follow-up')
    await form.locator('select[name=time]').selectOption('14:30')
    await form.getByRole('button', { name: 'Schedule appointment' }).click()
    await form.getByText('Wed, Mar 5, 2031 is a holiday (Spring day).').waitFor()
    await expectAccessible(page, 'the question about a holiday')
    await takePicture(page, 'calendar-question')
    await form.getByRole('button', { name: 'Book anyway' }).click()
    await form.waitFor({ state: 'detached' })
    await page
      .getByRole('button', { name: /2:30 PM/ })
      .first()
      .waitFor()
    await page.context().close()
  })

  it('follows changes that another user makes in the settings', async () => {
    const { page } = await signedIn()
    await openDay(page, tuesday, `&provider=${adaId}`)
    await page.getByRole('button', { name: '8:00 AM is free' }).waitFor()
    const holiday = { name: 'Founding day', from: tuesday, until: tuesday }
    const { id } = (await owner.client.post('/api/closures', holiday)).body
    await page.getByText('Closed: Founding day').first().waitFor()
    await expect.poll(() => listFree(page)).toEqual([])
    expect((await owner.client.delete(`/api/closures/${id}`)).status).toBe(204)
    await page.getByRole('button', { name: '8:00 AM is free' }).waitFor()
    await page.context().close()
  })
})
