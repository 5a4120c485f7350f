import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/support/longest-first.ts'
import { findExcluded, testFiles } from './tests/support/projects.ts'

/**
 * Time-outs that end a hang. No test depends on them: each waits for a condition, however busy the machine is.
 * `expect.poll` times out first, so that a failure names the missing condition.
 */
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 100_000 } } }

/** Settings of the tests that start processes and a browser: on a machine that does other work too, a screen takes minutes. */
const parallel = { ...timeouts, testTimeout: 300_000, hookTimeout: 300_000, maxConcurrency: 2 }

/** Settings of every project. A worker keeps the modules that it has loaded for its next file, which saves a third of the time. */
const shared = { isolate: false, setupFiles: ['tests/support/fix-seeds.ts'] }
const excluded = findExcluded(process.env['LONG'] === '1')

/**
 * Four projects in one run, one after the other, with one database server for all of them; unit tests alone start none.
 * The projects do not extend this file's settings: each would start a database server of its own.
 */
export default defineConfig({
  cacheDir: './.cache/vite',
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    // Each worker is busy while its tests run: more workers than cores take longer in all (33 s with 2, 50 s with 4).
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...shared,
          ...timeouts,
          name: 'unit',
          include: testFiles.unit,
          exclude: excluded,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          ...timeouts,
          name: 'integration',
          include: ['tests/**/*.test.ts'],
          exclude: [...excluded, ...Object.values(testFiles).flat()],
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          ...parallel,
          name: 'browser',
          include: testFiles.browser,
          exclude: excluded,
          setupFiles: [...shared.setupFiles, 'tests/e2e/window-hooks.ts'],
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...shared,
          ...parallel,
          name: 'system',
          include: testFiles.system,
          exclude: excluded,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
