import path from 'node:path'
import { z } from 'zod'
import { type Key, parseKey } from '#encryption/cipher.ts'
import { isEventStoreDbAddress } from '#eventstore/kurrentdb/client.ts'
import type { StripeSettings } from '#modules/billing/settings.ts'
import { StartError } from '#runtime/start-error.ts'
import { billingVariables, type SandboxMode, resolveSandboxMode, parseStripeSettings } from './billing-config.ts'
import { isHttpUrl, parseUrl, text, type Variable, defineVariable } from './config-variable.ts'

const isPostgresUrl = (url: URL) => /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1
const secretText = text.min(32).optional()

const variables = {
  PORT: defineVariable({
    defaultValue: '3000',
    description: 'Port of the web app and its API; 0 takes any free one.',
    requirement: 'a whole number from 0 to 65535',
    schema: text
      .default('3000')
      .refine((value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535)
      .transform(Number),
  }),
  HOST: defineVariable({
    defaultValue: '127.0.0.1',
    description: 'Address to listen on; 0.0.0.0 lets other machines in.',
    requirement: 'a host name or an IP address',
    schema: text.default('127.0.0.1').refine((value) => /^[0-9A-Za-z._:-]+$/.test(value)),
  }),
  DATA_DIR: defineVariable({
    defaultValue: '.data',
    description:
      'Folder for the embedded database and the generated secrets; keep a copy of the secrets, separate from the backups.',
    requirement: 'the path of a folder',
    schema: text
      .default('.data')
      .refine((value) => !value.includes('\0'))
      .transform((value) => path.resolve(value)),
  }),
  DATABASE_URL: defineVariable({
    defaultValue: '',
    description:
      'An external PostgreSQL 15 or newer to use instead of the embedded one: postgres://user:password@host:5432/database.',
    requirement: 'an address such as postgres://user:password@host:5432/database',
    secret: true,
    schema: text.refine((value) => isPostgresUrl(parseUrl(value) ?? new URL('none:x'))).optional(),
  }),
  EVENTSTORE_URL: defineVariable({
    defaultValue: 'postgres',
    description:
      'Where events are stored: "postgres" means the database; otherwise the address of an EventStoreDB or KurrentDB, such as esdb://user:password@host:2113.',
    requirement:
      '"postgres", or an address such as esdb://user:password@host:2113 or kurrentdb://host:2113?tls=false with options that its client supports',
    secret: true,
    schema: text.default('postgres').refine((value) => value === 'postgres' || isEventStoreDbAddress(value)),
  }),
  PUBLIC_URL: defineVariable({
    defaultValue: '',
    description:
      'The address that users open, when it is not http://HOST:PORT; with https:// the session cookie is Secure.',
    requirement: 'an address such as https://practice.example, without a path',
    schema: text
      .refine((value) => {
        const url = parseUrl(value)
        return url !== undefined && isHttpUrl(url) && url.pathname === '/' && url.search === '' && url.hash === ''
      })
      .transform((value) => new URL(value).origin)
      .optional(),
  }),
  TRUST_PROXY: defineVariable({
    defaultValue: 'false',
    description: 'Set to true behind a reverse proxy that overwrites X-Forwarded-For and X-Forwarded-Proto.',
    requirement: 'true or false',
    schema: z
      .enum(['true', 'false'])
      .default('false')
      .transform((value) => value === 'true'),
  }),
  SESSION_SECRET: defineVariable({
    defaultValue: 'generated',
    description:
      'Signs session cookies; at least 32 characters, the same on every instance; must be set in production.',
    requirement: 'at least 32 characters long',
    secret: true,
    schema: secretText,
  }),
  MASTER_KEY: defineVariable({
    defaultValue: 'generated',
    description:
      'Encrypts the data keys of patients: 32 random bytes as base64 or hex, the same on every instance; must be set in production.',
    requirement: '32 bytes as base64 or as 64 hexadecimal digits, such as the output of openssl rand -base64 32',
    secret: true,
    schema: text
      .refine((value) => parseKey(value) !== null)
      .transform((value) => parseKey(value) as Key)
      .optional(),
  }),
  HASH_KEY: defineVariable({
    defaultValue: 'generated',
    description:
      'Key of the hashes that replace e-mail addresses and client addresses; stored encrypted in the database; never change it.',
    requirement: 'at least 32 characters long',
    secret: true,
    schema: secretText,
  }),
  LOG_LEVEL: defineVariable({
    defaultValue: 'info',
    description: 'The lowest severity that is logged: trace, debug, info, warn, error, fatal or silent.',
    requirement: 'one of trace, debug, info, warn, error, fatal, silent',
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  }),
  ...billingVariables,
  SAMPLE_PRACTICE: defineVariable({
    defaultValue: 'on',
    description: 'With off, the practices of demo users start empty instead of with sample patients and appointments.',
    requirement: 'on or off',
    schema: z
      .enum(['on', 'off'])
      .default('on')
      .transform((value) => value === 'on'),
  }),
  NODE_ENV: defineVariable({
    defaultValue: 'development',
    description: 'With production, logs are one JSON line per event, and SESSION_SECRET and MASTER_KEY must be set.',
    requirement: 'development, production or test',
    schema: z.enum(['development', 'production', 'test']).default('development'),
  }),
}

type Variables = typeof variables
type Values = { [Name in keyof Variables]: z.output<Variables[Name]['schema']> }

/** The settings of one process. Times, limits and rules of the practice are not settings; they are in the modules. */
export type Config = {
  port: number
  host: string
  /** Absolute path. */
  dataDir: string
  /** Undefined: the embedded database. */
  databaseUrl: string | undefined
  /** Undefined: events are stored in the database. */
  eventStoreUrl: string | undefined
  /** An origin without a trailing slash. */
  publicUrl: string | undefined
  trustProxy: boolean
  sessionSecret: string | undefined
  masterKey: Key | undefined
  hashKey: string | undefined
  webhookSecret: string | undefined
  /** Mode of the billing sandbox; `off`: it is not loaded, and there are no payments without Stripe. */
  billingSandbox: SandboxMode
  /** Null: Stripe is not configured. */
  stripe: StripeSettings | null
  /** True if demo users get a sample practice. */
  samplePractice: boolean
  logLevel: Values['LOG_LEVEL']
  production: boolean
}

/** Every environment variable with its default and purpose: `docs/operations/configuration.md` and `--help` list them. */
export const documentedVariables: readonly { name: string; fallback: string; about: string }[] = Object.entries(
  variables,
).map(([name, { defaultValue: fallback, description: about }]) => ({ name, fallback, about }))

/** Reads the settings. An empty variable counts as unset. Throws StartError that names the first wrong one. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const values = Object.fromEntries(
    Object.entries(variables).map(([name, { schema, requirement, secret }]: [string, Variable<unknown>]) => {
      const given = environment[name]?.trim() || undefined
      const result = schema.safeParse(given)
      if (result.success) return [name, result.data]
      throw new StartError(`${name} must be ${requirement}${secret ? '' : `, not "${given?.slice(0, 100)}"`}.`)
    }),
  ) as Values
  const production = values.NODE_ENV === 'production'
  if (production && values.SESSION_SECRET === undefined) {
    throw new StartError('SESSION_SECRET must be set in production: at least 32 random characters.')
  }
  if (production && values.MASTER_KEY === undefined) {
    throw new StartError(
      'MASTER_KEY must be set in production: 32 random bytes, such as the output of openssl rand -base64 32.',
    )
  }
  const stripe = parseStripeSettings(values)
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    eventStoreUrl: values.EVENTSTORE_URL === 'postgres' ? undefined : values.EVENTSTORE_URL,
    publicUrl: values.PUBLIC_URL,
    trustProxy: values.TRUST_PROXY,
    sessionSecret: values.SESSION_SECRET,
    masterKey: values.MASTER_KEY,
    hashKey: values.HASH_KEY,
    webhookSecret: values.STRIPE_WEBHOOK_SECRET,
    // Only one payment provider is active.
    billingSandbox: stripe ? 'off' : resolveSandboxMode(values.BILLING_SANDBOX, production),
    stripe,
    samplePractice: values.SAMPLE_PRACTICE,
    logLevel: values.LOG_LEVEL,
    production,
  }
}

/** Returns the text of `npm start -- --help`. */
export function helpText(): string {
  const name = Math.max(...documentedVariables.map((setting) => setting.name.length))
  const lines = documentedVariables.map(({ name: key, fallback, about }) => {
    const start = fallback === '' ? 'unset' : fallback
    return `  ${key.padEnd(name)}  ${about} (${fallback === 'generated' ? 'generated at the first start' : start})`
  })
  return [
    'Everchart, the record of a medical practice.',
    '',
    '  npm start            starts Everchart',
    '  npm test             runs all tests',
    '',
    'Settings (environment variables) and their defaults:',
    '',
    ...lines,
    '',
  ].join('\n')
}
