import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadState, receiveLinks } from '#tests/modules/newsletter/newsletter-app.ts'
import { startTestApp, type TestApp } from '#tests/support/test-app.ts'
import { launchBrowser } from './browser.ts'

let app: TestApp
let browser: Browser
beforeAll(async () => {
  app = await startTestApp()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  await app.dispose()
})

it('is confirmed and left in a browser without script', async () => {
  const email = `reader-${randomUUID()}@example.test`
  await app.newClient().post('/api/newsletter/subscribe', { email })
  const links = await receiveLinks(app, email)
  const context = await browser.newContext({ baseURL: app.url, javaScriptEnabled: false })
  const page = await context.newPage()

  await page.goto(links.confirm)
  await page.getByRole('button', { name: 'Subscribe' }).click()
  await page.getByRole('heading', { name: 'You are subscribed' }).waitFor()
  expect((await loadState(app, email)).status).toBe('confirmed')

  await page.goto(links.leave)
  await page.getByRole('button', { name: 'Unsubscribe' }).click()
  await page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor()
  expect((await loadState(app, email)).status).toBe('left')
  await context.close()
})
