import { defineConfig } from 'vitest/config'
import { LongestFirst } from './tests/support/longest-first.ts'
import { testFiles } from './tests/support/projects.ts'

/**
 * Time-outs that end a hang. No test depends on them: each waits for a condition, however busy the machine is.
 * `expect.poll` times out first, so that a failure names the missing condition.
 */
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 100_000 } } }

/** Settings of the tests that start processes and a browser: on a machine that does other work too, a screen takes minutes. */
const parallel = { ...timeouts, testTimeout: 300_000, hookTimeout: 300_000, maxConcurrency: 3, maxWorkers: 3 }

/**
 * Four projects in one run, one after the other, with one database server for all of them; unit tests alone start none.
 * A worker keeps the modules that it has loaded for its next file (`isolate: false`), which saves a third of the time.
 * The projects do not extend this file's settings: each would start a database server of its own.
 */
export default defineConfig({
  cacheDir: './.cache/vite',
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    maxWorkers: 4,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: testFiles.unit,
          isolate: false,
          ...timeouts,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'integration',
          include: ['tests/**/*.test.ts'],
          exclude: Object.values(testFiles).flat(),
          isolate: false,
          ...timeouts,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'browser',
          include: testFiles.browser,
          setupFiles: ['tests/e2e/window-hooks.ts'],
          isolate: false,
          ...parallel,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: { name: 'system', include: testFiles.system, isolate: false, ...parallel, sequence: { groupOrder: 4 } },
      },
    ],
  },
})
