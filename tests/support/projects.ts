import { globSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'

/** The vitest projects and their test files, by folder and name; `integration` runs all other files. */
export const testFiles = {
  /** Pure: no database, no process, no browser. */
  unit: [
    'tests/*.test.ts',
    'tests/{contracts,golden,web}/**/*.test.ts',
    'tests/{modules,stand-ins}/**/{decider,projection,process-manager,properties,analyze-by-rules,describe-form,chart-lines,read-reply,read-intent,x12,scrub-question,parse-row,parse-intent,rechecks,booking-concerns,free-slots,reminders}.test.ts',
  ],
  /** The built web app, mostly in a real Chromium. */
  browser: ['tests/e2e/**/*.test.ts'],
  /** Processes that are started, stopped and killed. */
  system: ['tests/{bench,crash,runtime}/**/*.test.ts'],
}

export const isUnitTest = (file: string) => testFiles.unit.some((pattern) => matchesGlob(file, pattern))

/** Long tests: too slow for the gate, or with loops that are longer with LONG=1. `npm run test:long` runs them. */
const isLongFile = (file: string) =>
  file.endsWith('.long.test.ts') || /'(#tests\/support\/long|\.\/looks)\.ts'/.test(readFileSync(file, 'utf8'))

/** Returns the files that a run leaves out: the gate those named `*.long.test.ts`, a long run all that are not long. */
export const findExcluded = (isLongRun: boolean): string[] =>
  isLongRun ? globSync('tests/**/*.test.ts').filter((file) => !isLongFile(file)) : ['tests/**/*.long.test.ts']
