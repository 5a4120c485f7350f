import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { documentedVariables, findConfigWarnings, helpText, readConfig } from '#main/config.ts'

const secret = 'x'.repeat(32)

const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_PRICE_STARTER: 'price_1',
  STRIPE_PRICE_PROFESSIONAL: 'price_2',
  STRIPE_PRICE_ENTERPRISE: 'price_3',
}

test('every variable has a default', () => {
  expect(readConfig({})).toMatchObject({
    port: 3000,
    host: '127.0.0.1',
    dataDir: expect.stringMatching(/\.data$/),
    databaseUrl: undefined,
    publicUrl: undefined,
    trustedProxies: 0,
    hasSecureSubdomains: false,
    logLevel: 'info',
    production: false,
  })
})

test('an empty variable counts as unset', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: ' ', HOST: '' })).toEqual(readConfig({}))
})

test('reads every variable', () => {
  const config = readConfig({
    PORT: '8080',
    HOST: '0.0.0.0',
    DATA_DIR: '/srv/everchart',
    DATABASE_URL: 'postgres://me:secret@db.example:5432/everchart',
    OWNER_DATABASE_URL: 'postgres://owner:secret@db.example:5432/everchart',
    EVENTSTORE_URL: 'postgres',
    PUBLIC_URL: 'https://practice.example/',
    TRUST_PROXY: 'true',
    HSTS_SUBDOMAINS: 'on',
    SESSION_SECRET: secret,
    MASTER_KEY: Buffer.alloc(32, 'm').toString('base64'),
    HASH_KEY: secret,
    STRIPE_WEBHOOK_SECRET: secret,
    ...stripe,
    STRIPE_API_BASE: 'http://127.0.0.1:8443',
    SMTP_URL: 'smtp://news%40practice.example:p%3Aw@mail.example',
    MAIL_FROM: 'Everchart <news@practice.example>',
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: secret,
    TWILIO_FROM: '+16175550100',
    TWILIO_API_BASE: 'http://127.0.0.1:4010/',
    OPENAI_API_KEY: 'sk-of-the-test-run',
    OPENAI_BASE_URL: 'https://models.example/v1/',
    OPENAI_MODEL: 'our-own',
    OPENAI_PRICE: '0.5/2',
    OPENAI_DAILY_BUDGET: '2.5',
    ELIGIBILITY_URL: 'https://clearinghouse.example/eligibility/x12',
    ELIGIBILITY_KEY: 'key-of-the-test-run',
    CONTACT_EMAIL: 'desk@practice.example',
    SECURITY_CONTACT: 'security@practice.example',
    SAMPLE_PRACTICE: 'off',
    CONFIRMATION_QUIET_HOURS: 'off',
    CONFIRMATIONS_PER_MINUTE: '30',
    DEFAULT_TIME_ZONE: 'Europe/Paris',
    LOG_LEVEL: 'debug',
    NODE_ENV: 'production',
  })
  expect({ ...config, masterKey: config.masterKey?.export() }).toEqual({
    port: 8080,
    host: '0.0.0.0',
    dataDir: '/srv/everchart',
    databaseUrl: 'postgres://me:secret@db.example:5432/everchart',
    ownerDatabaseUrl: 'postgres://owner:secret@db.example:5432/everchart',
    eventStoreUrl: undefined,
    publicUrl: 'https://practice.example',
    trustedProxies: 1,
    hasSecureSubdomains: true,
    sessionSecret: secret,
    masterKey: Buffer.alloc(32, 'm'),
    hashKey: secret,
    webhookSecret: secret,
    billingSandbox: 'off',
    stripe: {
      secretKey: 'sk_test_1',
      publishableKey: 'pk_test_1',
      prices: { starter: 'price_1', professional: 'price_2', enterprise: 'price_3' },
      apiBase: 'http://127.0.0.1:8443',
    },
    mail: {
      smtp: {
        host: 'mail.example',
        port: 587,
        secure: false,
        isLoopback: false,
        credentials: { user: 'news@practice.example', password: 'p:w' },
      },
      sender: { header: 'Everchart <news@practice.example>', address: 'news@practice.example' },
    },
    sms: {
      accountSid: `AC${'0'.repeat(32)}`,
      authToken: secret,
      from: '+16175550100',
      apiBase: 'http://127.0.0.1:4010',
    },
    model: {
      apiKey: 'sk-of-the-test-run',
      baseUrl: 'https://models.example/v1',
      model: 'our-own',
      price: { input: 0.5, output: 2 },
      dailyBudget: 2.5,
    },
    clearinghouse: { url: 'https://clearinghouse.example/eligibility/x12', key: 'key-of-the-test-run' },
    contactEmail: 'desk@practice.example',
    securityContact: 'mailto:security@practice.example',
    samplePractice: false,
    hasQuietHours: false,
    messagesPerMinute: 30,
    defaultTimeZone: 'Europe/Paris',
    logLevel: 'debug',
    production: true,
  })
})

