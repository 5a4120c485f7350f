import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseEdits } from '#tests/support/how-to.ts'

const maxReadmeBytes = 8_192
const decisionParts = ['Status', 'Date', 'Context', 'Decision', 'Consequences']

const textOf = (file: string) => readFileSync(file, 'utf8')
const documents = ['README.md', ...globSync('docs/**/*.md').toSorted()]
const decisions = globSync('docs/decisions/[0-9]*.md').toSorted()

const { dependencies, devDependencies } = JSON.parse(textOf('package.json')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}
const packages = Object.keys({ ...dependencies, ...devDependencies })

/** Removes fenced blocks, whose contents are code. */
const proseOf = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '')

/** Returns the anchors of a document's headings, as GitHub derives them: lower case, dashes for spaces, no punctuation. */
const anchorsOf = (text: string) =>
  [...proseOf(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

/** Returns the relative links of a document that lead to no file, or to no heading of that file. */
function brokenLinks(document: string): string[] {
  const links = [...proseOf(textOf(document)).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)]
  return links.flatMap(([, link = '']) => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? document : normalize(join(dirname(document), path))
    if (!existsSync(target)) return [link]
    return anchor === undefined || anchorsOf(textOf(target)).includes(anchor) ? [] : [link]
  })
}

/** Returns the files that a how-to page creates: each heads the section that says so. */
const createdPaths = (text: string): string[] =>
  text
    .split(/^(?=#+ )/m)
    .flatMap((section) => (/^Create$/m.test(section) ? (/^#.*`([^`]+)`$/m.exec(section)?.[1] ?? []) : []))

/** Returns the paths of this repository in backticks that do not exist; a placeholder such as `<noun>` ends the path. */
function missingPaths(document: string): string[] {
  const paths = [...textOf(document).matchAll(/`((?:backend|contracts|docs|tests|web)\/[^`<*\s]*)/g)]
  const created = createdPaths(textOf(document))
  return paths.map(([, path = '']) => path).filter((path) => !existsSync(path) && !created.includes(path))
}

it(`keeps the README within ${maxReadmeBytes} bytes`, () => {
  expect(Buffer.byteLength(textOf('README.md'))).toBeLessThanOrEqual(maxReadmeBytes)
})

it('lists every document in the README', () => {
  const shown = new Set([...textOf('README.md').matchAll(/\]\((docs\/[^)#]+)\)/g)].map(([, path]) => path))
  const listed = documents.filter((file) => file.startsWith('docs/') && !decisions.includes(file))
  expect(listed.length).toBeGreaterThan(10)
  expect(listed.filter((file) => !shown.has(file))).toEqual([])
})

describe('every relative link leads to a file and a heading', () => {
  it.each(documents)('%s', (document) => {
    expect(brokenLinks(document)).toEqual([])
  })
})

describe('every path in backticks exists', () => {
  it.each(documents)('%s', (document) => {
    expect(missingPaths(document)).toEqual([])
  })
})

describe('the edits of a how-to page', () => {
  const pages = documents.filter((file) => file.startsWith('docs/how-to/') && parseEdits(textOf(file)).length > 0)
  it.each(pages)('%s has a place for each', (page) => {
    const texts = new Map<string, string>()
    for (const { file, old, replacement } of parseEdits(textOf(page))) {
      const text = texts.get(file) ?? (existsSync(file) ? textOf(file) : '')
      const places = old === '' ? Number(!existsSync(file)) : `\n${text}`.split(`\n${old}`).length - 1
      expect([file, old, places]).toEqual([file, old, 1])
      texts.set(file, old === '' ? replacement : `\n${text}`.replace(`\n${old}`, () => `\n${replacement}`).slice(1))
    }
  })

  it('are performed on more than one page', () => {
    expect(pages.length).toBeGreaterThan(1)
  })
})

describe('the decision records', () => {
  it('are numbered from 1 without gaps', () => {
    expect(decisions.length).toBeGreaterThan(10)
    expect(decisions.map((file) => /\/(\d{4})-[a-z0-9-]+\.md$/.exec(file)?.[1])).toEqual(
      decisions.map((_, index) => String(index + 1).padStart(4, '0')),
    )
  })

  it.each(decisions)('%s has its number in the title, and the five parts in order', (file) => {
    const text = textOf(file)
    const number = Number(/\/(\d{4})-/.exec(file)?.[1])
    expect(text).toMatch(new RegExp(`^# ${number}\\. \\S`))
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, part]) => part)).toEqual(decisionParts)
    for (const part of decisionParts) expect(text).toMatch(new RegExp(`^## ${part}\n\n(?!#)\\S`, 'm'))
    expect(text).toMatch(/^## Date\n\n\d{4}-\d\d-\d\d$/m)
  })

  it('are all in the index, with their titles', () => {
    const index = textOf('docs/decisions/README.md')
    const rows = decisions.map((file) => {
      const [, number = '', title = ''] = /^# (\d+)\. (.+)$/m.exec(textOf(file)) ?? []
      return `| [${number}](${file.slice('docs/decisions/'.length)}) | ${title} |`
    })
    expect(rows.filter((row) => !index.includes(row))).toEqual([])
  })
})

describe('the dependencies', () => {
  const [used = ''] = textOf('docs/dependencies.md').split('\n## Considered and rejected')
  const explained = used
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name))

  it.each(packages.filter((name) => !name.startsWith('@types/')))('have a reason: %s', (name) => {
    expect(explained).toContain(name)
  })

  it('have a reason only while they are installed', () => {
    expect(explained.filter((name) => name !== '@types/*' && !packages.includes(name ?? ''))).toEqual([])
  })

  it('are pinned to one version each', () => {
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+/)
  })
})
