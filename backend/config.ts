import path from 'node:path'
import { z } from 'zod'
import { type Key, readKey } from '#eventstore/cipher.ts'
import { isEventStoreDbAddress } from '#eventstore/eventstoredb-client.ts'
import { StartError } from '#runtime/start-error.ts'
import { billingVariables, type SandboxMode, sandboxOf, stripeOf, type StripeKeys } from './billing-config.ts'
import { isHttp, parsed, text, type Variable, variable } from './config-variable.ts'

const isPostgres = (url: URL) => /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1
const secretText = text.min(32).optional()

const variables = {
  PORT: variable({
    fallback: '3000',
    about: 'Port of the web app and its API; 0 takes any free one.',
    must: 'a whole number from 0 to 65535',
    schema: text
      .default('3000')
      .refine((value) => /^\d{1,5}$/.test(value) && Number(value) <= 65_535)
      .transform(Number),
  }),
  HOST: variable({
    fallback: '127.0.0.1',
    about: 'Address to listen on; 0.0.0.0 lets other machines in.',
    must: 'a host name or an IP address',
    schema: text.default('127.0.0.1').refine((value) => /^[0-9A-Za-z._:-]+$/.test(value)),
  }),
  DATA_DIR: variable({
    fallback: '.data',
    about:
      'Folder for the embedded database and the generated secrets; keep a copy of the secrets, separate from the backups.',
    must: 'the path of a folder',
    schema: text
      .default('.data')
      .refine((value) => !value.includes('\0'))
      .transform((value) => path.resolve(value)),
  }),
  DATABASE_URL: variable({
    fallback: '',
    about:
      'An external PostgreSQL 15 or newer to use instead of the embedded one: postgres://user:password@host:5432/database.',
    must: 'an address such as postgres://user:password@host:5432/database',
    secret: true,
    schema: text.refine((value) => isPostgres(parsed(value) ?? new URL('none:x'))).optional(),
  }),
  EVENTSTORE_URL: variable({
    fallback: 'postgres',
    about:
      'Where events are stored: "postgres" means the database; otherwise the address of an EventStoreDB or KurrentDB, such as esdb://user:password@host:2113.',
    must: '"postgres", or an address such as esdb://user:password@host:2113 or kurrentdb://host:2113?tls=false with options its client knows',
    secret: true,
    schema: text.default('postgres').refine((value) => value === 'postgres' || isEventStoreDbAddress(value)),
  }),
  PUBLIC_URL: variable({
    fallback: '',
    about: 'The address that users open, when it is not http://HOST:PORT; with https:// the session cookie is Secure.',
    must: 'an address such as https://practice.example, without a path',
    schema: text
      .refine((value) => {
        const url = parsed(value)
        return url !== undefined && isHttp(url) && url.pathname === '/' && url.search === '' && url.hash === ''
      })
      .transform((value) => new URL(value).origin)
      .optional(),
  }),
  TRUST_PROXY: variable({
    fallback: 'false',
    about: 'Set to true behind a reverse proxy that overwrites X-Forwarded-For and X-Forwarded-Proto.',
    must: 'true or false',
    schema: z
      .enum(['true', 'false'])
      .default('false')
      .transform((value) => value === 'true'),
  }),
  SESSION_SECRET: variable({
    fallback: 'generated',
    about: 'Signs session cookies; at least 32 characters, the same on every instance; must be set in production.',
    must: 'at least 32 characters long',
    secret: true,
    schema: secretText,
  }),
  MASTER_KEY: variable({
    fallback: 'generated',
    about:
      'Encrypts the data keys of patients: 32 random bytes as base64 or hex, the same on every instance; must be set in production.',
    must: '32 bytes as base64 or as 64 hexadecimal digits, such as openssl rand -base64 32 makes',
    secret: true,
    schema: text
      .refine((value) => readKey(value) !== null)
      .transform((value) => readKey(value) as Key)
      .optional(),
  }),
  HASH_KEY: variable({
    fallback: 'generated',
    about:
      'Key of the hashes that stand for e-mail addresses and clients; stored encrypted in the database; never change it.',
    must: 'at least 32 characters long',
    secret: true,
    schema: secretText,
  }),
  LOG_LEVEL: variable({
    fallback: 'info',
    about: 'The lowest severity that is logged: trace, debug, info, warn, error, fatal or silent.',
    must: 'one of trace, debug, info, warn, error, fatal, silent',
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  }),
  ...billingVariables,
  SAMPLE_PRACTICE: variable({
    fallback: 'on',
    about: 'With off, the practices of demo users start empty instead of with sample patients and appointments.',
    must: 'on or off',
    schema: z
      .enum(['on', 'off'])
      .default('on')
      .transform((value) => value === 'on'),
  }),
  NODE_ENV: variable({
    fallback: 'development',
    about: 'With production, logs are one JSON line per event, and SESSION_SECRET and MASTER_KEY must be set.',
    must: 'development, production or test',
    schema: z.enum(['development', 'production', 'test']).default('development'),
  }),
}

