import path from 'node:path'
import { z } from 'zod'
import { TimeZone } from '#contracts/values/time-zone.ts'
import { type Key, parseKey } from '#encryption/cipher.ts'
import { isEventStoreDbAddress } from '#eventstore/kurrentdb/address.ts'
import type { StripeSettings } from '#modules/billing/settings.ts'
import { StartError } from '#runtime/start-error.ts'
import { billingVariables, type SandboxMode, resolveSandboxMode, parseStripeSettings } from './billing-config.ts'
import { startFlags } from './command-line.ts'
import { isHttpUrl, parseUrl, text, type Variable, defineVariable } from './config-variable.ts'
import { type MailSettings, mailVariables, parseMailSettings } from './mail-config.ts'
import { aiVariables, parseModelSettings } from './ai-config.ts'
import { eligibilityVariables, parseClearinghouseSettings } from './eligibility-config.ts'
import { parseSmsSettings, smsVariables } from './sms-config.ts'

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
  OWNER_DATABASE_URL: defineVariable({
    defaultValue: '',
    description:
      'With DATABASE_URL: the same database with the role that owns the stored events, used for upgrades only, so that DATABASE_URL need not be able to change them.',
    requirement: 'an address such as postgres://owner:password@host:5432/database',
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
    description:
      'The number of reverse proxies in front that add to X-Forwarded-For, such as 1; true means 1, false means none.',
    requirement: 'true, false or a number from 0 to 10',
    schema: text
      .default('false')
      .refine((value) => /^(true|false|\d|10)$/.test(value))
      .transform((value) => (value === 'true' ? 1 : value === 'false' ? 0 : Number(value))),
  }),
  ALLOW_INSECURE: defineVariable({
    defaultValue: '',
    description:
      'With 1, HOST may let other machines in although neither PUBLIC_URL is https nor a proxy is trusted; for trusted networks only.',
    requirement: '1, or unset',
    schema: z
      .literal('1')
      .optional()
      .transform((value) => value === '1'),
  }),
  HSTS_SUBDOMAINS: defineVariable({
    defaultValue: 'off',
    description: 'With on, browsers use https for all subdomains of PUBLIC_URL too; only when all of them support it.',
    requirement: 'on or off',
    schema: z
      .enum(['on', 'off'])
      .default('off')
      .transform((value) => value === 'on'),
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
  ...mailVariables,
  ...smsVariables,
  ...aiVariables,
  ...eligibilityVariables,
  SAMPLE_PRACTICE: defineVariable({
    defaultValue: 'on',
    description: 'With off, the practices of demo users start empty instead of with sample patients and appointments.',
    requirement: 'on or off',
    schema: z
      .enum(['on', 'off'])
      .default('on')
      .transform((value) => value === 'on'),
  }),
  CONFIRMATION_QUIET_HOURS: defineVariable({
    defaultValue: 'on',
    description: 'With off, messages that ask patients about their appointments leave between 20:00 and 8:00, too.',
    requirement: 'on or off',
    schema: z
      .enum(['on', 'off'])
      .default('on')
      .transform((value) => value === 'on'),
  }),
  CONFIRMATIONS_PER_MINUTE: defineVariable({
    defaultValue: '120',
    description:
      'The messages to patients that one instance sends in a minute at most, those about the earliest appointments first.',
    requirement: 'a whole number from 1 to 6000',
    schema: text
      .default('120')
      .refine((value) => /^[1-9]\d{0,3}$/.test(value) && Number(value) <= 6000)
      .transform(Number),
  }),
  DEFAULT_TIME_ZONE: defineVariable({
    defaultValue: 'America/New_York',
    description: 'The time zone of a practice that is set up by a client that does not send one.',
    requirement: 'the IANA name of a time zone, such as America/Chicago',
    schema: TimeZone.default('America/New_York'),
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
  /** The same database with the role that owns the stored events; undefined: there is only one role. */
  ownerDatabaseUrl: string | undefined
  /** Undefined: events are stored in the database. */
  eventStoreUrl: string | undefined
  /** An origin without a trailing slash. */
  publicUrl: string | undefined
  /** The number of reverse proxies in front whose headers are trusted. */
  trustedProxies: number
  hasSecureSubdomains: boolean
  sessionSecret: string | undefined
  masterKey: Key | undefined
  hashKey: string | undefined
  webhookSecret: string | undefined
  /** Mode of the billing sandbox; `off`: it is not loaded, and there are no payments without Stripe. */
  billingSandbox: SandboxMode
  /** Null: Stripe is not configured. */
  stripe: StripeSettings | null
  mail: MailSettings
  /** Null: text messages go to the outbox. */
  sms: ReturnType<typeof parseSmsSettings>
  /** Null: rules do its work. */
  model: ReturnType<typeof parseModelSettings>
  /** Null: people decide about coverages. */
  clearinghouse: ReturnType<typeof parseClearinghouseSettings>
  /** The address that visitors write to; undefined: none is shown. */
  contactEmail: string | undefined
  /** A mailto: or https: address for reports of vulnerabilities. */
  securityContact: string | undefined
  /** True if demo users get a sample practice. */
  samplePractice: boolean
  /** IANA name. */
  defaultTimeZone: TimeZone
  /** True if no message to a patient leaves at night. */
  hasQuietHours: boolean
  messagesPerMinute: number
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
  requireEncryption(values)
  if (values.OWNER_DATABASE_URL !== undefined && values.DATABASE_URL === undefined)
    throw new StartError('DATABASE_URL must be set too when OWNER_DATABASE_URL is.')
  const stripe = parseStripeSettings(values)
  return {
    port: values.PORT,
    host: values.HOST,
    dataDir: values.DATA_DIR,
    databaseUrl: values.DATABASE_URL,
    ownerDatabaseUrl: values.OWNER_DATABASE_URL,
    eventStoreUrl: values.EVENTSTORE_URL === 'postgres' ? undefined : values.EVENTSTORE_URL,
    publicUrl: values.PUBLIC_URL,
    trustedProxies: values.TRUST_PROXY,
    hasSecureSubdomains: values.HSTS_SUBDOMAINS,
    sessionSecret: values.SESSION_SECRET,
    masterKey: values.MASTER_KEY,
    hashKey: values.HASH_KEY,
    webhookSecret: values.STRIPE_WEBHOOK_SECRET,
    // Only one payment provider is active.
    billingSandbox: stripe ? 'off' : resolveSandboxMode(values.BILLING_SANDBOX, production),
    stripe,
    mail: parseMailSettings(values),
    sms: parseSmsSettings(values),
    model: parseModelSettings(values),
    clearinghouse: parseClearinghouseSettings(values),
    contactEmail: values.CONTACT_EMAIL,
    securityContact: values.SECURITY_CONTACT,
    samplePractice: values.SAMPLE_PRACTICE,
    defaultTimeZone: values.DEFAULT_TIME_ZONE,
    hasQuietHours: values.CONFIRMATION_QUIET_HOURS,
    messagesPerMinute: values.CONFIRMATIONS_PER_MINUTE,
    logLevel: values.LOG_LEVEL,
    production,
  }
}

const isHttps = (publicUrl: string | undefined) => publicUrl?.startsWith('https:') ?? false

/** Throws StartError if other machines could connect while nothing encrypts what they send and receive (45 CFR 164.312(e)). */
function requireEncryption({ HOST, PUBLIC_URL, TRUST_PROXY, ALLOW_INSECURE }: Values): void {
  const isLoopback = /^(localhost|127\.[\d.]+|::1)$/.test(HOST)
  if (isLoopback || isHttps(PUBLIC_URL) || TRUST_PROXY > 0 || ALLOW_INSECURE) return
  throw new StartError(
    `HOST ${HOST} lets other machines in without encryption: set PUBLIC_URL to an https:// address, or TRUST_PROXY behind a proxy, or ALLOW_INSECURE=1 on a network that you trust.`,
  )
}

/** Returns what is probably wrong with the settings, one sentence each; it does not prevent a start. */
export function findConfigWarnings({ publicUrl, trustedProxies, mail, sms }: Config): string[] {
  const warnings: string[] = []
  if (isHttps(publicUrl) && trustedProxies === 0)
    warnings.push(
      'PUBLIC_URL is https, but TRUST_PROXY is false: if a proxy is in front, all clients share its address, and failed sign-ins of one of them slow down all. Set TRUST_PROXY to the number of proxies.',
    )
  if (mail.smtp && publicUrl === undefined)
    warnings.push('SMTP_URL is set, but PUBLIC_URL is not: the links in messages work on this machine only.')
  if (sms && !isHttps(publicUrl))
    warnings.push(
      'TWILIO_ACCOUNT_SID is set, but PUBLIC_URL is not an https:// address: answers of patients and undelivered texts are not received.',
    )
  return warnings
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
    ...startFlags.map(([flag, purpose]) => `  npm start -- ${flag.padEnd(7)} ${purpose}`),
    '  npm test             runs all tests',
    '',
    'Settings (environment variables) and their defaults:',
    '',
    ...lines,
    '',
  ].join('\n')
}
