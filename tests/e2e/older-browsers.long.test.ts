import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { launchBrowser, openWindow } from './browser.ts'

/** Takes away what a phone or a tablet of 2017 lacks, whose last Safari is version 16.4 of 2023. */
const removeLaterFunctions = `
  for (const [owner, names] of [
    [AbortSignal, ['any']],
    [Map, ['groupBy']],
    [Object, ['groupBy']],
    [Promise, ['withResolvers', 'try']],
    [URL, ['canParse', 'parse']],
    [RegExp, ['escape']],
    [Math, ['sumPrecise', 'f16round']],
    [Error, ['isError']],
    [Uint8Array, ['fromBase64', 'fromHex']],
    [Uint8Array.prototype, ['toBase64', 'toHex']],
    [Set.prototype, ['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom']],
    [Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())), ['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some', 'every', 'find']],
    [Element.prototype, ['checkVisibility', 'setHTMLUnsafe', 'getHTML', 'togglePopover', 'showPopover', 'hidePopover']],
    [Document.prototype, ['startViewTransition']],
    [Intl, ['DurationFormat']],
    [window, ['requestIdleCallback', 'cancelIdleCallback', 'scheduler', 'navigation', 'CloseWatcher', 'Iterator', 'Temporal']],
  ]) for (const name of names) delete owner[name]
`

describe('a browser of 2023', () => {
  let app: TestApp
  let browser: Browser

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('shows the screens, and adds a patient and an appointment', async () => {
    const owner = await newOwner(app, { selectedPlan: 'starter' })
    const { page, context, complaints } = await openWindow(browser, { url: app.url })
    await context.addInitScript(removeLaterFunctions)
    await page.goto('/auth?redirect=%2Fpatients')
    await page.getByRole('textbox', { name: 'Email' }).fill(owner.registration.email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign In', exact: true }).click()
    await page.getByRole('button', { name: 'Add Patient' }).click()
    await page.getByLabel('First name').first().fill('Grace')
    await page.getByLabel('Last name').first().fill('Hopper')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Grace Hopper').first().waitFor()

    await page.getByRole('link', { name: 'Appointments' }).first().click()
    await page.getByRole('button', { name: 'Schedule Appointment' }).first().click()
    await page.getByRole('combobox', { name: /Patient/ }).fill('hopper')
    await page.getByRole('option', { name: /Grace Hopper/ }).click()
    await page.getByLabel('Type').selectOption('check-up')
    await page.getByRole('button', { name: 'Schedule appointment' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page
      .getByRole('button', { name: /^Grace Hopper/ })
      .first()
      .waitFor()
    for (const [path, title] of [
      ['/', 'Dashboard Overview'],
      ['/forms', 'Forms & Intake'],
      ['/analytics', 'Practice Analytics'],
      ['/practice', 'Practice Settings'],
      ['/team', 'Team'],
    ] as const) {
      await page.goto(path)
      await page.getByRole('heading', { level: 1, name: title }).waitFor()
    }
    expect(complaints).toEqual([])
    await context.close()
  })
})
