import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const readme = readFileSync('README.md', 'utf8')
const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}
const packages = Object.keys({ ...dependencies, ...devDependencies })
const reasons = readme
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name))

it.each(packages.filter((name) => !name.startsWith('@types/')))('says why %s is there', (name) => {
  expect(reasons).toContain(name)
})

it('pins every package to one version', () => {
  for (const version of Object.values({ ...dependencies, ...devDependencies }))
    expect(version).toMatch(/^\d+\.\d+\.\d+/)
})

it('shows and names only what exists', () => {
  const places = [
    ...[...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, place]) => place),
    ...[...readme.matchAll(/`((?:contracts|backend|web|tests|docs)\/[^`<*\s]+)`/g)].map(([, place]) => place),
  ]
  expect(places.length).toBeGreaterThan(10)
  for (const place of places) expect([place, existsSync(place ?? '')]).toEqual([place, true])
})
