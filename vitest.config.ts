import { defineConfig } from 'vitest/config'

const pure = [
  'tests/**/{decider,projection,process-manager,properties}.test.ts',
  'tests/{golden,web}/**/*.test.ts',
  'tests/*.test.ts',
]
/** Command-line tools as processes: what they wait for is not the processor, and nothing in them depends on how soon. */
const tools = [
  'tests/runtime/{*-cli,events-*,config,refusals,secrets-and-logs,installation,planted-words,backup-elsewhere,moved-store}.test.ts',
]
const alone = ['tests/{e2e,runtime,crash}/**/*.test.ts']

/**
 * Four projects in one run and one database server for all of them: `unit`, `integration` and `tools` share the processor,
 * `e2e` (the browser, and processes of the application that are killed) has it to itself.
 * The projects do not extend this file's settings: each would start a database of its own.
 */
export default defineConfig({
  cacheDir: './.cache/vite',
  test: {
    globalSetup: ['tests/support/global-setup.ts'],
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: pure,
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'integration',
          include: ['tests/**/*.test.ts'],
          exclude: [...pure, ...alone],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'tools',
          maxConcurrency: 3,
          include: tools,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'e2e',
          maxConcurrency: 3,
          include: alone,
          exclude: tools,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          fileParallelism: false,
          maxWorkers: 1,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
})
