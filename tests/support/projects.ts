import { matchesGlob } from 'node:path'

/** Which test belongs to which vitest project follows from its folder and name; integration takes every other one. */
export const testFiles = {
  /** Pure: no database, no process, no browser. */
  unit: [
    'tests/*.test.ts',
    'tests/{contracts,golden,web}/**/*.test.ts',
    'tests/{modules,stand-ins}/**/{decider,projection,process-manager,properties}.test.ts',
  ],
  /** The built web app, most of it in a real Chromium. */
  browser: ['tests/e2e/**/*.test.ts'],
  /** Processes of our own that are started, stopped and killed. */
  system: ['tests/{bench,crash,runtime}/**/*.test.ts'],
}

export const isUnitTest = (file: string) => testFiles.unit.some((pattern) => matchesGlob(file, pattern))
