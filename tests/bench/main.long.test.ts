import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

const bench = (...args: string[]) => spawnSync(process.execPath, ['tests/bench/main.ts', ...args], { encoding: 'utf8' })

it('prints its parts and flags', () => {
  const { status, stdout } = bench('--help')
  expect([status, stdout]).toEqual([0, expect.stringContaining('--json')])
})

it.each([['--frob'], ['frob'], ['--seconds', 'x'], ['--seconds', '0'], ['--seconds']])(
  'refuses invalid arguments in one line before anything is started: %j',
  (...args) => {
    const { status, stdout, stderr } = bench(...args)
    expect([status, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(/^[^\n]+ \(see --help\)\n$/)
  },
)
