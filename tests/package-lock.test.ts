import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Entry = { version?: string; dependencies?: Names; optionalDependencies?: Names; resolved?: string }
type Names = Record<string, string>

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Entry> }

/** Returns whether a package resolves another one, in its own node_modules or one further up. */
function canResolve(from: string, name: string): boolean {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true
    if (at === '') return false
  }
}

test('the lock file is complete for every platform: npm ci refuses one with a gap', () => {
  const missing = Object.entries(packages).flatMap(([from, { dependencies = {}, optionalDependencies = {} }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !canResolve(from, name)),
  )
  expect(missing).toEqual([])
})

test('the lock file names no registry, so that installs use the configured one', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
})
