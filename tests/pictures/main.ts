import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import type { Browser, Locator, Page, Route } from 'playwright'
import sharp from 'sharp'
import { generateKey } from '#encryption/cipher.ts'
import { startEmbeddedPostgres } from '#runtime/embedded-postgres.ts'
import { launchOwnBrowser } from '#tests/e2e/browser.ts'
import { createClient } from '#tests/support/client.ts'
import { password, practiceDetails } from '#tests/support/practice.ts'
import { withStandaloneApp } from '#tests/support/standalone-app.ts'
import { drawIcons } from './icons.ts'
import { pictureSizes } from '#web/site/picture-sizes.ts'
import { picturedAt, type Shot, shots } from './shots.ts'

const toPath = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url))
const folder = toPath('web/site/pictures')

const email = 'sarah@example.com'

const themes = ['light', 'dark'] as const
const scales = [
  { factor: 1, suffix: '', quality: 45 },
  // Twice as many pixels hide more.
  { factor: 2, suffix: '@2x', quality: 26 },
] as const

/** Milliseconds between two pictures of one screen. */
const settleMs = 300
const maxAttempts = 100

/** Flags of Chromium without which the same screen is drawn with slightly different pixels when the machine is busy. */
const repeatableRendering = [
  '--disable-checker-imaging',
  '--disable-lcd-text',
  '--disable-partial-raster',
  '--disable-skia-runtime-opts',
  '--force-color-profile=srgb',
  '--num-raster-threads=1',
]

type Size = { width: number; height: number }

/**
 * Makes the pictures of the public pages from a running application, for `npm run pictures`; with names, only those:
 * `npm run pictures -- patient`.
 */
async function main(): Promise<void> {
  const data = await mkdtemp(path.join(os.tmpdir(), 'everchart-pictures-'))
  const database = await startEmbeddedPostgres({ dataDir: data, log: () => undefined })
  const browser = await launchOwnBrowser(repeatableRendering)
  try {
    await createDatabase(database.url)
    const databaseUrl = Object.assign(new URL(database.url), { pathname: '/pictures' }).href
    const options = { databaseUrl, masterKey: generateKey(), hasSamplePractices: true, clock: () => picturedAt }
    const sizes = await withStandaloneApp(options, async (url) => {
      await setUpPractice(url)
      return await takeAll(browser, url)
    })
    await writeFile(toPath('web/site/picture-sizes.ts'), describeSizes(sizes))
    await drawIcons(toPath('web/public'))
    // The landing page shows the new pictures only after it was built again.
    execFileSync(process.execPath, [toPath('scripts/prepare.mjs'), 'web'], { stdio: 'inherit' })
    await withStandaloneApp(options, (url) => takeLandingPage(browser, url))
    console.log(`${(await sumSizes()).toLocaleString('en-US')} bytes in all`)
  } finally {
    await browser.close()
    await database.stop()
    await rm(data, { recursive: true, force: true })
  }
}

async function createDatabase(url: string): Promise<void> {
  const admin = new Client({ connectionString: url })
  await admin.connect()
  await admin.query('create database pictures')
  await admin.end()
}

/** Registers the owner and sets up the practice, with the same ids in every run: the screens show them. */
async function setUpPractice(url: string): Promise<void> {
  const client = createClient(url)
  const owner = { email, username: 'sarah', password, firstName: 'Sarah', lastName: 'Mitchell' }
  const requests = [
    { path: '/api/register', body: owner, key: '8f0c1f5e-6a52-4b6e-9d29-0c6f3c1f5a11' },
    {
      path: '/api/practices/setup',
      body: { ...practiceDetails, selectedPlan: 'professional' },
      key: '8f0c1f5e-6a52-4b6e-9d29-0c6f3c1f5a12',
    },
  ]
  for (const { path: address, body, key } of requests) {
    const reply = await client.request('POST', address, body, { 'idempotency-key': key })
    if (reply.status >= 300) throw new Error(`${address} replied ${reply.status}`)
  }
}

