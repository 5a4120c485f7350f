import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { pino } from 'pino'
import { type ComposedApp, composeApp } from '#main/compose.ts'
import { configureModules } from '#main/configure-modules.ts'
import type { Key } from '#encryption/cipher.ts'
import { createApp } from '#http/app.ts'
import { createMailer } from '#mail/mailer.ts'
import { createSmsOutbox } from '#sms/sms.ts'
import { unlimitedQuotas } from '#http/write-quotas.ts'
import { createKeyedHash } from '#runtime/secrets.ts'

type Options = {
  databaseUrl: string
  masterKey: Key
  /** Seeds new practices with sample data. */
  hasSamplePractices?: boolean
  clock?: () => Date
}

/** Runs the real application outside of the test runner, on a free port, until `run` ends. */
export async function withStandaloneApp<Result>(
  { databaseUrl, masterKey, hasSamplePractices = false, clock = () => new Date() }: Options,
  run: (url: string, app: ComposedApp) => Promise<Result>,
): Promise<Result> {
  const logger = pino({ level: 'silent' })
  const app = createApp({
    logger,
    health: () => Promise.reject(new Error('not called')),
    webFolder: 'dist',
    trustedProxies: 0,
  })
  const configured = await configureModules({
    sandbox: 'on',
    stripe: null,
    webhookSecret: 'a secret without meaning',
    address: '',
    hasSamplePractices,
    defaultTimeZone: 'America/New_York',
    hasQuietHours: true,
    twilioToken: null,
    model: null,
    clearinghouse: null,
  })
  const assembled = await composeApp({
    ...configured,
    databaseUrl,
    mailer: createMailer({
      smtp: null,
      sender: { header: 'test@localhost', address: 'test@localhost' },
      outboxFolder: path.join(os.tmpdir(), 'everchart-outbox'),
    }),
    sms: createSmsOutbox(path.join(os.tmpdir(), 'everchart-outbox')),
    quotas: unlimitedQuotas,
    app,
    logger,
    clock,
    sessionSecret: 'a secret without meaning, at least 32 characters',
    masterKey,
    keyedHash: createKeyedHash('a key without meaning'),
    secure: false,
  })
  const server = await new Promise<Server>((resolve) => {
    const listening = app.koa.listen(0, '127.0.0.1', () => resolve(listening))
  })
  try {
    return await run(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, assembled)
  } finally {
    server.closeAllConnections()
    server.close()
    await assembled.stop()
  }
}
