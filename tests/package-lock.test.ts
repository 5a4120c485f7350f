import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

type Entry = { version?: string; dependencies?: Names; optionalDependencies?: Names; resolved?: string }
type Names = Record<string, string>

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Entry> }

/** Whether a package finds another one, in its own node_modules or in one further up. */
function finds(from: string, name: string): boolean {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    if (packages[`${at ? `${at}/` : ''}node_modules/${name}`]) return true
    if (at === '') return false
  }
}

test('the lock file is complete for every kind of machine: with a gap in it, npm ci installs nothing', () => {
  const missing = Object.entries(packages).flatMap(([from, { dependencies = {}, optionalDependencies = {} }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) => !finds(from, name)),
  )
  expect(missing).toEqual([])
})

test('the lock file names no registry, so that everyone installs from their own', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
})
