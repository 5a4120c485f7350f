import type { ParseArgsConfig } from 'node:util'

/** The result of a stress test: a summary line and the problems found. */
export type Verdict = { ok: boolean; line: string; problems: readonly string[] }

/** The parsed command-line flags. */
export type Flags = { readonly [flag: string]: string | boolean | undefined }

/** The input of a stress test; `reportProgress` prints a line. */
export type RunOptions = { flags: Flags; reportProgress(progress: string): void; signal: AbortSignal }

/** A stress test of `npm run stress`. */
export type StressTest = {
  /** Its section of `--help`. */
  help: string
  flags: NonNullable<ParseArgsConfig['options']>
  /** Returns whether these flags select this test. */
  isSelectedBy(flags: Flags): boolean
  run(run: RunOptions): Promise<Verdict>
}

/** Invalid flags: printed as one line, exit code 2. */
export class UsageError extends Error {}

/** Returns the positive integer of a flag, or the default without one. Throws UsageError. */
export function parseCount(flags: Flags, name: string, defaultCount: number): number {
  const given = flags[name]
  if (given === undefined) return defaultCount
  if (typeof given !== 'string' || !/^[1-9]\d{0,8}$/.test(given))
    throw new UsageError(`--${name} needs a number above 0`)
  return Number(given)
}
