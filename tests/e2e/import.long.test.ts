import type { Browser } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newOwner, password } from '#tests/support/practice.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { expectAccessible, expectNoSidewaysScroll, launchBrowser, openWindow, takePicture } from './browser.ts'

const home = '(617) 555-0150,1 Harbor Street'
const csv = [
  'First Name,Last Name,DOB,Phone,Address,Shoe size',
  `Ana,Silva,2019-05-04,${home},30`,
  `Eva,Silva,2019-05-04,${home},31`,
  `Anna,Silva,2019-05-04,${home},30`,
  `Hanna,Silva,2019-05-04,${home},30`,
].join('\n')

describe('the import of patients', () => {
  let app: TestApp
  let browser: Browser
  let owner: Awaited<ReturnType<typeof newOwner>>
  beforeAll(async () => {
    app = await startTestApp()
    browser = await launchBrowser()
    owner = await newOwner(app)
  })
  afterAll(async () => {
    await browser?.close()
    await app?.dispose()
  })

  it('asks about each row that may be a known patient, and reports the columns that it left out', async () => {
    const { page, context, complaints } = await openWindow(browser, { url: app.url })
    await page.request.post('/api/login', { data: { email: owner.registration.email, password } })
    await page.goto('/patients/import')
    await page
      .locator('input[type=file]')
      .setInputFiles({ name: 'patients.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Check the rows' }).click()
    await page.getByRole('tab', { name: 'Question, 2' }).waitFor()
    await page.getByRole('button', { name: 'Import 2 patients' }).waitFor()
    const answer = page.getByRole('checkbox', { name: /^Anna Silva is another person/ })
    await answer.check()
    await page.getByRole('button', { name: 'Import 3 patients' }).waitFor()
    await page.getByText('1 of them will be added').waitFor()
    await expectAccessible(page, 'the questions')
    await takePicture(page, 'import-questions')
    await page.setViewportSize({ width: 390, height: 844 })
    await answer.waitFor()
    await expectNoSidewaysScroll(page)
    await takePicture(page, 'import-questions-phone')
    await page.setViewportSize({ width: 1440, height: 900 })

    await page.getByRole('button', { name: 'Import 3 patients' }).click()
    await page.getByText('3 patients added').waitFor()
    await page.getByText('Column not imported: Shoe size').waitFor()
    await page.getByText('Same phone number and a similar name as row 4').waitFor()
    await expectAccessible(page, 'the report')
    await takePicture(page, 'import-report')
    const names = (await owner.client.get('/api/patients')).body as { firstName: string }[]
    expect(names.map(({ firstName }) => firstName).toSorted()).toEqual(['Ana', 'Anna', 'Eva'])
    expect(complaints).toEqual([])
    await context.close()
  })
})
