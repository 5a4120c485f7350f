import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'

const dist = 'dist'
/** Bytes of script that a first load waits for, packed with gzip. */
const limits = { signIn: 229_000, dashboard: 265_000, patients: 273_000, appointments: 275_000 }

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

  const entries = () =>
    [
      ...read('index.html')
        .toString()
        .matchAll(/(?:src|href)="\/([^"]+\.js)"/g),
    ].map(([, file = '']) => file)

  /** The scripts of the page, and of the screens that are files of these names. */
  const filesOf = (...screens: string[]) => {
    const own = screens.flatMap((name) => built(new RegExp(`^${name}-[^.]*\\.js$`)).map((file) => `assets/${file}`))
    expect(own).toHaveLength(screens.length)
    return new Set([...entries(), ...own].flatMap((file) => [...withImports(file)]))
  }
  const countBytes = (files: Iterable<string>) => [...files].reduce((sum, file) => sum + gzipSync(read(file)).length, 0)

  it('shows the first screens after little script: what only other screens need is not among it', () => {
    expect(countBytes(filesOf('auth-screen'))).toBeLessThanOrEqual(limits.signIn)
    expect(countBytes(filesOf('signed-in-layout', 'dashboard-screen'))).toBeLessThanOrEqual(limits.dashboard)
    expect(countBytes(filesOf('signed-in-layout', 'patients-page'))).toBeLessThanOrEqual(limits.patients)
    expect(countBytes(filesOf('signed-in-layout', 'appointments-screen'))).toBeLessThanOrEqual(limits.appointments)
  })

  it('shows every screen after few requests: a file for each component would be a hundred', () => {
    const frame = [...entries(), ...built(/^signed-in-layout-.*\.js$/).map((file) => `assets/${file}`)]
    const screens = built(/-(screen|page)-[^.]*\.js$/)
    expect(screens.length).toBeGreaterThan(15)
    const counts = screens.map((file) => {
      const files = new Set([...frame, `assets/${file}`].flatMap((each) => [...withImports(each)]))
      return { file, requests: files.size }
    })
    expect(counts.filter(({ requests }) => requests > 19)).toEqual([])
    const first = counts.filter(({ file }) => /^(dashboard-screen|patients-page|appointments-screen)-/.test(file))
    expect(first.map(({ requests }) => requests <= 12)).toEqual([true, true, true])
  })

  it('names the scripts of each screen in the page, for the small one that fetches them early', () => {
    const page = read('index.html').toString()
    const [, content = ''] = /<meta name="screen-scripts" content="([^"]+)"/.exec(page) ?? []
    const scripts = JSON.parse(content.replaceAll('&quot;', '"')) as Record<string, string[]>
    expect(Object.keys(scripts)).toEqual(['/', '/dashboard', '/patients', '/appointments', '*', '/auth'])
    for (const [path, names] of Object.entries(scripts)) {
      expect(names).toContainEqual(expect.stringMatching(path === '/auth' ? /auth-screen-/ : /^\/assets\/frame-/))
      expect(names.filter((name) => read(name).length === 0 || entries().includes(name.slice(1)))).toEqual([])
    }
    const [early = '', ...others] = entries().filter((file) => file.startsWith('assets/early-'))
    expect(others).toEqual([])
    expect(withImports(early).size).toBe(1)
    expect(read(early).length).toBeLessThan(4_600)
  })

  it('has Chromium compile scripts while they arrive, and shows something before they do', () => {
    const scripts = built(/\.js$/)
    expect(scripts.length).toBeGreaterThan(50)
    for (const file of scripts) expect(read(`assets/${file}`).toString()).toMatch(/^\/\/# allFunctionsCalledOnLoad\n/)
    expect(read('index.html').toString()).toContain('Loading...')
  })

  it('keeps what few people open out of the first load', () => {
    const first = entries().flatMap((file) => [...withImports(file)])
    for (const name of [
      'command-palette',
      'onboarding-screen',
      'import-screen',
      'patients-page',
      'frame',
      'later',
      'tables',
      'schedule',
      'more',
    ])
      expect(first.filter((file) => file.startsWith(`assets/${name}-`))).toEqual([])
  })

  it('paints before anything else arrives: the theme and the style sheet are in the page, the fonts are files', () => {
    const page = read('index.html').toString()
    const scripts = [...page.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([^<]*)/g)].map(([, script]) => script)
    expect(scripts).toEqual([expect.stringContaining("localStorage.getItem('everchart.theme')")])
    expect(page).toMatch(/<style>@font-face/)
    expect(page).not.toContain('stylesheet')
    expect(page).not.toContain('data:')
    expect(built(/\.css$/)).toEqual([])
    expect(built(/hanken-grotesk-latin-wght.*\.woff2$/)).toHaveLength(1)
  })
})
