import { afterEach } from 'vitest'
import { openWindows } from './browser.ts'

const maxLength = 6_000

/** Prints what the open windows show after a failed test: they are closed soon after. */
afterEach(async ({ task }) => {
  if (task.result?.state !== 'fail') return
  for (const [page, requests] of openWindows) {
    // oxlint-disable-next-line no-await-in-loop -- one text after the other
    const shown = await page.locator('html').ariaSnapshot({ timeout: 5_000 }).catch(String)
    // oxlint-disable-next-line no-await-in-loop
    const html = await page
      .locator('body')
      .evaluate((body) => body.outerHTML.replaceAll(/<svg.*?<\/svg>/gs, ''))
      .catch(String)
    const text = [task.name, page.url(), shown.slice(0, maxLength), ...requests, html.slice(0, 30_000)].join('\n')
    process.stdout.write(`${text}\n`)
  }
})
