import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BookingConcern } from '#contracts/values/appointments.ts'
import { addDays } from '#contracts/values/calendar.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { future } from '#tests/support/future-days.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { getWeekDays } from '#web/features/appointments/calendar-dates.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow } from './browser.ts'
import { looks } from './looks.ts'

const day = future.tuesday.iso

describe('the appointments in every look', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'starter' })
    const patientIds: string[] = []
    for (const [firstName, lastName] of [
      ['Grace', 'Hopper'],
      ['Alan', 'Turing'],
      ['x'.repeat(60), 'أبو الحسن'.repeat(6)],
    ])
      patientIds.push((await owner.client.post('/api/patients', { firstName, lastName })).body.id)
    const appointments = [
      { time: '09:00', type: 'check-up', status: 'completed', reason: 'Annual physical' },
      { time: '09:30', type: 'follow-up', status: 'in-progress' },
      { time: '10:00', type: 'consultation', status: 'waiting' },
      { time: '10:00', type: 'emergency', status: 'waiting', reason: 'Chest pain since this morning' },
      { time: '12:30', type: 'procedure', status: 'confirmed', duration: 90 },
      { time: '18:00', type: 'check-up', status: 'scheduled', duration: 15 },
    ]
    for (const [index, { time, ...appointment }] of appointments.entries()) {
      const body = {
        patientId: patientIds[index % 3],
        appointmentDate: `${day}T${time}`,
        allowOverlap: true,
        ...appointment,
      }
      expect((await owner.client.post('/api/appointments', body)).status).toBe(201)
    }
    const { body } = await owner.client.get(
      `/api/appointments?startDate=${day}T00:00:00Z&endDate=${future.wednesday.iso}T12:00:00Z`,
    )
    await owner.client.patch(`/api/appointments/${body.at(-1).id}`, { status: 'cancelled' })
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it.each(looks)('$name', async (look) => {
    const { context, page, complaints } = await openWindow(browser, { ...look, url: app.url })
    await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    for (const view of ['day', 'list', 'week']) {
      await page.goto(`/appointments?date=${day}&view=${view}`)
      await page.getByText('Grace Hopper').first().waitFor()
      await expectAccessible(page, `${view}, ${look.name}`)
      await expectNoSidewaysScroll(page)
    }
    await page.getByRole('button', { name: 'Schedule Appointment' }).click()
    await page.getByRole('dialog').waitFor()
    await page.getByPlaceholder('Name, phone or date of birth').fill('Ho')
    await page.getByRole('option', { name: /Grace Hopper/ }).waitFor()
    await expectAccessible(page, `the form, ${look.name}`)
    await expectNoSidewaysScroll(page)
    expect(complaints).toEqual([])
    await context.close()
  })

  it.each(looks)('marks the current time and the hours at their lines: $name', async (look) => {
    const { context, page } = await openWindow(browser, { ...look, url: app.url })
    await page.clock.setFixedTime(`${day}T15:20:00Z`)
    await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    await page.goto(`/appointments?date=${day}&view=day`)
    await page.locator('[data-now=line]').waitFor()
    /** Returns the distance of the middle of an element from the middle of its line, in px. */
    const measureOffset = (element: string, line: string) =>
      page.evaluate<number>(`(() => {
        const getMiddle = (selector) => {
          const { top, height } = document.querySelector(selector).getBoundingClientRect()
          return top + height / 2
        }
        return Math.abs(getMiddle('${element}') - getMiddle('${line}'))
      })()`)
    expect(await measureOffset('[data-now=time]', '[data-now=line]')).toBeLessThanOrEqual(1)
    expect(await measureOffset('[data-now=ring]', '[data-now=line]')).toBeLessThanOrEqual(1)
    expect(await measureOffset('[data-hour="540"]', '[data-line="540"]')).toBeLessThanOrEqual(1)
    await context.close()
  })

  it('tells the chosen day, booked slots and the current screen apart in the colors of the user', async () => {
    const { context, page } = await openWindow(browser, { url: app.url })
    await page.emulateMedia({ forcedColors: 'active' })
    await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    await page.goto(`/appointments?date=${day}`)
    const findColor = async (selector: string) => {
      await page.locator(selector).first().waitFor()
      return await page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`)
    }
    for (const [marked, unmarked] of [
      ['[aria-label$=", booked"]', '[aria-label$=", free"]'],
      ['[aria-pressed=true]', '[aria-pressed=false]'],
      ['nav [aria-current=page]', 'nav a:not([aria-current])'],
    ] as const)
      expect(await findColor(marked)).not.toBe(await findColor(unmarked))
    await context.close()
  })

  it('says on a phone how full each day of a week is that lies in two months', async () => {
    const { client, registration, patientId } = await newSchedulingPractice(app, { selectedPlan: 'starter' })
    // The day before the month ends and the one after, in one week.
    let last = future.monday.iso
    while (last.slice(0, 7) === addDays(last, 1).slice(0, 7) || getWeekDays(last).at(-1) === last)
      last = addDays(last, 1)
    const booking = { patientId, type: 'check-up', confirmed: BookingConcern.options }
    for (const time of [`${last}T09:00`, `${addDays(last, 1)}T09:00`, `${addDays(last, 1)}T10:00`])
      expect((await client.post('/api/appointments', { ...booking, appointmentDate: time })).status).toBe(201)
    const { context, page } = await openWindow(browser, { width: 390, height: 844, url: app.url })
    await page.request.post('/api/login', { data: { email: registration.email, password } })
    for (const date of [last, addDays(last, 1)]) {
      await page.goto(`/appointments?date=${date}`)
      const week = page.getByRole('group', { name: 'Week' })
      await expect.poll(() => week.getByRole('button', { name: / 8 percent booked$/ }).count()).toBe(1)
      await expect.poll(() => week.getByRole('button', { name: / 15 percent booked$/ }).count()).toBe(1)
      expect(await week.getByRole('button', { name: / 0 percent booked$/ }).count()).toBe(5)
    }
    await context.close()
  })

  it('keeps the hours on screen when the columns of several providers are scrolled sideways on a phone', async () => {
    for (const name of ['Dr. Park', 'Dr. Lind'])
      expect((await owner.client.post('/api/providers', { name })).status).toBe(201)
    const { context, page } = await openWindow(browser, { width: 390, height: 844, url: app.url })
    await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    await page.goto(`/appointments?date=${day}&provider=all`)
    const columns = page.getByRole('group', { name: 'Day by provider' })
    await columns.getByText('Dr. Park').waitFor()
    const hour = columns.getByText('10:00 AM', { exact: true })
    const before = await hour.boundingBox()
    const scrolled = await page.evaluate<number>(`(() => {
      const columns = document.querySelector('[aria-label="Day by provider"]')
      columns.scrollLeft = 300
      return columns.scrollLeft
    })()`)
    expect(scrolled).toBe(300)
    expect((await hour.boundingBox())?.x).toBeCloseTo(before?.x ?? Number.NaN, 0)
    await context.close()
  })
})
