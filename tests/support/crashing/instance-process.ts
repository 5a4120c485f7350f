import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { composeApp } from '#main/compose.ts'
import { configureModules } from '#main/configure-modules.ts'
import { modules } from '#main/modules.ts'
import { importKey } from '#encryption/cipher.ts'
import { createApp } from '#http/app.ts'
import { createMailer } from '#mail/mailer.ts'
import { createSmsOutbox } from '#sms/sms.ts'
import { createKeyedHash } from '#runtime/secrets.ts'
import { crashAt } from './crash-points.ts'
import { createOrdersModule } from './orders.ts'

/** Runs the whole application with an additional module in a process that can be crashed. */
const { DATABASE_URL = '', VENDOR_URL = '', CRASH_AT } = process.env
if (CRASH_AT) crashAt(CRASH_AT)

const logger = pino({ level: process.env['TEST_LOG'] ?? 'silent' })
const app = createApp({
  logger,
  health: () => Promise.reject(new Error('not called')),
  webFolder: 'dist',
  trustedProxies: 0,
})
const configured = await configureModules({
  modules: [...modules, createOrdersModule(VENDOR_URL)],
  sandbox: 'off',
  stripe: null,
  webhookSecret: 'unused',
  address: '',
  hasSamplePractices: false,
  hasQuietHours: false,
  twilioToken: null,
  model: null,
  clearinghouse: null,
  defaultTimeZone: 'America/New_York',
})
await composeApp({
  ...configured,
  mailer: createMailer({
    smtp: null,
    sender: { header: 'crash@localhost', address: 'crash@localhost' },
    outboxFolder: path.join(os.tmpdir(), 'everchart-crash-outbox'),
  }),
  sms: createSmsOutbox(path.join(os.tmpdir(), 'everchart-crash-outbox')),
  databaseUrl: DATABASE_URL,
  app,
  logger,
  clock: () => new Date(),
  sessionSecret: 'a secret of the test run, at least 32 long',
  masterKey: importKey(Buffer.alloc(32, 'a master key')),
  keyedHash: createKeyedHash('a key of the test run'),
  secure: false,
})
process.stdout.write('ready\n')
