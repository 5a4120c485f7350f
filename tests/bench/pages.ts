import { launchOwnBrowser } from '#tests/e2e/browser.ts'
import { measureLoads, phone } from './page-load.ts'

const paths = ['/', '/features/smart-scheduling', '/pricing'] as const

/** Goals of the public pages. */
const goals = { lcpMs: 1_000, cls: 0.01, blockedMs: 50, scriptKB: 30, pageKB: 350 }

/** Loads public pages as a phone on slow 4G, with a CPU four times slower and an empty cache. */
export async function benchPages(url: string): Promise<Record<string, string | number>[]> {
  const browser = await launchOwnBrowser()
  try {
    const rows: Record<string, string | number>[] = []
    for (const path of paths) rows.push(await measureLoads(browser, phone, `${url}${path}`, goals))
    return rows
  } finally {
    await browser.close()
  }
}