type Variables = typeof variables
type Values = { [Name in keyof Variables]: z.output<Variables[Name]['schema']> }

/** The settings of one process. Times, limits and rules of the practice are not settings; they are in the modules. */
export type Config = {
  port: number
  host: string
  /** Absolute. */
  dataDir: string
  /** Undefined: the embedded database. */
  databaseUrl: string | undefined
  /** Undefined: events are kept in the database. */
  eventStoreUrl: string | undefined
  /** An origin, without a slash at the end. */
  publicUrl: string | undefined
  trustProxy: boolean
  sessionSecret: string | undefined
  masterKey: Key | undefined
  hashKey: string | undefined
  webhookSecret: string | undefined
  /** Whether test cards are taken; `off`: nobody can pay. */
  billingSandbox: SandboxMode
  /** Null: Stripe is not set up. */
  stripe: StripeKeys | null
  /** Whether demo users get a sample practice. */
  samplePractice: boolean
  logLevel: Values['LOG_LEVEL']
  production: boolean
}

/** Every environment variable with its default and what it is for: `docs/operations/configuration.md` and `--help` list them. */
export const settings: readonly { name: string; fallback: string; about: string }[] = Object.entries(variables).map(
  ([name, { fallback, about }]) => ({ name, fallback, about }),
)

/** Reads the settings. An empty variable counts as unset. Throws StartError that names the first wrong one. */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const values = Object.fromEntries(
    Object.entries(variables).map(([name, { schema, must, secret }]: [string, Variable<unknown>]) => {
      const given = environment[name]?.trim() || undefined
      const result = schema.safeParse(given)
      if (result.success) return [name, result.data]
      throw new StartError(`${name} must be ${must}${secret ? '' : `, not "${given?.slice(0, 100)}"`}.`)
    }),
  ) as Values
  const production = values.NODE_ENV === 'production'
  if (production && values.SESSION_SECRET === undefined) {
    throw new StartError('SESSION_SECRET must be set in production: at least 32 random characters.')
  }
  if (production && values.MASTER_KEY === undefined) {
    throw new StartError(
      'MASTER_KEY must be set in production: 32 random bytes, such as openssl rand -base64 32 makes.',
    )
  }
  const stripe = stripeOf(values)
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
    // One of them takes the money, never both.
    billingSandbox: stripe ? 'off' : sandboxOf(values.BILLING_SANDBOX, production),
    stripe,
    samplePractice: values.SAMPLE_PRACTICE,
    logLevel: values.LOG_LEVEL,
    production,
  }
}

/** The text of `npm start -- --help`. */
export function helpText(): string {
  const name = Math.max(...settings.map((setting) => setting.name.length))
  const lines = settings.map(({ name: key, fallback, about }) => {
    const start = fallback === '' ? 'unset' : fallback
    return `  ${key.padEnd(name)}  ${about} (${fallback === 'generated' ? 'generated at the first start' : start})`
  })
  return [
    'Everchart, the record of a medical practice.',
    '',
    '  npm start            starts it',
    '  npm test             runs all its tests',
    '',
    'Settings, from the environment, with what holds when they are not set:',
    '',
    ...lines,
    '',
  ].join('\n')
}
