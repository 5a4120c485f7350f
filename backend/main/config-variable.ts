import { z } from 'zod'

/** A setting from the environment. */
export type Variable<T> = {
  /** What `--help` and `docs/operations/configuration.md` show; empty where nothing is the default. */
  defaultValue: string
  description: string
  /** Completes the sentence "<NAME> must be …". */
  requirement: string
  /** Never shown back in a message. */
  secret?: boolean
  schema: z.ZodType<T, string | undefined>
}

/** Declares a setting. */
export const defineVariable = <T>(described: Variable<T>) => described

/** What is set is a text, and nothing else. */
export const text = z.string()
/** Whether an address leads to a server of the web. */
export const isHttpUrl = (url: URL) => (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== ''
/** An address in its parts; undefined where it is none. */
export const parseUrl = (value: string) => (URL.canParse(value) ? new URL(value) : undefined)
