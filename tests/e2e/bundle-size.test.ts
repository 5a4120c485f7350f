import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'

const dist = 'dist'
const limit = 260_000

const read = (file: string) => readFileSync(join(dist, file))
const built = (name: RegExp) => readdirSync(join(dist, 'assets')).filter((file) => name.test(file))

/** A script and everything it imports before it can run. */
function withImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const [, next = ''] of read(file)
    .toString()
    .matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g))
    withImports(`assets/${next}`, seen)
  return seen
}

describe('the built web app', () => {
  beforeAll(() => {
    // Builds only when `dist` is missing or older than its sources.
    execFileSync(process.execPath, ['scripts/prepare.mjs', 'web'], { stdio: ['ignore', 'ignore', 'inherit'] })
  }, 300_000)

  it('shows the sign-in screen after at most 260 kB of script, as it travels', () => {
    const page = read('index.html').toString()
    const entries = [...page.matchAll(/(?:src|href)="\/([^"]+\.js)"/g)].map(([, file = '']) => file)
    const screen = built(/^auth-screen-.*\.js$/).map((file) => `assets/${file}`)
    expect(screen).toHaveLength(1)
    const files = new Set([...entries, ...screen].flatMap((file) => [...withImports(file)]))
    expect(files.size).toBeGreaterThan(5)
    const size = [...files].reduce((sum, file) => sum + gzipSync(read(file)).length, 0)
    expect(size).toBeLessThanOrEqual(limit)
  })

  it('keeps what few people open out of the first load', () => {
    const first = withImports(`assets/${built(/^index-.*\.js$/)[0]}`)
    for (const name of ['command-palette', 'onboarding-screen', 'import-screen', 'patients-screen'])
      expect([...first].filter((file) => file.includes(name))).toEqual([])
  })

  it('carries its fonts as files and no script in the page, as the security policy requires', () => {
    expect(read('index.html').toString()).not.toMatch(/<script(?![^>]*\bsrc=)/)
    for (const file of built(/\.css$/)) expect(read(`assets/${file}`).toString()).not.toContain('data:')
    expect(built(/hanken-grotesk-latin-wght.*\.woff2$/)).toHaveLength(1)
  })
})
