// Decides what a run of all tests means: which failed files get a second try, and what the closing line says.

/** More failed files than this are no coincidence. */
export const maxSecondTries = 5

/** Returns whether a file failed without a failed test in it, such as a file that cannot be imported. */
const failedToLoad = (file) =>
  file.status === 'failed' && !file.assertionResults.some((result) => result.status === 'failed')

/** Returns the counts of a JSON report of vitest; a file that could not be loaded counts as one failure. */
export function countResults({ numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults }) {
  return {
    passed: numPassedTests,
    failed: numFailedTests + testResults.filter(failedToLoad).length,
    skipped: numPendingTests + numTodoTests,
  }
}

/** Returns the files of a report that failed, in its order. */
export const findFailedFiles = ({ testResults }) =>
  testResults.filter(({ status }) => status === 'failed').map(({ name }) => name)

/**
 * Returns the files that run once more, alone. None when too many failed, or when the run has failed in another way than by
 * these files: it says nothing about them then.
 */
export function chooseSecondTries(report) {
  const failed = report ? findFailedFiles(report) : []
  return failed.length <= maxSecondTries ? failed : []
}

/**
 * Returns the counts after the second tries, and the files that passed only alone. `tries` has, for each file that ran once
 * more, the report of that run or null when it wrote none.
 */
export function applySecondTries(report, tries) {
  const count = countResults(report)
  const unstable = []
  for (const { file, report: second } of tries) {
    const again = second && countResults(second)
    if (!again || again.failed > 0 || again.passed === 0) continue
    const first = countResults(toReport(report.testResults.filter(({ name }) => name === file)))
    count.passed += again.passed - first.passed
    count.failed -= first.failed
    count.skipped += again.skipped - first.skipped
    unstable.push(file)
  }
  return { count, unstable }
}

/** Returns a report of some of the files of another one. */
function toReport(testResults) {
  const statuses = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
  const countOf = (...wanted) => statuses.filter((status) => wanted.includes(status)).length
  return {
    numPassedTests: countOf('passed'),
    numFailedTests: countOf('failed'),
    numPendingTests: countOf('skipped', 'pending', 'disabled'),
    numTodoTests: countOf('todo'),
    testResults,
  }
}

/** Returns the slowest files of a report with their seconds, slowest first. */
export const findSlowestFiles = ({ testResults }, count) =>
  testResults
    .map(({ name, startTime, endTime }) => ({ file: name, seconds: (endTime - startTime) / 1000 }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, count)
