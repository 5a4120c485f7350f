import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * Who may import whom. A layer may always import itself. What stands in no layer (backend/main/main.ts and what it is split
 * into, web/router.tsx, web/main.tsx) puts the house together and may import anything.
 */
const layers: Record<string, readonly string[]> = {
  'contracts/values': [],
  contracts: ['contracts/values'],
  'backend/eventstore': ['contracts/values'],
  'backend/projections': ['contracts/values', 'backend/eventstore'],
  'backend/jobs': ['contracts/values', 'backend/eventstore', 'backend/projections'],
  'backend/backup': ['contracts/values', 'backend/eventstore', 'backend/projections'],
  'backend/http': ['contracts', 'contracts/values', 'backend/eventstore'],
  'backend/modules': [
    'contracts',
    'contracts/values',
    'backend/eventstore',
    'backend/projections',
    'backend/jobs',
    'backend/http',
  ],
  'backend/runtime': ['contracts', 'contracts/values'],
  'web/theme.ts': [],
  'web/app': ['contracts', 'contracts/values', 'web/theme.ts'],
  'web/features': ['contracts', 'contracts/values', 'web/app', 'web/theme.ts'],
}

/** The files that hold the rules of the practice: no clock, no network, no database. */
const pure = /^backend\/modules\/.+\/(events|decider|projection|process-manager)\.ts$/
const pureTargets =
  /^(contracts\/|backend\/eventstore\/(event|decider)\.ts$|backend\/projections\/(projection|reactor)\.ts$)/
const purePackages = /^npm:(zod|date-fns(\/\w+)?)$/

const { imports: aliases } = JSON.parse(readFileSync('package.json', 'utf8')) as { imports: Record<string, string> }
const sources = globSync(['contracts/**/*.ts', 'backend/**/*.ts', 'web/**/*.{ts,tsx}']).toSorted()
const tests = globSync(['tests/**/*.{ts,tsx}']).toSorted()
const textOf = new Map([...sources, ...tests].map((file) => [file, readFileSync(file, 'utf8')]))

const layerOf = (file: string) => Object.keys(layers).find((layer) => file === layer || file.startsWith(`${layer}/`))
const nounOf = (file: string) => /^(?:backend\/modules|web\/features)\/([^/]+)\//.exec(file)?.[1]

function importsOf(file: string): string[] {
  const source = (textOf.get(file) ?? '').replaceAll(/^\s*(\/\/|\*).*$/gm, '')
  return [...source.matchAll(/\b(?:from\s+|import\s+|import\(\s*)'([^']+)'/g)].map(([, name = '']) => {
    const alias = Object.keys(aliases).find((key) => name.startsWith(key.slice(0, -1)))
    if (alias) return normalize((aliases[alias] ?? '').replace('*', name.slice(alias.length - 1)))
    return name.startsWith('.') ? join(dirname(file), name) : `npm:${name}`
  })
}

it('has a house to look at', () => {
  expect(sources.length).toBeGreaterThan(50)
  expect(sources.filter((file) => pure.test(file)).length).toBeGreaterThan(5)
})

describe.each([...sources, ...tests])('%s', (file) => {
  const text = textOf.get(file) ?? ''
  const targets = importsOf(file)

  it('is named in kebab-case, and is no barrel', () => {
    expect(file.replaceAll(/\.(test|config|d)(?=\.)/g, '')).toMatch(/^[a-z0-9/-]+\.tsx?$/)
    expect(basename(file)).not.toMatch(/^index\./)
    expect(text).not.toMatch(/^export (\*|\{[^}]*\}) from/m)
  })

  it('fits in a head', () => {
    expect(text.split('\n').length).toBeLessThanOrEqual(301)
  })

  it('exports by name', () => {
    expect(text).not.toMatch(/^export default/m)
  })

  it('imports what is there, by its whole name, within its folder or by the map', () => {
    expect(text).not.toMatch(/from '\.\.\/\.\.\//)
    for (const target of targets.filter((name) => !name.startsWith('npm:') && !name.endsWith('.css')))
      expect([target, existsSync(target)]).toEqual([target, true])
  })

  it('loads of date-fns the functions it needs', () => {
    // All three hundred of them cost every start, also the one after a crash, about a second.
    if (/^(backend|contracts)\//.test(file)) expect(targets).not.toContain('npm:date-fns')
  })

  const layer = layerOf(file)
  if (!layer) return

  it('imports along the arrows', () => {
    const allowed = [layer, ...(layers[layer] ?? [])]
    for (const target of targets.filter((name) => !name.startsWith('npm:')))
      expect([target, allowed]).toEqual([target, expect.arrayContaining([layerOf(target)])])
  })

  it('knows of other nouns only what happened to them', () => {
    const noun = nounOf(file)
    const foreign = targets.filter((target) => nounOf(target) && nounOf(target) !== noun)
    if (file.startsWith('backend/modules/'))
      for (const target of foreign) expect(target).toMatch(/^backend\/modules\/.+\/events\.ts$/)
    else expect(foreign).toEqual([])
  })

  it('keeps stored events apart from the API', () => {
    if (file.endsWith('/events.ts')) expect(targets.filter((target) => /^contracts\/[^/]+$/.test(target))).toEqual([])
  })

  it('decides and folds without clock, network or database', () => {
    if (!pure.test(file)) return
    const foreign = targets.filter(
      (target) => !purePackages.test(target) && !pureTargets.test(target) && !isPureHelper(target),
    )
    expect(foreign).toEqual([])
    expect(text).not.toMatch(/new Date\(\)|Date\.now\(|Math\.random\(|randomUUID/)
  })
})

/** A helper beside a pure file is pure when everything it imports is. */
function isPureHelper(target: string, seen: readonly string[] = []): boolean {
  if (pure.test(target) || pureTargets.test(target) || purePackages.test(target)) return true
  if (!target.startsWith('backend/modules/') || seen.includes(target)) return false
  return importsOf(target).every((next) => isPureHelper(next, [...seen, target]))
}

it('has no circles', () => {
  const done = new Set<string>()
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) throw new Error([...path.slice(path.indexOf(file)), file].join(' → '))
    if (done.has(file)) return
    for (const target of importsOf(file)) if (!target.startsWith('npm:')) visit(target, [...path, file])
    done.add(file)
  }
  for (const file of sources) visit(file, [])
  expect(done.size).toBeGreaterThanOrEqual(sources.length)
})

it.each(globSync('backend/modules/**/{decider,process-manager}.ts'))('%s has a specification', (file) => {
  expect(existsSync(file.replace('backend/', 'tests/').replace('.ts', '.test.ts'))).toBe(true)
})

it('keeps contracts free of everything but zod', () => {
  for (const file of sources.filter((name) => name.startsWith('contracts/')))
    expect(importsOf(file).filter((target) => target.startsWith('npm:') && target !== 'npm:zod')).toEqual([])
})
