import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DataExportId, PracticeId, UserId } from '#contracts/values/ids.ts'
import { type DataExportCommand, dataExportsDecider } from '#modules/data-exports/decider.ts'
import { readArchive } from '#tests/modules/data-exports/export-archive.ts'
import { newMember } from '#tests/support/members.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  loadAgain,
  openWindow,
  takePicture,
} from './browser.ts'
import { looks } from './looks.ts'

let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser?.close())

type Look = { width?: number; height?: number; dark?: boolean }

async function signIn(app: TestApp, email: unknown, look: Look = {}) {
  const screen = await openWindow(browser, { ...look, url: app.url })
  await screen.page.request.post('/api/login', { data: { email, password } })
  await screen.page.goto('/practice')
  return screen
}
const panelOf = (page: Page) => page.getByRole('region', { name: 'Data export', exact: true })
const requestButton = (page: Page) => panelOf(page).getByRole('button', { name: 'Request data export' })
/** Waits until the panel shows a text. */
const waitForText = (page: Page, text: string | RegExp) => panelOf(page).getByText(text).first().waitFor()

describe('an export', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp()
  })
  afterAll(() => app?.dispose())

  it('is requested with the keyboard, downloaded by a colleague, and both see it at once', async () => {
    const owner = await newOwner(app)
    await owner.client.post('/api/patients', { firstName: 'Zoë', lastName: '=Li, "Jr."' })
    const colleague = await newMember(app, owner.practice.id, 'administrator')
    const mine = await signIn(app, owner.registration.email)
    const theirs = await signIn(app, colleague.registration.email, { width: 390, height: 844, dark: true })
    await waitForText(theirs.page, 'No exports yet.')
    await waitForText(mine.page, 'No exports yet.')
    await requestButton(mine.page).focus()
    await mine.page.keyboard.press('Enter')
    await waitForText(mine.page, 'Ready')
    await waitForText(theirs.page, /, 4 records\. Available until/)
    const download = theirs.page.waitForEvent('download')
    await panelOf(theirs.page)
      .getByRole('link', { name: /^Download the export of Today, .+, by Ada Okafor$/ })
      .click()
    const file = await download
    expect(file.suggestedFilename()).toMatch(/^everchart-export-.*\.zip$/)
    const { tables, resources } = readArchive(new Uint8Array(await readFile(await file.path())))
    expect(tables['patients']?.[0]).toMatchObject({ first_name: 'Zoë', last_name: `'=Li, "Jr."` })
    expect(resources['Patient']?.[0]).toMatchObject({ name: [{ family: '=Li, "Jr."' }] })
    await waitForText(mine.page, /^Last downloaded Today, /)
    for (const { complaints, context } of [mine, theirs]) {
      expect(complaints).toEqual([])
      await context.close()
    }
  })

  it('that could not be requested is reported, and the list loads again', async () => {
    const owner = await newOwner(app)
    const { page, context } = await signIn(app, owner.registration.email)
    await requestButton(page).waitFor()
    await page.route('**/api/data-exports', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    )
    await requestButton(page).click()
    await panelOf(page).getByRole('alert').getByText('The export could not be requested').waitFor()
    await expectAccessible(page, 'not requested')
    await page.unrouteAll()
    await page.route('**/api/data-exports', (route) => route.abort())
    await page.reload()
    await waitForText(page, 'Data exports could not be loaded')
    await expectAccessible(page, 'not loaded')
    await page.unrouteAll()
    await loadAgain(page, /could not be loaded/)
    await requestButton(page).waitFor()
    await context.close()
  })

  it('is not for other roles', async () => {
    const owner = await newOwner(app)
    const nurse = await newMember(app, owner.practice.id, 'nurse')
    const { page, context } = await signIn(app, nurse.registration.email)
    await waitForText(page, 'Data exports are for the owner and administrators')
    expect(await requestButton(page).count()).toBe(0)
    await context.close()
  })
})

