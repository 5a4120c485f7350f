import { expect, test } from 'vitest'

type Status = 'passed' | 'failed' | 'skipped'
type FileResult = {
  name: string
  status: 'passed' | 'failed'
  startTime: number
  endTime: number
  assertionResults: { status: Status }[]
}
type Report = {
  numPassedTests: number
  numFailedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: FileResult[]
}
type Count = { passed: number; failed: number; skipped: number }
type Try = { file: string; report: Report | null }
const module = new URL('../../scripts/second-try.mjs', import.meta.url).href
const { applySecondTries, chooseSecondTries, findSlowestFiles, maxSecondTries } = (await import(module)) as {
  applySecondTries(report: Report, tries: Try[]): { count: Count; unstable: string[] }
  chooseSecondTries(report: Report | null): string[]
  findSlowestFiles(report: Report, count: number): { file: string; seconds: number }[]
  maxSecondTries: number
}

/** Returns a report of vitest about files with these results of their tests. */
function reportOf(files: Record<string, Status[]>): Report {
  const testResults = Object.entries(files).map(([name, statuses], n) => ({
    name,
    status: statuses.length === 0 || statuses.includes('failed') ? ('failed' as const) : ('passed' as const),
    startTime: 0,
    endTime: 1000 * n,
    assertionResults: statuses.map((status) => ({ status })),
  }))
  const countOf = (wanted: Status) =>
    Object.values(files)
      .flat()
      .filter((status) => status === wanted).length
  return {
    numPassedTests: countOf('passed'),
    numFailedTests: countOf('failed'),
    numPendingTests: countOf('skipped'),
    numTodoTests: 0,
    testResults,
  }
}

test('a file that passes alone makes the run green, and is named', () => {
  const report = reportOf({ a: ['passed', 'failed', 'skipped'], b: ['passed'] })
  expect(chooseSecondTries(report)).toEqual(['a'])
  const second = { file: 'a', report: reportOf({ a: ['passed', 'passed', 'skipped'] }) }
  expect(applySecondTries(report, [second])).toEqual({
    count: { passed: 3, failed: 0, skipped: 1 },
    unstable: ['a'],
  })
})

test.each<[string, Report | null]>([
  ['fails again', reportOf({ a: ['passed', 'failed'] })],
  ['cannot be loaded', reportOf({ a: [] })],
  ['skips all of its tests', reportOf({ a: ['skipped', 'skipped'] })],
  ['writes no report', null],
])('a file that %s stays red', (_, second) => {
  const report = reportOf({ a: ['passed', 'failed'], b: ['passed'] })
  expect(applySecondTries(report, [{ file: 'a', report: second }])).toEqual({
    count: { passed: 2, failed: 1, skipped: 0 },
    unstable: [],
  })
})

test('a file that could not be loaded is red, and green when it can be loaded alone', () => {
  const report = reportOf({ a: [], b: ['passed'] })
  expect(applySecondTries(report, []).count).toEqual({ passed: 1, failed: 1, skipped: 0 })
  const second = { file: 'a', report: reportOf({ a: ['passed', 'passed'] }) }
  expect(applySecondTries(report, [second]).count).toEqual({ passed: 3, failed: 0, skipped: 0 })
})

test('more failed files than a few are red at once', () => {
  const failed = (count: number) =>
    reportOf(Object.fromEntries(Array.from({ length: count }, (_, n) => [`file ${n}`, ['failed'] as Status[]])))
  expect(chooseSecondTries(failed(maxSecondTries))).toHaveLength(maxSecondTries)
  expect(chooseSecondTries(failed(maxSecondTries + 1))).toEqual([])
  expect(chooseSecondTries(null)).toEqual([])
})

test('the slowest files come first', () => {
  const report = reportOf({ a: ['passed'], b: ['passed'], c: ['passed'] })
  expect(findSlowestFiles(report, 2)).toEqual([
    { file: 'c', seconds: 2 },
    { file: 'b', seconds: 1 },
  ])
})
