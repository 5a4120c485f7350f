import type { Logger } from 'pino'
import type { InstallationKeys } from '#encryption/installation-keys.ts'
import type { App } from '#http/app.ts'
import { createMailer } from '#mail/mailer.ts'
import { outboxFolder } from '#mail/outbox.ts'
import type { DiskMonitor } from '#runtime/disk-space.ts'
import { createSmsOutbox } from '#sms/sms.ts'
import { createTwilioSender } from '#sms/twilio.ts'
import { type ComposedApp, composeApp } from './compose.ts'
import type { Config } from './config.ts'
import { configureModules } from './configure-modules.ts'

/** The secrets of an installation. */
export type Secrets = InstallationKeys & { sessionSecret: string; webhookSecret: string }

type Parts = {
  app: App
  disk: DiskMonitor
  databaseUrl: string
  /** The address of the application, as its users know it. */
  address: string
  secrets: Secrets
  logger: Logger
  signal: AbortSignal
  /** Called when the event store contains a different history. */
  onLost: (error: Error) => void
}

/** Composes the application as its configuration says. */
export async function composeFromConfig(
  config: Config,
  { address, secrets: { webhookSecret, ...secrets }, ...parts }: Parts,
): Promise<ComposedApp> {
  const secure = config.publicUrl?.startsWith('https:') ?? false
  const configured = await configureModules({
    sandbox: config.billingSandbox,
    stripe: config.stripe,
    webhookSecret,
    address,
    eventStoreUrl: config.eventStoreUrl,
    hasSamplePractices: config.samplePractice,
    defaultTimeZone: config.defaultTimeZone,
    hasQuietHours: config.hasQuietHours,
    messagesPerMinute: config.messagesPerMinute,
    twilioToken: config.sms?.authToken ?? null,
    model: config.model,
    clearinghouse: config.clearinghouse,
  })
  return await composeApp({
    ...configured,
    ...parts,
    ...secrets,
    eventStoreUrl: config.eventStoreUrl,
    mailer: createMailer({ ...config.mail, outboxFolder: outboxFolder(config.dataDir) }),
    sms: config.sms
      ? createTwilioSender({ ...config.sms, statusUrl: secure ? `${address}/api/twilio/status` : null })
      : createSmsOutbox(outboxFolder(config.dataDir)),
    clock: () => new Date(),
    // The lock on the data folder excludes other instances from the embedded database.
    isExclusive: config.databaseUrl === undefined,
    secure,
  })
}
