import { pino } from 'pino'
import { composeApp } from '#main/compose.ts'
import { modules } from '#main/modules.ts'
import { importKey } from '#encryption/cipher.ts'
import { createApp } from '#http/app.ts'
import { createKeyedHash } from '#runtime/secrets.ts'
import { crashAt } from './deaths.ts'
import { createOrdersModule } from './orders.ts'

/** A copy of the whole application, with one module more: a process of its own that can be made to die. */
const { DATABASE_URL = '', VENDOR_URL = '', CRASH_AT } = process.env
if (CRASH_AT) crashAt(CRASH_AT)

const logger = pino({ level: process.env['TEST_LOG'] ?? 'silent' })
const app = createApp({
  logger,
  health: () => Promise.reject(new Error('Nobody asks this copy')),
  webFolder: 'dist',
  trustProxy: false,
})
await composeApp({
  databaseUrl: DATABASE_URL,
  modules: [...modules, createOrdersModule(VENDOR_URL)],
  app,
  logger,
  clock: () => new Date(),
  sessionSecret: 'a secret of the test run, at least 32 long',
  masterKey: importKey(Buffer.alloc(32, 'a master key')),
  keyedHash: createKeyedHash('a key of the test run'),
  billing: { sandbox: 'off', stripe: null, webhookSecret: 'nobody sends messages', address: '' },
  secure: false,
  hasSamplePractices: false,
})
process.stdout.write('ready\n')
