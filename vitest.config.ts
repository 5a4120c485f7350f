import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const pure = [
  'tests/**/{decider,projection,process-manager,properties}.test.ts',
  'tests/{golden,web}/**/*.test.ts',
  'tests/*.test.ts',
]
/** Command-line tools as processes: what they wait for is not the processor, and nothing in them depends on how soon. */
const tools = [
  'tests/runtime/{*-cli,events-*,config,refusals,secrets-and-logs,installation,job-crashes,killed-at-work,embedded-postgres,restart-limit,backup-elsewhere,moved-store}.test.ts',
]
/** The browser, and processes that are killed again and again: they wait for what they expect, however long it takes. */
const patient = ['tests/{e2e,crash}/**/*.test.ts', 'tests/runtime/{rebuild-interrupted,planted-words}.test.ts']
/** What is held to the seconds a person is promised: never more at once than there are cores. */
const alone = ['tests/runtime/**/*.test.ts']

/** What takes longest though its file is short: begun last, everybody would wait for it alone. */
const long =
  /(crash\/crash|jobs\/(engine|given-up)|database-frozen|trouble-contract|carry-on|import\/(restart|given-up)|plan-gates|rebuild-interrupted|live-changes)\.test\.ts$/

/** The long ones first, then the largest, as ever. Vitest asks for a class. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

/**
 * Limits that end a hang. No test depends on them: each waits for a condition, however busy the machine is.
 * `expect.poll` gives up first, so that a failure names what was waited for.
 */
const hangs = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 100_000 } } }

/**
 * Five projects in one run, one after the other, and one database server for all of them. Only what is held to seconds has
 * a core to itself. A worker keeps what it has loaded for its next file: a third of the time went into loading the same again.
 * The projects do not extend this file's settings: each would start a database of its own.
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
          isolate: false,
          include: pure,
          ...hangs,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'integration',
          isolate: false,
          include: ['tests/**/*.test.ts'],
          exclude: [...pure, ...patient, ...alone],
          ...hangs,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'tools',
          isolate: false,
          maxConcurrency: 3,
          include: tools,
          ...hangs,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          name: 'patient',
          isolate: false,
          maxConcurrency: 3,
          maxWorkers: 3,
          include: patient,
          ...hangs,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          name: 'alone',
          isolate: false,
          maxConcurrency: 3,
          include: alone,
          exclude: [...tools, ...patient],
          ...hangs,
          maxWorkers: 2,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
})
