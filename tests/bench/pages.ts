import type { Browser, Page } from 'playwright'
import { launchOwnBrowser } from '#tests/e2e/browser.ts'

const paths = ['/', '/features/smart-scheduling', '/pricing'] as const
const loadsPerPage = 5

/** The phone of Lighthouse's mobile preset, and its user agent's platform (lighthouse/core/config/constants.js). */
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }
/** The slow 4G that this preset simulates. Each request waits for a round trip; bytes per second. */
const slow4G = { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 675_000 / 8 }
const cpuSlowdown = 4

/** Goals of the public pages, in the units of the columns. */
const goals = { lcpMs: 1_000, cls: 0.01, blockedMs: 50, scriptKB: 30, pageKB: 350 }

type Load = {
  fcpMs: number
  lcpMs: number
  lcp: string
  cls: number
  blockedMs: number
  scriptKB: number
  pageKB: number
}

/** Collects, before a page loads, what its observers would miss afterwards. */
const observe = `
  window.__load = { lcpMs: 0, lcp: '', cls: 0, blockedMs: 0 }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      window.__load.lcpMs = entry.startTime
      window.__load.lcp = entry.element ? entry.element.tagName.toLowerCase() : entry.url
    }
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.__load.cls += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.__load.blockedMs += entry.duration - 50
  }).observe({ type: 'longtask', buffered: true })
`

/**
 * Loads public pages as a phone on slow 4G, with a CPU four times slower and an empty cache, five times each, and returns the
 * medians: first and largest contentful paint, layout shift, time in which a tap would have waited, bytes on the wire. Lighthouse
 * itself is not a dependency: it brings more than a hundred packages.
 */
export async function benchPages(url: string): Promise<Record<string, string | number>[]> {
  const browser = await launchOwnBrowser()
  try {
    const rows: Record<string, string | number>[] = []
    for (const path of paths) {
      const loads: Load[] = []
      for (let turn = 0; turn < loadsPerPage; turn++) loads.push(await loadPage(browser, `${url}${path}`))
      rows.push(summarize(path, loads))
    }
    return rows
  } finally {
    await browser.close()
  }
}

async function loadPage(browser: Browser, url: string): Promise<Load> {
  const context = await browser.newContext(phone)
  try {
    const page = await context.newPage()
    await page.addInitScript(observe)
    const { getBytes, emulate } = await watchNetwork(page)
    await emulate()
    await page.goto(url, { waitUntil: 'networkidle' })
    const painted = await page.evaluate<Pick<Load, 'fcpMs' | 'lcpMs' | 'lcp' | 'cls' | 'blockedMs'>>(
      `({ ...window.__load, fcpMs: performance.getEntriesByName('first-contentful-paint')[0].startTime })`,
    )
    return { ...painted, ...getBytes() }
  } finally {
    await context.close()
  }
}

/** Counts the bytes of a page on the wire, headers included. */
async function watchNetwork(page: Page) {
  const session = await page.context().newCDPSession(page)
  const types = new Map<string, string>()
  let [script, all] = [0, 0]
  await session.send('Network.enable')
  session.on('Network.responseReceived', ({ requestId, type }) => void types.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    all += encodedDataLength
    if (types.get(requestId) === 'Script') script += encodedDataLength
  })
  const toKB = (bytes: number) => Math.round(bytes / 100) / 10
  return {
    getBytes: () => ({ scriptKB: toKB(script), pageKB: toKB(all) }),
    async emulate() {
      await session.send('Network.emulateNetworkConditions', slow4G)
      await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
    },
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

function summarize(path: string, loads: readonly Load[]): Record<string, string | number> {
  const medianOf = (name: Exclude<keyof Load, 'lcp'>) => median(loads.map((load) => load[name]))
  const shown = {
    fcpMs: Math.round(medianOf('fcpMs')),
    lcpMs: Math.round(medianOf('lcpMs')),
    cls: Math.round(medianOf('cls') * 1_000) / 1_000,
    blockedMs: Math.round(medianOf('blockedMs')),
    scriptKB: medianOf('scriptKB'),
    pageKB: medianOf('pageKB'),
  }
  const missed = (Object.keys(goals) as (keyof typeof goals)[]).filter((name) => shown[name] > goals[name])
  return { path, ...shown, lcp: loads.at(-1)?.lcp ?? '', missed: missed.join(', ') || 'none' }
}
