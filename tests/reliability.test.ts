import { existsSync, globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** The lines of the table: a promise, the tests of the gate that hold it, and the long ones. */
const lines = readFileSync('docs/reliability.md', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|') && line.includes('`tests/'))
  .map((line) => {
    const [, promise = '', gate = '', long = ''] = line.split('|')
    const findTests = (cell: string) => [...cell.matchAll(/`(tests\/[^`]+)`/g)].map(([, file = '']) => file)
    return { promise: promise.trim(), gate: findTests(gate), long: findTests(long) }
  })

it('has a test of the gate for every promise', () => {
  expect(lines.length).toBeGreaterThan(10)
  for (const { promise, gate } of lines) {
    expect([promise, gate.length > 0]).toEqual([promise, true])
    expect(gate.filter((file) => file.endsWith('.long.test.ts'))).toEqual([])
  }
})

it('names tests that exist', () => {
  const named = lines.flatMap(({ gate, long }) => [...gate, ...long])
  expect(named.filter((file) => !existsSync(file))).toEqual([])
})

it('says of every long test which promise it holds', () => {
  const named = new Set(lines.flatMap(({ long }) => long))
  expect(globSync('tests/**/*.long.test.ts').filter((file) => !named.has(file))).toEqual([])
})