describe('the states', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await startTestApp({ disabledProcessManagers: ['follow-data-exports'] })
  })
  afterAll(() => app?.dispose())

  /** A practice whose exports change only as the test says. */
  async function newExports() {
    const owner = await newOwner(app)
    const practiceId = PracticeId.parse(owner.practice.id)
    const userId = UserId.parse(owner.user.id)
    const execute = async (exportId: DataExportId, ...commands: Parts[]) => {
      for (const command of commands)
        await app.services.bus.execute(
          dataExportsDecider,
          practiceId,
          { ...command, exportId, practiceId } as DataExportCommand,
          {
            practiceId,
            actor: { kind: 'user', userId, role: 'administrator' },
            correlationId: crypto.randomUUID(),
          },
        )
    }
    return { owner, userId, execute, newId: () => DataExportId.parse(crypto.randomUUID()) }
  }
  type Parts = { type: DataExportCommand['type'] } & Record<string, unknown>
  const counts = { patients: 1_204, appointments: 18_412, waitlistEntries: 9, providers: 4, members: 11 }
  const complete = (expiresAt: string) => ({
    type: 'Complete' as const,
    fileId: crypto.randomUUID(),
    bytes: 4_812_345,
    counts,
    expiresAt,
  })
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString()

  it('that is ready is replaced only after a question, and a refusal ends with its reason', async () => {
    const { owner, userId, execute, newId } = await newExports()
    const { page, context } = await signIn(app, owner.registration.email)
    const [first, other] = [newId(), newId()]
    await execute(first, { type: 'Request', requestedBy: userId }, { type: 'Start' }, complete(hours(24)))
    const list = panelOf(page).getByRole('listitem')
    await list.first().getByText('Ready', { exact: true }).waitFor()
    const question = page.getByRole('alertdialog', { name: 'Replace the export that is ready?' })
    await requestButton(page).focus()
    await page.keyboard.press('Enter')
    await question.waitFor()
    await expectAccessible(page, 'the question')
    await takePicture(page, 'data-export question')
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    // A colleague's request arrives just before this one.
    await page.route('**/api/data-exports', async (route) => {
      if (route.request().method() === 'POST')
        await execute(other, { type: 'Request', requestedBy: userId }, { type: 'Start' })
      await route.continue()
    })
    await requestButton(page).click()
    await question.getByRole('button', { name: 'Request data export' }).click()
    const refusal = panelOf(page).getByRole('alert').getByText('An export is being written already.')
    await refusal.waitFor()
    await page.unrouteAll()
    await execute(other, complete(hours(24)))
    await refusal.waitFor({ state: 'detached' })
    await list.first().getByText('Ready', { exact: true }).waitFor()
    await requestButton(page).click()
    await question.getByRole('button', { name: 'Request data export' }).click()
    await list.first().getByText('Requested', { exact: true }).waitFor()
    await context.close()
  })

  it('of an ended session and of too many downloads are said in words', async () => {
    const { owner, userId, execute, newId } = await newExports()
    const { page, context } = await signIn(app, owner.registration.email)
    await execute(newId(), { type: 'Request', requestedBy: userId }, { type: 'Start' }, complete(hours(24)))
    const download = panelOf(page).getByRole('link', { name: /^Download the export of / })
    await download.waitFor()
    const alert = panelOf(page).getByRole('alert')
    // The file of this test was never written.
    await download.click()
    await alert.getByText('It can no longer be downloaded. Please request a new export.').waitFor()
    await page.route('**/api/data-exports/*/file', (route) =>
      route.fulfill({ status: 429, headers: { 'Retry-After': '120' } }),
    )
    await download.click()
    await alert.getByText('Too many downloads. Please try again in 2 minutes.').waitFor()
    await page.unrouteAll()
    await page.request.post('/api/logout')
    await download.click()
    await alert.getByText('You were signed out. Sign in, then download the file again.').waitFor()
    await alert.getByRole('link', { name: 'Sign in from a new tab' }).waitFor()
    await expectAccessible(page, 'not downloaded')
    await context.close()
  })

  it.each(looks)('are shown, follow each other live, and fit: $name', async ({ name, ...look }) => {
    const { owner, userId, execute, newId } = await newExports()
    const [past, replaced, current] = [newId(), newId(), newId()]
    await execute(past, { type: 'Request', requestedBy: userId }, { type: 'Start' }, complete(hours(-1)))
    const { page, context, complaints } = await signIn(app, owner.registration.email, look)
    const list = panelOf(page).getByRole('listitem')
    await waitForText(page, /4\.8 MB, 19,640 records\. Expired/)
    await execute(replaced, { type: 'Request', requestedBy: userId })
    await list.first().getByText('Requested', { exact: true }).waitFor()
    // Waits for the one that is written.
    expect(await requestButton(page).getAttribute('aria-disabled')).toBe('true')
    await expectAccessible(page, `requested, ${name}`)
    await takePicture(page, `data-export requested ${name}`)
    await execute(replaced, { type: 'Start' })
    await list.first().getByText('Being written').waitFor()
    await execute(replaced, complete(hours(24)))
    await list.first().getByText('Ready', { exact: true }).waitFor()
    await expectAccessible(page, `ready, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `data-export ready ${name}`)
    await execute(current, { type: 'Request', requestedBy: userId }, { type: 'Start' })
    await execute(current, { type: 'Fail', reason: 'no-more-tries' })
    await list.first().getByText('Failed', { exact: true }).waitFor()
    await expectAccessible(page, `failed, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `data-export failed ${name}`)
    await list
      .first()
      .getByRole('button', { name: /^Retry the export of / })
      .click()
    await list.first().getByText('Requested', { exact: true }).waitFor()
    await execute(current, { type: 'Start' }, complete(hours(24)))
    await waitForText(page, /Replaced by a newer export/)
    await panelOf(page).getByText('Replaced', { exact: true }).first().waitFor()
    await list.first().getByText('Ready', { exact: true }).waitFor()
    await takePicture(page, `data-export all ${name}`)
    const large = newId()
    await execute(large, { type: 'Request', requestedBy: userId }, { type: 'Start' })
    await execute(large, { type: 'Fail', reason: 'too-large' })
    await waitForText(page, /larger than 4 GB/)
    expect(
      await panelOf(page)
        .getByRole('button', { name: /^Retry/ })
        .count(),
    ).toBe(0)
    await expectAccessible(page, `too large, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `data-export too large ${name}`)
    expect(complaints).toEqual([])
    await context.close()
  })
})
