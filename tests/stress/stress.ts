import type { ParseArgsConfig } from 'node:util'

/** What came of a stress: one line for people, and what went wrong in so many words. */
export type Verdict = { ok: boolean; line: string; problems: readonly string[] }

/** The flags as they were given. */
export type Flags = { readonly [flag: string]: string | boolean | undefined }

/** What a stress is given: its flags, and how it says how far it is. */
export type RunOptions = { flags: Flags; reportProgress(progress: string): void; signal: AbortSignal }

/** One kind of stress behind `npm run stress`. */
export type StressTest = {
  /** Its part of `--help`. */
  help: string
  flags: NonNullable<ParseArgsConfig['options']>
  /** Whether these flags ask for it; the last of the list is what runs when none does. */
  isSelectedBy(flags: Flags): boolean
  run(run: RunOptions): Promise<Verdict>
}

/** Nonsense on the command line: one line, exit code 2. */
export class UsageError extends Error {}

/** A whole number above zero from a flag, or what stands for it when it was not given. Throws Misused. */
export function parseCount(flags: Flags, name: string, otherwise: number): number {
  const given = flags[name]
  if (given === undefined) return otherwise
  if (typeof given !== 'string' || !/^[1-9]\d{0,8}$/.test(given))
    throw new UsageError(`--${name} wants a number above 0`)
  return Number(given)
}
