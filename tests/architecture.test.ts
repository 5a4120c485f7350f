import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type Files, rules } from './architecture/rules.ts'

const files: Files = new Map(
  globSync(['contracts/**/*.ts', 'backend/**/*.ts', 'web/**/*.{ts,tsx,css}', 'tests/**/*.{ts,tsx}'])
    .toSorted()
    .map((file) => [file, readFileSync(file, 'utf8')]),
)

it('reads the whole source tree', () => {
  for (const folder of ['contracts/', 'backend/', 'web/', 'tests/'])
    expect([...files.keys()].filter((file) => file.startsWith(folder)).length).toBeGreaterThan(20)
})

it.each(rules)('$name', ({ offenders }) => {
  expect(offenders(files)).toEqual([])
})

it.each(rules)('finds a planted offender: $name', ({ offenders, planted, reports }) => {
  expect(offenders(new Map(Object.entries(planted)))).toEqual(reports)
})
