import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chatApology } from '#contracts/assistant.ts'
import { addDays, toLocalDate } from '#contracts/values/calendar.ts'
import { newSchedulingPractice } from '#tests/modules/appointments/scheduling-practice.ts'
import { newUser, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, takePicture } from './browser.ts'
import { itLong } from '#tests/support/long.ts'

describe('the assistant', () => {
  let app: TestApp
  let browser: Browser
  let practice: Awaited<ReturnType<typeof newSchedulingPractice>>

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    practice = await newSchedulingPractice(app, { selectedPlan: 'professional' })
    // Tomorrow and the day after: the day may change while the test runs.
    const today = toLocalDate(app.services.clock(), 'America/New_York')
    for (const days of [1, 2]) await practice.book(`${addDays(today, days)}T09:00`)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  async function openAs(email: unknown, look: { width?: number; height?: number; dark?: boolean } = {}) {
    const screen = await openWindow(browser, { ...look, url: app.url })
    const reply = await screen.page.request.post('/api/login', { data: { email, password } })
    expect(reply.status()).toBe(200)
    return screen
  }
  const chat = (page: Page) => page.getByRole('dialog', { name: 'AI Assistant' })
  const question = (page: Page) => chat(page).getByLabel('Your question')
  const send = (page: Page) => chat(page).getByRole('button', { name: 'Send' })
  const messages = (page: Page) => chat(page).getByRole('list', { name: 'Messages' })
  const isFocused = (page: Page) => question(page).evaluate((element) => element.matches(':focus'))

  itLong('opens by keyboard, answers with sources, and keeps its history until that is deleted', async () => {
    const { page, context, complaints } = await openAs(practice.registration.email)
    await page.goto('/patients')
    await page.getByText('1 patient', { exact: true }).waitFor()
    await page.keyboard.press('Control+j')
    await chat(page).getByText('Online', { exact: true }).waitFor()
    await chat(page)
      .getByText(/patient questions, schedule optimization, form analysis and more/)
      .waitFor()
    await chat(page).getByText("Powered by rules on your practice's data").waitFor()
    await expect.poll(() => isFocused(page)).toBe(true)
    expect(await send(page).isDisabled()).toBe(true)
    await question(page).fill('   ')
    expect(await send(page).isDisabled()).toBe(true)
    await expectAccessible(page, 'the greeting')
    await chat(page).getByRole('button', { name: 'Show me tomorrow' }).click()
    await messages(page)
      .getByText(/9:00 AM Grace Liu, Consultation/)
      .waitFor()
    await expectAccessible(page, 'an answer')
    await takePicture(page, 'chat')
    // A source opens its screen, beside which the dialog stays.
    await messages(page)
      .getByRole('link', { name: /^Appointments, / })
      .click()
    await page.waitForURL(/\/appointments\?date=/)
    await question(page).fill('find grace')
    await question(page).press('Enter')
    await messages(page).getByRole('link', { name: 'Open the record' }).waitFor()
    expect(await question(page).inputValue()).toBe('')
    await page.keyboard.press('Escape')
    await chat(page).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: 'AI Assistant' }).click()
    await messages(page).getByText('find grace', { exact: true }).waitFor()
    await chat(page).getByRole('button', { name: 'Delete history' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete history' }).click()
    await chat(page).getByRole('button', { name: "Who's next?" }).waitFor()
    expect(await messages(page).getByText('find grace').count()).toBe(0)
    await question(page).focus()
    await page.keyboard.press('Control+j')
    await chat(page).waitFor({ state: 'detached' })
    await expect
      .poll(() => page.evaluate<string | null>('document.activeElement && document.activeElement.textContent'))
      .toBe('AI Assistant')
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('apologizes when there is no answer', async () => {
    const { page, context, complaints } = await openAs(practice.registration.email)
    await page.goto('/patients')
    await page.getByText('1 patient', { exact: true }).waitFor()
    await context.route('**/api/ai/chat', (route) => route.abort())
    await page.keyboard.press('Control+j')
    await question(page).fill("who's next")
    await send(page).click()
    await messages(page).getByText(chatApology, { exact: true }).waitFor()
    await context.unroute('**/api/ai/chat')
    await question(page).fill("who's next")
    await send(page).click()
    await messages(page)
      .getByText(/9:00 AM Grace Liu/)
      .first()
      .waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('covers a phone, and gives way to the dialog that it proposes', async () => {
    const { page, context, complaints } = await openAs(practice.registration.email, {
      width: 390,
      height: 844,
      dark: true,
    })
    await page.goto('/patients')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('button', { name: 'AI Assistant' }).click()
    await question(page).fill('which slots are free next week')
    await question(page).press('Enter')
    const action = messages(page).getByRole('link', { name: /^Schedule \d/ })
    await action.waitFor()
    expect(await chat(page).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 844 })
    await expectAccessible(page, 'on a phone')
    await expectNoSidewaysScroll(page)
    await takePicture(page, 'chat-phone')
    await action.click()
    await page.waitForURL(/\/appointments/)
    await chat(page).waitFor({ state: 'detached' })
    await page.getByRole('dialog', { name: /Schedule Appointment/i }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('needs a practice', async () => {
    const { registration } = await newUser(app)
    const { page, context, complaints } = await openAs(registration.email)
    await page.goto('/patients')
    await page.getByRole('button', { name: 'AI Assistant' }).click()
    await chat(page)
      .getByText(/Set up your practice first/)
      .waitFor()
    expect(await question(page).isDisabled()).toBe(true)
    await expectAccessible(page, 'without a practice')
    expect(complaints).toEqual([])
    await context.close()
  })
})
