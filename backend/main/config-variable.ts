import { z } from 'zod'

/** A setting from the environment. */
export type Variable<T> = {
  /** The default that `--help` and `docs/operations/configuration.md` show; empty if there is none. */
  defaultValue: string
  description: string
  /** Completes the sentence "<NAME> must be …". */
  requirement: string
  /** True if messages must not repeat the value. */
  secret?: boolean
  schema: z.ZodType<T, string | undefined>
}

/** Declares a setting. */
export const defineVariable = <T>(described: Variable<T>) => described

/** The schema of an unparsed value. */
export const text = z.string()
/** Returns whether a URL is an HTTP address. */
export const isHttpUrl = (url: URL) => (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== ''
/** Parses an address; undefined if it is not a URL. */
export const parseUrl = (value: string) => (URL.canParse(value) ? new URL(value) : undefined)