async function takeAll(browser: Browser, url: string): Promise<Record<string, Size>> {
  const sizes: Record<string, Size> = { ...pictureSizes }
  const chosen = process.argv.slice(2)
  for (const shot of shots.filter(({ name }) => chosen.length === 0 || chosen.includes(name)))
    for (const theme of themes)
      for (const { factor, suffix, quality } of scales) {
        const png = await take(browser, url, shot, theme, factor)
        const { width, height } = await sharp(png).metadata()
        const name = path.join(folder, `${shot.name}-${theme}${suffix}`)
        await sharp(png).avif({ quality, effort: 4 }).toFile(`${name}.avif`)
        await sharp(png).webp({ quality, effort: 6 }).toFile(`${name}.webp`)
        if (factor === 1) sizes[shot.name] = { width, height }
        console.log(`${shot.name}, ${theme}, ${factor}×`)
      }
  return sizes
}

/** Takes one picture. Throws if it does not show what it should. */
async function take(
  browser: Browser,
  url: string,
  { path: address, viewport, prepare, part, shows }: Shot,
  colorScheme: (typeof themes)[number],
  deviceScaleFactor: number,
): Promise<Buffer> {
  const context = await browser.newContext({
    baseURL: url,
    viewport,
    deviceScaleFactor,
    colorScheme,
    reducedMotion: 'reduce',
    locale: 'en-US',
    timezoneId: 'America/New_York',
  })
  try {
    const page = await context.newPage()
    await page.clock.setFixedTime(picturedAt)
    const signedIn = await page.request.post('/api/login', { data: { email, password } })
    if (!signedIn.ok()) throw new Error(`The sign-in replied ${signedIn.status()}`)
    await page.goto(address)
    await prepare(page)
    await page.evaluate('document.fonts.ready')
    const target = part ? part(page) : page
    // Nothing is still loading.
    await page.locator('.fui-Skeleton').first().waitFor({ state: 'detached' })
    for (const text of shows) await (part ? part(page) : page).getByText(text).first().waitFor()
    await page.waitForLoadState('networkidle')
    return await takeSettled(target)
  } finally {
    await context.close()
  }
}

/** Takes pictures until two in a row are equal: the first may be of a screen that still changes. */
async function takeSettled(target: Page | Locator): Promise<Buffer> {
  let previous: Buffer | undefined
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    // oxlint-disable-next-line no-await-in-loop -- one picture after the other
    const picture = await target.screenshot({ animations: 'disabled', caret: 'hide', scale: 'device' })
    if (previous?.equals(picture)) return picture
    previous = picture
    // oxlint-disable-next-line no-await-in-loop
    await sleep(settleMs)
  }
  throw new Error('The screen does not come to rest')
}

/** Takes the picture of shared links and that of the README. */
async function takeLandingPage(browser: Browser, url: string): Promise<void> {
  const pictures = [
    { file: 'web/public/social.png', viewport: { width: 1200, height: 630 } },
    { file: 'docs/landing.png', viewport: { width: 1280, height: 860 } },
  ]
  for (const { file, viewport } of pictures) {
    const look = { viewport, colorScheme: 'light', reducedMotion: 'reduce' } as const
    const context = await browser.newContext({ baseURL: url, ...look, bypassCSP: true })
    const page = await context.newPage()
    await page.route(`${url}/`, waitForFonts)
    await page.goto('/', { waitUntil: 'networkidle' })
    await page.evaluate('document.fonts.ready')
    const png = await takeSettled(page)
    await sharp(png).png({ palette: true, quality: 90, effort: 10 }).toFile(toPath(file))
    await context.close()
  }
}

/** Shows no page before its fonts: on a busy machine, a visitor would see the fonts of the system instead. */
async function waitForFonts(route: Route): Promise<void> {
  const response = await route.fetch()
  const html = await response.text()
  await route.fulfill({ response, body: html.replaceAll(/font-display:\s*optional/g, 'font-display:block') })
}

function describeSizes(sizes: Record<string, Size>): string {
  const toKey = (name: string) => (name.includes('-') ? `'${name}'` : name)
  const lines = Object.entries(sizes).map(
    ([name, { width, height }]) => `  ${toKey(name)}: { width: ${width}, height: ${height} },\n`,
  )
  return `/** Sizes of the pictures in CSS pixels. \`npm run pictures\` writes this file. */
export const pictureSizes = {
${lines.join('')}}
`
}

async function sumSizes(): Promise<number> {
  const files = await readdir(folder)
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(folder, file))).size))
  return sizes.reduce((sum, size) => sum + size, 0)
}

await main()