test('Stripe needs all of its variables, or none', () => {
  const all = { STRIPE_WEBHOOK_SECRET: secret, ...stripe }
  expect(readConfig(all).stripe?.apiBase).toBeNull()
  for (const name of Object.keys(all).filter((one) => one !== 'STRIPE_SECRET_KEY'))
    expect(() => readConfig({ ...all, [name]: '' })).toThrow(`${name} must be set too when STRIPE_SECRET_KEY is.`)
  expect(readConfig({ ...all, STRIPE_SECRET_KEY: '' }).stripe).toBeNull()
  expect(readConfig({ ...all, BILLING_SANDBOX: 'allow' }).billingSandbox, 'one takes the money, never both').toBe('off')
})

test('mail goes to the outbox without a mail server', () => {
  const MAIL_FROM = 'news@practice.example'
  const smtp = (SMTP_URL: string) => readConfig({ SMTP_URL, MAIL_FROM }).mail.smtp
  expect(readConfig({}).mail).toEqual({
    smtp: null,
    sender: { header: 'Everchart <everchart@localhost>', address: 'everchart@localhost' },
  })
  expect(smtp('smtps://mail.example')).toMatchObject({ port: 465, secure: true, isLoopback: false, credentials: null })
  expect(smtp('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525, secure: false, isLoopback: true })
  expect(() => readConfig({ SMTP_URL: 'smtp://mail.example' })).toThrow('MAIL_FROM must be set too when SMTP_URL is.')
  expect(readConfig({ SECURITY_CONTACT: 'https://practice.example/security' }).securityContact).toBe(
    'https://practice.example/security',
  )
})

test('text messages go to the outbox without an account at Twilio, and need all of it', () => {
  expect(readConfig({}).sms).toBeNull()
  const all = {
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
    TWILIO_AUTH_TOKEN: secret,
    TWILIO_FROM: `MG${'0'.repeat(32)}`,
  }
  expect(readConfig(all).sms).toMatchObject({ from: all.TWILIO_FROM, apiBase: null })
  for (const name of Object.keys(all))
    expect(() => readConfig({ ...all, [name]: '' })).toThrow(
      'TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM must be set together.',
    )
  expect(() => readConfig({ ...all, TWILIO_FROM: '555' })).toThrow(/^TWILIO_FROM must be a number such as/)
})

test('forms are analyzed by rules without a key, and a model needs a price', () => {
  expect(readConfig({ OPENAI_MODEL: 'gpt-4o' }).model).toBeNull()
  const key = { OPENAI_API_KEY: secret }
  expect(readConfig(key).model).toMatchObject({ model: 'gpt-5', price: { input: 1.25, output: 10 }, dailyBudget: 5 })
  expect(() => readConfig({ ...key, OPENAI_MODEL: 'our-own' })).toThrow(
    'OPENAI_PRICE must be set for the model our-own: its price is not known.',
  )
  expect(() => readConfig({ ...key, OPENAI_PRICE: '5' })).toThrow(/^OPENAI_PRICE must be two numbers, such as/)
  expect(() => readConfig({ ...key, OPENAI_DAILY_BUDGET: '-1' })).toThrow(/^OPENAI_DAILY_BUDGET must be a number/)
})

test('a clearinghouse needs both its address and its key, and encryption', () => {
  expect(readConfig({}).clearinghouse).toBeNull()
  const [ELIGIBILITY_URL, ELIGIBILITY_KEY] = ['https://clearinghouse.example/x12', secret]
  for (const half of [{ ELIGIBILITY_URL }, { ELIGIBILITY_KEY }])
    expect(() => readConfig(half)).toThrow('ELIGIBILITY_URL and ELIGIBILITY_KEY must be set together.')
  expect(readConfig({ ELIGIBILITY_KEY, ELIGIBILITY_URL: 'http://127.0.0.1:4020/x12' }).clearinghouse).not.toBeNull()
  for (const url of ['http://clearinghouse.example/x12', 'ftp://clearinghouse.example', 'clearinghouse'])
    expect(() => readConfig({ ELIGIBILITY_KEY, ELIGIBILITY_URL: url })).toThrow(/^ELIGIBILITY_URL must be an address/)
})

test('the billing sandbox is off in production unless it is set', () => {
  const sandbox = (settings: Record<string, string>) => readConfig(settings).billingSandbox
  const production = { NODE_ENV: 'production', SESSION_SECRET: secret, MASTER_KEY: Buffer.alloc(32).toString('base64') }
  expect(sandbox({})).toBe('on')
  expect(sandbox({ BILLING_SANDBOX: 'chaos' })).toBe('chaos')
  expect(sandbox(production)).toBe('off')
  expect(sandbox({ ...production, BILLING_SANDBOX: 'chaos' })).toBe('off')
  expect(sandbox({ ...production, BILLING_SANDBOX: 'allow' })).toBe('on')
})

test('TRUST_PROXY counts proxies; true is one, false is none', () => {
  const proxies = (TRUST_PROXY: string) => readConfig({ TRUST_PROXY }).trustedProxies
  expect(['false', '0', 'true', '1', '2', '10'].map(proxies)).toEqual([0, 0, 1, 1, 2, 10])
})

test('other machines are let in over TLS, through a proxy, or where that is allowed by name', () => {
  const refusal =
    'HOST 0.0.0.0 lets other machines in without encryption: set PUBLIC_URL to an https:// address, or TRUST_PROXY behind a proxy, or ALLOW_INSECURE=1 on a network that you trust.'
  const HOST = '0.0.0.0'
  for (const settings of [{}, { PUBLIC_URL: 'http://practice.example' }, { TRUST_PROXY: '0' }])
    expect(() => readConfig({ HOST, ...settings })).toThrow(
      expect.objectContaining({ name: 'StartError', message: refusal }),
    )
  for (const settings of [{ PUBLIC_URL: 'https://practice.example' }, { TRUST_PROXY: '1' }, { ALLOW_INSECURE: '1' }])
    expect(readConfig({ HOST, ...settings }).host).toBe(HOST)
  for (const loopback of ['localhost', '127.0.0.1', '127.1.2.3', '::1'])
    expect(readConfig({ HOST: loopback }).host).toBe(loopback)
})

test('warns when a proxy is likely, but not trusted', () => {
  const warnings = (settings: Record<string, string>) => findConfigWarnings(readConfig(settings))
  const PUBLIC_URL = 'https://practice.example'
  expect(warnings({ PUBLIC_URL })).toEqual([expect.stringMatching(/^PUBLIC_URL is https, but TRUST_PROXY is false: /)])
  expect([
    warnings({}),
    warnings({ PUBLIC_URL, TRUST_PROXY: '1' }),
    warnings({ PUBLIC_URL: 'http://localhost' }),
  ]).toEqual([[], [], []])
  expect(warnings({ SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'news@practice.example' })).toEqual([
    'SMTP_URL is set, but PUBLIC_URL is not: the links in messages work on this machine only.',
  ])
  const account = { TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`, TWILIO_AUTH_TOKEN: secret, TWILIO_FROM: '+16175550100' }
  expect(warnings(account)).toEqual([
    'TWILIO_ACCOUNT_SID is set, but PUBLIC_URL is not an https:// address: answers of patients and undelivered texts are not received.',
  ])
})

const wrong: [Record<string, string>, string][] = [
  [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535, not "abc".'],
  [{ PORT: '70000' }, 'PORT must be a whole number from 0 to 65535, not "70000".'],
  [{ PORT: '-1' }, 'PORT must be a whole number from 0 to 65535, not "-1".'],
  [{ PORT: '3e3' }, 'PORT must be a whole number from 0 to 65535, not "3e3".'],
  [{ HOST: 'my host' }, 'HOST must be a host name or an IP address, not "my host".'],
  [
    { PUBLIC_URL: 'practice.example' },
    'PUBLIC_URL must be an address such as https://practice.example, without a path, not "practice.example".',
  ],
  [
    { PUBLIC_URL: 'https://a.example/x' },
    'PUBLIC_URL must be an address such as https://practice.example, without a path, not "https://a.example/x".',
  ],
  [{ TRUST_PROXY: 'yes' }, 'TRUST_PROXY must be true, false or a number from 0 to 10, not "yes".'],
  [{ TRUST_PROXY: '11' }, 'TRUST_PROXY must be true, false or a number from 0 to 10, not "11".'],
  [{ ALLOW_INSECURE: 'yes' }, 'ALLOW_INSECURE must be 1, or unset, not "yes".'],
  [{ BILLING_SANDBOX: 'yes' }, 'BILLING_SANDBOX must be allow or chaos, not "yes".'],
  ...['news', 'Everchart news@practice.example', 'A, B <news@practice.example>', '<news@practice.example>'].map(
    (MAIL_FROM): [Record<string, string>, string] => [
      { MAIL_FROM },
      `MAIL_FROM must be an address such as Everchart <news@practice.example>, not "${MAIL_FROM}".`,
    ],
  ),
  [{ CONTACT_EMAIL: 'desk' }, 'CONTACT_EMAIL must be an e-mail address, not "desk".'],
  [
    { SECURITY_CONTACT: 'http://practice.example' },
    'SECURITY_CONTACT must be an e-mail address or an https:// address, not "http://practice.example".',
  ],
  [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "loud".'],
  [{ NODE_ENV: 'live' }, 'NODE_ENV must be development, production or test, not "live".'],
  [{ NODE_ENV: 'production' }, 'SESSION_SECRET must be set in production: at least 32 random characters.'],
  [
    { NODE_ENV: 'production', SESSION_SECRET: secret },
    'MASTER_KEY must be set in production: 32 random bytes, such as the output of openssl rand -base64 32.',
  ],
]

test.each(wrong)('%o is refused in one line', (environment, line) => {
  expect(() => readConfig(environment)).toThrow(expect.objectContaining({ name: 'StartError', message: line }))
})

test('an external event store needs an address that its client can parse', () => {
  for (const EVENTSTORE_URL of [
    'esdb://admin:hidden@events.example:2113',
    'kurrentdb://events.example?tls=false',
    'esdb+discover://admin:hidden@cluster.example:2113?tlsVerifyCert=false&nodePreference=leader',
    'kurrentdb://admin:hidden@a.example:2113,b.example:2113,c.example:2113?tlsCAFile=ca.pem',
  ])
    expect(readConfig({ EVENTSTORE_URL }).eventStoreUrl).toBe(EVENTSTORE_URL)
  expect(readConfig({ EVENTSTORE_URL: 'postgres' }).eventStoreUrl).toBeUndefined()
})

test('a master key is 32 bytes, as hex, base64 or base64url', () => {
  const key = Buffer.from('ff'.repeat(16) + '00'.repeat(16), 'hex')
  for (const format of ['hex', 'base64', 'base64url'] as const)
    expect(readConfig({ MASTER_KEY: key.toString(format) }).masterKey?.export()).toEqual(key)
})

test('an invalid address is refused without echoing its secrets', () => {
  const values = [
    ['EVENTSTORE_URL', 'mongodb://admin:hidden@events.example'],
    ['EVENTSTORE_URL', 'esdb://admin:hidden@events.example:port'],
    ['EVENTSTORE_URL', 'esdb://admin:hidden@events.example?colour=blue'],
    ['EVENTSTORE_URL', 'esdb://events.example:2113'],
    ['EVENTSTORE_URL', 'esdb://'],
    ['DATABASE_URL', 'mysql://admin:hidden@db.example/x'],
    ['OWNER_DATABASE_URL', 'mysql://admin:hidden@db.example/x'],
    ['SESSION_SECRET', 'hidden'],
    ['HASH_KEY', 'hidden'],
    ['TWILIO_AUTH_TOKEN', 'hidden'],
    ['OPENAI_API_KEY', 'hidden'],
    ['SMTP_URL', 'http://user:hidden@mail.example'],
    ['SMTP_URL', 'smtp://user:hidden@mail.example/path'],
    ['SMTP_URL', 'smtp://user:hidden%@mail.example'],
    ['STRIPE_WEBHOOK_SECRET', 'hidden'],
    ['STRIPE_SECRET_KEY', 'hidden'],
    ['MASTER_KEY', 'hidden'],
    ['MASTER_KEY', `hidden${'x'.repeat(37)}!`],
    ['MASTER_KEY', 'hidden'.repeat(10)],
  ] as const
  const warn = vi.spyOn(console, 'warn')
  onTestFinished(() => warn.mockRestore())
  for (const [name, value] of values) {
    expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must be (?!.*hidden)[^\\n]+\\.$`))
  }
  expect(warn).not.toHaveBeenCalled()
})

test('--help and the documents list every variable with its default and description', () => {
  const help = helpText()
  const document = readFileSync('docs/operations/configuration.md', 'utf8')
  for (const { name, fallback, about } of documentedVariables) {
    expect(help).toContain(`  ${name}`)
    expect(help).toContain(about)
    const shown = fallback === '' ? '' : fallback === 'generated' ? 'generated' : `\`${fallback}\``
    expect(document).toContain(`| \`${name}\` | ${shown}${shown && ' '}| ${about} |`)
  }
})
