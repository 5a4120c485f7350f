import type { Browser, Cookie, Page } from 'playwright'

/** A screen, its network and its processor. */
type Device = {
  viewport: { width: number; height: number }
  deviceScaleFactor: number
  isMobile: boolean
  hasTouch: boolean
  /** Bytes per second, and the milliseconds of a round trip; null for the network of this machine. */
  network: { offline: boolean; latency: number; downloadThroughput: number; uploadThroughput: number } | null
  cpuSlowdown: number
}

/** The phone of Lighthouse's mobile preset on the slow 4G that it simulates (lighthouse/core/config/constants.js). */
export const phone: Device = {
  viewport: { width: 412, height: 823 },
  deviceScaleFactor: 1.75,
  isMobile: true,
  hasTouch: true,
  network: { offline: false, latency: 150, downloadThroughput: 1_638_400 / 8, uploadThroughput: 675_000 / 8 },
  cpuSlowdown: 4,
}

/** The desktop of Lighthouse's preset: dense 4G, and the processor of this machine. */
export const desktop: Device = {
  viewport: { width: 1_440, height: 900 },
  deviceScaleFactor: 1,
  isMobile: false,
  hasTouch: false,
  network: { offline: false, latency: 40, downloadThroughput: 10_240_000 / 8, uploadThroughput: 10_240_000 / 8 },
  cpuSlowdown: 1,
}

/** The load of a page: `lcp` is the element of the largest paint, `blockedMs` the time in which a tap would have waited. */
type Load = {
  fcpMs: number
  lcpMs: number
  lcp: string
  cls: number
  blockedMs: number
  scripts: number
  scriptKB: number
  pageKB: number
}

/** The largest values of a load that are still good, in the units of `Load`. */
export type LoadGoals = Partial<Omit<Load, 'lcp'>>

const loadsPerPage = 5

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
  // Event streams stay open: a page is loaded when nothing has happened for a while.
  window.__untilQuiet = (ms) => new Promise((resolve) => {
    const look = () => (performance.now() - window.__lastMs > ms ? resolve() : setTimeout(look, 100))
    look()
  })
  window.__lastMs = Infinity
  for (const type of ['paint', 'largest-contentful-paint', 'layout-shift', 'longtask', 'resource'])
    new PerformanceObserver(() => {
      if (performance.getEntriesByName('first-contentful-paint').length > 0) window.__lastMs = performance.now()
    }).observe({ type, buffered: true })
`

/** Milliseconds without a paint, a shift, a long task or a reply after which a page counts as loaded. */
const quietMs = 1_500

/**
 * Loads a page on a device five times with an empty cache, and returns the medians: first and largest contentful paint, layout shift,
 * time in which a tap would have waited, scripts and bytes on the wire. Lighthouse itself is not a dependency: it brings more than a
 * hundred packages.
 */
export async function measureLoads(
  browser: Browser,
  device: Device,
  url: string,
  goals: LoadGoals,
  cookies: readonly Pick<Cookie, 'name' | 'value'>[] = [],
): Promise<Record<string, string | number>> {
  const loads: Load[] = []
  // oxlint-disable-next-line no-await-in-loop -- one after the other: they share the processor
  for (let turn = 0; turn < loadsPerPage; turn++) loads.push(await loadPage(browser, device, url, cookies))
  return summarize(new URL(url).pathname, loads, goals)
}

async function loadPage(
  browser: Browser,
  { network, cpuSlowdown, ...look }: Device,
  url: string,
  cookies: readonly Pick<Cookie, 'name' | 'value'>[],
): Promise<Load> {
  const context = await browser.newContext(look)
  try {
    await context.addCookies(cookies.map((cookie) => ({ ...cookie, url })))
    const page = await context.newPage()
    await page.addInitScript(observe)
    const getTraffic = await watchNetwork(page, network, cpuSlowdown)
    await page.goto(url, { waitUntil: 'load' })
    await page.evaluate(`window.__untilQuiet(${quietMs})`)
    const painted = await page.evaluate<Pick<Load, 'fcpMs' | 'lcpMs' | 'lcp' | 'cls' | 'blockedMs'>>(
      `({ ...window.__load, fcpMs: performance.getEntriesByName('first-contentful-paint')[0].startTime })`,
    )
    return { ...painted, ...getTraffic() }
  } finally {
    await context.close()
  }
}

/** Emulates network and processor, and returns a function that counts scripts and bytes on the wire, headers included. */
async function watchNetwork(page: Page, network: Device['network'], cpuSlowdown: number) {
  const session = await page.context().newCDPSession(page)
  const types = new Map<string, string>()
  let [scripts, script, all] = [0, 0, 0]
  await session.send('Network.enable')
  session.on('Network.responseReceived', ({ requestId, type }) => void types.set(requestId, type))
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    all += encodedDataLength
    if (types.get(requestId) !== 'Script') return
    script += encodedDataLength
    scripts++
  })
  if (network) await session.send('Network.emulateNetworkConditions', network)
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpuSlowdown })
  const toKB = (bytes: number) => Math.round(bytes / 100) / 10
  return () => ({ scripts, scriptKB: toKB(script), pageKB: toKB(all) })
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

function summarize(path: string, loads: readonly Load[], goals: LoadGoals): Record<string, string | number> {
  const medianOf = (name: Exclude<keyof Load, 'lcp'>) => median(loads.map((load) => load[name]))
  const shown = {
    fcpMs: Math.round(medianOf('fcpMs')),
    lcpMs: Math.round(medianOf('lcpMs')),
    cls: Math.round(medianOf('cls') * 1_000) / 1_000,
    blockedMs: Math.round(medianOf('blockedMs')),
    scripts: medianOf('scripts'),
    scriptKB: medianOf('scriptKB'),
    pageKB: medianOf('pageKB'),
  }
  const missed = (Object.keys(goals) as (keyof LoadGoals)[]).filter((name) => shown[name] > (goals[name] ?? Infinity))
  return { path, ...shown, lcp: loads.at(-1)?.lcp ?? '', missed: missed.join(', ') || 'none' }
}
