import type { Browser, BrowserContext, Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newMember } from '#tests/support/members.ts'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import {
  dismissToasts,
  expectAccessible,
  expectNoSidewaysScroll,
  launchBrowser,
  loadAgain,
  openWindow,
  takePicture,
  silenceLiveUpdates,
} from './browser.ts'
import { screenLooks } from './looks.ts'
import { isLongRun, itLong } from '#tests/support/long.ts'

type Look = { width?: number; height?: number; dark?: boolean }

const reason = 'Chest pain since Monday, worse when I climb stairs'

/** Each test builds on the state of the previous one. */
describe('Forms & Intake', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>
  let staff: Awaited<ReturnType<typeof newMember>>
  let formPath: string

  async function signedIn(email: unknown, look: Look = {}) {
    const screen = await openWindow(browser, { ...look, url: app.url })
    await screen.page.request.post('/api/login', { data: { email, password } })
    return screen
  }

  /** Creates a form in the dialog, which leads to filling it in. */
  async function createForm(page: Page, type: string, title?: string) {
    await page.goto('/forms?new=true')
    const dialog = page.getByRole('dialog', { name: 'Create Form' })
    const button = dialog.getByRole('button', { name: 'Create Form' })
    await dialog.waitFor()
    expect(await button.isDisabled()).toBe(true)
    await dialog.getByLabel('Patient').fill('hopper')
    await page.getByRole('option', { name: /Grace Hopper/ }).click()
    expect(await button.isDisabled()).toBe(true)
    await dialog.getByLabel('Form type').selectOption({ label: type })
    // The title is that of the template.
    await expect.poll(() => dialog.getByLabel('Title').inputValue()).not.toBe('')
    if (title) await dialog.getByLabel('Title').fill(title)
    await button.click()
    await page.getByText('Form created').waitFor()
  }

  /** Fills in every question of the step, by the kind of its input. */
  async function answerStep(page: Page): Promise<void> {
    for (const question of await page.locator('[data-question]').all()) {
      if (await question.getByRole('radio').count()) {
        const no = question.getByRole('radio', { name: 'No', exact: true })
        await ((await no.count()) ? no : question.getByRole('radio').first()).check()
      } else if (await question.getByRole('checkbox').count()) await question.getByRole('checkbox').first().check()
      else if (await question.locator('input[type=date]').count()) await question.locator('input').fill('2026-11-02')
      else if (await question.locator('input[inputmode=decimal]').count()) await question.locator('input').fill('3')
      else if (await question.locator('select').count()) await question.locator('select').selectOption({ index: 1 })
      else {
        const text = question.locator('textarea, input')
        if ((await text.inputValue()) === '') await text.fill('Ada Okafor')
      }
    }
  }

  /** Fills in all steps and hands the form in. */
  async function answerAll(page: Page): Promise<void> {
    const submit = page.getByRole('button', { name: 'Submit' })
    for (let step = 0; step < 20; step++) {
      await answerStep(page)
      if (await submit.isVisible()) break
      await page.getByRole('button', { name: 'Next' }).click()
    }
    await submit.click()
    await page.getByText('Form submitted').waitFor()
    await page.waitForURL(/\/forms\/[0-9a-f-]{36}$/)
  }

  const analysisOf = (page: Page) => page.getByRole('region', { name: 'AI Analysis' })
  /** Waits until the list shows a status. */
  const shown = (page: Page, status: string) =>
    page.getByRole('list', { name: 'Forms' }).getByText(status, { exact: true }).waitFor()
  const saved = (page: Page) => page.getByText('Saved', { exact: true }).waitFor()
  const failSaves = (context: BrowserContext, status: number) =>
    context.route('**/api/forms/*', (route) => {
      if (route.request().method() !== 'PATCH') return route.fallback()
      if (status === 0) return route.abort()
      const code = status === 401 ? 'signed-out' : 'changed-meanwhile'
      const changes = [{ field: 'status', by: 'Sam Lee', at: '2026-11-26T10:00:00.000Z', value: 'pending' }]
      const message = 'This was changed in the meantime.'
      const problem = { type: 'about:blank', title: message, status, code, message, errors: [], changes }
      return route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) })
    })
  const allowSaves = (context: BrowserContext) => context.unroute('**/api/forms/*')

  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app, { selectedPlan: 'professional' })
    // The dashboard of the demo shows samples.
    await app.services.pool.query(
      "update read.users set subscription_status = 'active', subscription_tier = 'professional' where user_id = $1",
      [owner.user.id],
    )
    staff = await newMember(app, owner.practice.id, 'staff')
    const patient = { firstName: 'Grace', lastName: 'Hopper', dateOfBirth: '1996-12-09', email: 'grace@example.test' }
    expect((await owner.client.post('/api/patients', patient)).status).toBe(201)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  itLong.each(screenLooks)('is accessible and fits the window while empty: $name', async ({ name, ...look }) => {
    const { page, context, complaints } = await signedIn(owner.registration.email, look)
    await page.goto('/forms')
    await page.getByText('No forms yet').waitFor()
    for (const figure of ['Forms Analyzed', 'Pending Review', 'Completed'])
      await page.getByRole('region', { name: 'Figures' }).getByText(figure).waitFor()
    await expectAccessible(page, `empty, ${name}`)
    await expectNoSidewaysScroll(page)
    await page.getByRole('button', { name: 'Create Form' }).click()
    await page.getByRole('dialog', { name: 'Create Form' }).waitFor()
    await expectAccessible(page, `the dialog, ${name}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('creates a form, and saves the answers while they are typed', async () => {
    const { page, context, complaints } = await signedIn(owner.registration.email)
    await createForm(page, 'Intake')
    await page.waitForURL(/\/forms\/[0-9a-f-]{36}\/fill$/)
    formPath = new URL(page.url()).pathname.replace('/fill', '')
    await page.locator('textarea').first().fill(reason)
    await page.getByText('Saving...').waitFor()
    await saved(page)
    await page.reload()
    await expect.poll(() => page.locator('textarea').first().inputValue()).toBe(reason)
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('keeps the answers while the network or the session is gone, and saves them afterwards', async () => {
    const { page, context } = await signedIn(owner.registration.email)
    await page.goto(`${formPath}/fill`)
    const text = page.locator('textarea').first()
    await text.waitFor()
    await failSaves(context, 0)
    await text.fill(`${reason}!`)
    await page.getByText('Nothing you entered is lost').waitFor()
    await page.getByText('Not saved yet').first().waitFor()
    await allowSaves(context)
    await saved(page)
    await failSaves(context, 401)
    await text.fill(`${reason}.`)
    await page.getByText('You were signed out').waitFor()
    expect(await text.inputValue()).toBe(`${reason}.`)
    await page.getByRole('link', { name: 'Patients' }).first().click()
    await page.getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Keep editing' }).click()
    await allowSaves(context)
    await saved(page)
    await page.reload()
    await expect.poll(() => text.inputValue()).toBe(`${reason}.`)
    await context.close()
  })

  it.each(screenLooks)('is filled in step by step, accessibly: $name', async ({ name, ...look }) => {
    const { page, context, complaints } = await signedIn(owner.registration.email, look)
    await page.goto(`${formPath}/fill`)
    const next = page.getByRole('button', { name: 'Next' })
    await next.waitFor()
    for (let step = 0; step < 20; step++) {
      if (isLongRun || step % 3 === 0) await expectAccessible(page, `step ${step}, ${name}`)
      await expectNoSidewaysScroll(page)
      if (!(await next.isVisible())) break
      await next.click()
    }
    // Leads back to the first question that must be answered.
    await page.getByRole('button', { name: 'Submit' }).click()
    await page.getByText('Please answer this question').first().waitFor()
    const isInQuestion = () => page.evaluate<boolean>('document.activeElement?.closest("[data-question]") !== null')
    await expect.poll(isInQuestion).toBe(true)
    await expectAccessible(page, `refused, ${name}`)
    await takePicture(page, `forms-fill-${name}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  it('is submitted, and analyzed', async () => {
    const { page, context, complaints } = await signedIn(owner.registration.email)
    await page.goto(`${formPath}/fill`)
    await page.locator('[data-question]').first().waitFor()
    await answerAll(page)
    await page.getByRole('region', { name: 'Answers' }).getByText(reason).waitFor()
    await analysisOf(page).getByText('Rules, no AI model connected').waitFor()
    await page.getByText('1 of 1 pending').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong.each(screenLooks)('is reviewed accessibly: $name', async ({ name, ...look }) => {
    const { page, context, complaints } = await signedIn(owner.registration.email, look)
    await page.goto(formPath)
    await analysisOf(page).getByText('Rules, no AI model connected').waitFor()
    await expectAccessible(page, `review, ${name}`)
    await expectNoSidewaysScroll(page)
    // A number leads from a finding to its words and back.
    const finding = analysisOf(page).getByRole('button', { name: 'Finding 1, show its evidence' })
    if (await finding.count()) {
      await finding.click()
      const evidence = page.locator('[data-evidence="answers-1"]').first()
      await expect.poll(() => evidence.evaluate((element) => element.matches(':focus'))).toBe(true)
      await expectAccessible(page, `evidence, ${name}`)
    }
    await takePicture(page, `forms-review-${name}`)
    await page.goto('/forms')
    await page.getByText('Complete', { exact: true }).first().waitFor()
    await page.getByText('1 form', { exact: true }).waitFor()
    await expectAccessible(page, `list, ${name}`)
    await expectNoSidewaysScroll(page)
    await takePicture(page, `forms-${name}`)
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('reports that an answer changed after the analysis, and analyzes again', async () => {
    const { page, context, complaints } = await signedIn(owner.registration.email)
    await page.goto(formPath)
    await analysisOf(page).getByText('Rules, no AI model connected').waitFor()
    const change = { formData: { reason: 'Tired, and my knee hurts' } }
    expect((await owner.client.patch(`/api${formPath}`, change)).status).toBe(200)
    await page.getByRole('region', { name: 'Answers' }).getByText('Tired, and my knee hurts').waitFor()
    await analysisOf(page).getByText('An answer changed after this analysis').waitFor()
    await analysisOf(page).getByText('One finding rests on the old words, the others stand.').waitFor()
    await analysisOf(page).getByText('Stale', { exact: true }).waitFor()
    await expectAccessible(page, 'stale')
    await takePicture(page, 'forms-review-stale')
    await analysisOf(page).getByRole('button', { name: 'Analyze again' }).click()
    await page.getByText('Analysis complete').waitFor()
    await analysisOf(page).getByText('An answer changed after this analysis').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('prints answers and analysis without the frame', async () => {
    const { page, context } = await signedIn(owner.registration.email, { dark: true })
    await page.goto(formPath)
    await analysisOf(page).waitFor()
    await page.emulateMedia({ media: 'print' })
    await page.getByText(/^Grace Hopper, Intake, Pending/).waitFor()
    expect(await page.getByRole('region', { name: 'Answers' }).isVisible()).toBe(true)
    expect(await page.getByRole('button', { name: 'Print the form' }).isVisible()).toBe(false)
    expect(await page.getByRole('complementary').isVisible()).toBe(false)
    await context.close()
  })

  itLong('shows the answers to clinical staff only', async () => {
    const { page, context, complaints } = await signedIn(staff.registration.email)
    await page.goto(formPath)
    await page.getByText('Answers are shown to clinical staff').waitFor()
    expect(await page.getByText(reason).count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Mark as reviewed' }).count()).toBe(0)
    await page.goto(`${formPath}/fill`)
    await page.getByText('Your role does not include these answers').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  it('is reviewed and completed, and a colleague sees it at once', async () => {
    const desk = await signedIn(owner.registration.email)
    const other = await signedIn(owner.registration.email, { width: 390, height: 844, dark: true })
    await desk.page.goto(formPath)
    await other.page.goto('/forms')
    await shown(other.page, 'Pending')
    // A line that differs from the chart is taken over.
    const chart = desk.page.getByRole('region', { name: 'Differs from the chart' })
    const comparison = /\/api\/forms\/[^/]+\/chart/
    await desk.context.route(comparison, (route) => route.abort())
    await desk.page.reload()
    await chart.getByText('The form could not be compared with the chart').waitFor()
    await desk.context.unroute(comparison)
    await loadAgain(desk.page, /could not be compared/)
    await chart.getByText('3 lines').waitFor()
    await expectAccessible(desk.page, 'the chart')
    await takePicture(desk.page, 'forms-chart')
    await chart.getByRole('button', { name: 'Accept Allergy: No known allergies' }).click()
    await chart.getByText('2 lines').waitFor()
    await dismissToasts(desk.page)
    await failSaves(desk.context, 409)
    await desk.page.getByRole('button', { name: 'Mark as reviewed' }).click()
    await desk.page.getByText('Sam Lee changed this form while you had it open').waitFor()
    await allowSaves(desk.context)
    await desk.page.getByRole('button', { name: 'Mark as reviewed' }).click()
    await desk.page.getByText('Form marked as reviewed').waitFor()
    await shown(other.page, 'Reviewed')
    await dismissToasts(desk.page)
    await desk.page.getByRole('button', { name: 'Complete', exact: true }).click()
    await desk.page.getByText('Form completed').waitFor()
    await shown(other.page, 'Completed')
    expect(await desk.page.getByRole('button', { name: 'Complete', exact: true }).count()).toBe(0)
    await desk.page.goto(`${formPath}/fill`)
    await desk.page.getByText('This form is completed').waitFor()
    for (const { context, complaints } of [desk, other]) {
      expect(complaints).toEqual([])
      await context.close()
    }
  })

  itLong('filters the list in the address, and requests an analysis', async () => {
    const { page, context, complaints } = await signedIn(owner.registration.email)
    await createForm(page, 'Consent', 'Consent for a procedure')
    await page.waitForURL(/\/fill$/)
    await page.locator('[data-question]').first().waitFor()
    await page.goto('/forms')
    await page.getByText('2 forms').waitFor()
    await page.getByLabel('Type of form').selectOption({ label: 'Consent' })
    await page.waitForURL(/type=consent/)
    await page.getByText('1 form', { exact: true }).waitFor()
    await page.getByText('Processing').waitFor()
    await page.goto('/dashboard')
    const panel = page.getByRole('region', { name: 'Recent Forms & AI Analysis' })
    await panel.getByText('AI Analysis Complete').waitFor()
    expect(await panel.getByRole('button', { name: 'Processing' }).isDisabled()).toBe(true)
    await panel.getByRole('link', { name: /^Review Form, Consent/ }).click()
    await page.getByText('not submitted yet').waitFor()
    await page.goto('/forms?type=consent')
    await page.getByRole('button', { name: /^Analyze now, Consent for a procedure/ }).click()
    await page.getByText(/There are no answers to analyze yet|Analysis complete/).waitFor()
    await page.getByLabel('Status of the form').selectOption({ label: 'Completed' })
    await page.getByText('No forms match these filters').waitFor()
    await page.getByRole('button', { name: 'Show all forms' }).click()
    await page.getByText('2 forms').waitFor()
    await page.getByLabel('Search forms').fill('lovelace')
    await page.waitForURL(/search=lovelace/)
    await page.getByText('No forms match these filters').waitFor()
    await page.getByLabel('Search forms').fill('hopper')
    await page.getByText('2 forms').waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('turns the pages of the list, and leads from one pending form to the next', async () => {
    const patientId = (await owner.client.get('/api/forms')).body[0].patientId
    const insurance = { patientId, formType: 'insurance' }
    const formData = {
      insurer: 'Blue Shield',
      'policy-number': 'P-1',
      'member-name': 'Grace Hopper',
      'member-date-of-birth': '1996-12-09',
      relationship: 'self',
      'has-secondary': false,
    }
    for (let number = 1; number <= 26; number++) {
      const title = `Coverage ${String(number).padStart(2, '0')}`
      expect((await owner.client.post('/api/forms', { ...insurance, title, formData })).status).toBe(201)
    }
    const { page, context, complaints } = await signedIn(owner.registration.email)
    await page.goto('/forms?type=insurance')
    await page.getByText('1–25 of 26').waitFor()
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.waitForURL(/cursor=/)
    await page.getByText('26–26 of 26').waitFor()
    await page.getByText('Coverage 01').waitFor()
    await page.reload()
    await page.getByText('26–26 of 26').waitFor()
    await page.getByRole('button', { name: 'Previous page' }).click()
    await page.getByText('1–25 of 26').waitFor()
    await page.getByRole('link', { name: /^Review Coverage 26/ }).click()
    await page.getByText('1 of 26 pending').waitFor()
    await page.getByRole('button', { name: 'Next pending form' }).click()
    await page.getByText('2 of 26 pending').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Coverage 25' }).waitFor()
    await page.getByRole('button', { name: 'Previous pending form' }).click()
    await page.getByRole('heading', { level: 1, name: 'Coverage 26' }).waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })

  itLong('loads the list again after a failure', async () => {
    const { page, context } = await signedIn(owner.registration.email)
    await silenceLiveUpdates(context)
    await context.route(/\/api\/forms\?/, (route) => route.abort())
    await page.goto('/forms')
    await page.getByText('Failed to fetch forms').waitFor()
    await expectAccessible(page, 'failed')
    await context.unroute(/\/api\/forms\?/)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('28 forms').waitFor()
    await context.close()
  })

  itLong.each(screenLooks)(
    'fits the long questions of an assessment into the window: $name',
    async ({ name, ...look }) => {
      const { page, context, complaints } = await signedIn(owner.registration.email, look)
      await createForm(page, 'Assessment')
      await page.getByRole('heading', { level: 2, name: /^PHQ-9: Over the last 2 weeks/ }).waitFor()
      await expectAccessible(page, `assessment, ${name}`)
      await expectNoSidewaysScroll(page)
      await page.getByRole('radio', { name: 'Several days' }).first().check()
      await page.getByRole('button', { name: /^Clear the answer to/ }).click()
      expect(await page.getByRole('radio', { checked: true }).count()).toBe(0)
      await takePicture(page, `forms-assessment-${name}`)
      expect(complaints).toEqual([])
      await context.close()
    },
  )

  it('is filled in by the patient on a phone, with a link that staff send', async () => {
    const { page, context, complaints } = await signedIn(owner.registration.email)
    await page.goto('/forms?new=true')
    const dialog = page.getByRole('dialog', { name: 'Create Form' })
    await dialog.getByLabel('Patient').fill('hopper')
    await page.getByRole('option', { name: /Grace Hopper/ }).click()
    await dialog.getByLabel('Form type').selectOption({ label: 'Consent' })
    await dialog.getByLabel('On their own phone or computer, with a link').check()
    await dialog.getByRole('button', { name: 'Create Form' }).click()
    const link = page.getByRole('dialog', { name: 'Let the patient fill it in' })
    const address = await link.getByLabel('Link').inputValue()
    await link.getByRole('img', { name: /^QR code of the link/ }).waitFor()
    await expectAccessible(page, 'the link')
    await takePicture(page, 'forms-link')
    await link.getByRole('button', { name: 'Close' }).click()

    const phone = await openWindow(browser, { width: 390, height: 844, dark: true, url: app.url })
    const patient = phone.page
    await patient.goto(new URL(address).pathname)
    const date = patient.getByLabel('Your date of birth')
    await date.fill('1996-12-08')
    await expectAccessible(patient, 'the date of birth')
    await expectNoSidewaysScroll(patient)
    await takePicture(patient, 'forms-patient-start')
    await patient.getByRole('button', { name: 'Open the form' }).click()
    await patient.getByText('2 tries are left.', { exact: false }).waitFor()
    await date.fill('1996-12-09')
    await patient.getByRole('button', { name: 'Open the form' }).click()
    await patient.getByRole('heading', { level: 1, name: /Consent/ }).waitFor()
    await expectAccessible(patient, 'the questions')
    await expectNoSidewaysScroll(patient)
    await takePicture(patient, 'forms-patient')
    const submit = patient.getByRole('button', { name: 'Submit' })
    await answerStep(patient)
    await patient.getByRole('button', { name: 'Next' }).click()
    await submit.waitFor()
    await answerStep(patient)
    await submit.click()
    await patient.getByRole('heading', { name: 'Thank you' }).waitFor()
    await expectAccessible(patient, 'the end')
    await patient.reload()
    await patient.getByRole('heading', { name: 'This form was handed in' }).waitFor()
    // The wrong date, and the link that was used up.
    expect(phone.complaints.every((complaint) => /40[13]|410/.test(complaint))).toBe(true)
    await phone.context.close()

    // Staff see it at once.
    await page
      .getByRole('list', { name: 'Forms' })
      .or(page.getByRole('table', { name: 'Forms' }))
      .waitFor()
    await page
      .getByRole('button', { name: /^Review .*Consent/ })
      .or(page.getByRole('link', { name: /^Review .*Consent/ }))
      .first()
      .waitFor()
    expect(complaints).toEqual([])
    await context.close()
  })
})
