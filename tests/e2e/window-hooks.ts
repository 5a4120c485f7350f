import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { openWindows } from './browser.ts'

const maxLength = 6_000
/** Repeated by `npm test` at its end, because a build server may keep only that. */
const summaryFile = '.cache/failed-windows.txt'

let shared: ReadonlySet<unknown> = new Set()
beforeEach(() => {
  shared = new Set(openWindows.keys())
})

// The windows that a test opened are closed: their live updates would take time from the next tests.
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await showWindows(task.name)
  const opened = [...openWindows.keys()].filter((page) => !shared.has(page))
  await Promise.all(opened.map((page) => page.context().close()))
})

/** Prints what the open windows show. */
async function showWindows(testName: string): Promise<void> {
  for (const [page, requests] of openWindows) {
    // oxlint-disable-next-line no-await-in-loop -- one text after the other
    const shown = await page.locator('html').ariaSnapshot({ timeout: 5_000 }).catch(String)
    // oxlint-disable-next-line no-await-in-loop
    const html = await page
      .locator('body')
      .evaluate((body) => body.outerHTML.replaceAll(/<svg.*?<\/svg>/gs, ''))
      .catch(String)
    const summary = [testName, page.url(), shown.slice(0, maxLength), ...requests].join('\n')
    process.stdout.write(`${summary}\n${html.slice(0, 30_000)}\n`)
    mkdirSync(dirname(summaryFile), { recursive: true })
    appendFileSync(summaryFile, `${summary}\n`)
  }
}
