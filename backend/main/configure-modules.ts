import { describeConnection } from '#eventstore/kurrentdb/address.ts'
import { assistantSettings, type ModelSettings } from '#modules/assistant/settings.ts'
import { type PasswordCost, productionCost } from '#modules/accounts/passwords/password-store.ts'
import { accountSettings } from '#modules/accounts/settings.ts'
import { billingSettings, type StripeSettings } from '#modules/billing/settings.ts'
import type { Module, Settings } from '#modules/module.ts'
import { createPace } from '#jobs/pace.ts'
import { confirmationSettings } from '#modules/confirmations/settings.ts'
import { type ClearinghouseSettings, insuranceSettings } from '#modules/insurance/eligibility/settings.ts'
import { formSettings } from '#modules/forms/settings.ts'
import { newsletterSettings } from '#modules/newsletter/settings.ts'
import { notificationSettings } from '#modules/notifications/settings.ts'
import { practiceSettings } from '#modules/practices/settings.ts'
import { safeguardSettings } from '#modules/safeguards/settings.ts'
import { sampleSettings } from '#modules/samples/settings.ts'
import { teamSettings } from '#modules/team/settings.ts'
import type { SandboxMode } from './billing-config.ts'
import { modules as allModules } from './modules.ts'

type Options = {
  sandbox: SandboxMode
  stripe: StripeSettings | null
  webhookSecret: string
  /** The address that users open, without a trailing slash. */
  address: string
  /** Address of an EventStoreDB or KurrentDB. Undefined: events are stored in the database. */
  eventStoreUrl?: string | undefined
  /** Gives new practices of demo users sample data. */
  hasSamplePractices: boolean
  /** IANA name. */
  defaultTimeZone: string
  /** False: messages to patients leave at night too. */
  hasQuietHours: boolean
  /** The messages to patients that one instance sends in a minute at most; 120 unless given. */
  messagesPerMinute?: number
  /** The token that signs the calls of the vendor of text messages; null without one. */
  twilioToken: string | null
  /** The model that analyzes forms; null without one. */
  model: ModelSettings | null
  /** The clearinghouse that asks insurers; null without one. */
  clearinghouse: ClearinghouseSettings | null
  modules?: readonly Module[]
  /** The cost of a password's hash; lower only in tests, which sign up thousands of users. */
  passwordCost?: PasswordCost
}

/** Returns the modules of an installation with their settings. Stand-ins of vendors are loaded only when enabled. */
export async function configureModules({
  sandbox,
  stripe,
  webhookSecret,
  address,
  eventStoreUrl,
  hasSamplePractices,
  defaultTimeZone,
  hasQuietHours,
  messagesPerMinute = 120,
  twilioToken,
  model,
  clearinghouse,
  modules = allModules,
  passwordCost = productionCost,
}: Options): Promise<{ modules: readonly Module[]; settings: Settings }> {
  const standIn = await loadBillingSandbox(sandbox)
  const createStandIn = standIn?.createProvider ?? null
  return {
    modules: standIn ? [...modules, standIn.module] : modules,
    settings: {
      ...billingSettings.provide({ stripe, createStandIn, webhookSecret, address }),
      ...assistantSettings.provide({ model }),
      ...sampleSettings.provide({ isEnabled: hasSamplePractices }),
      ...accountSettings.provide({ address, passwordCost }),
      ...newsletterSettings.provide({ address }),
      ...notificationSettings.provide({ address }),
      ...formSettings.provide({ address }),
      ...insuranceSettings.provide({ clearinghouse }),
      ...confirmationSettings.provide({
        address,
        hasQuietHours,
        pace: createPace(messagesPerMinute),
        twilio: twilioToken === null ? null : { authToken: twilioToken, address },
      }),
      ...teamSettings.provide({ address }),
      ...practiceSettings.provide({ defaultTimeZone }),
      ...safeguardSettings.provide({
        address,
        eventStore: eventStoreUrl === undefined ? 'in-database' : describeConnection(eventStoreUrl),
      }),
    },
  }
}

/** Loads the billing sandbox, or returns null when it is off. */
export async function loadBillingSandbox(mode: SandboxMode) {
  if (mode === 'off') return null
  const { createBillingSandbox } = await import('#stand-ins/billing-sandbox/module.ts')
  return createBillingSandbox({ chaos: mode === 'chaos' })
}
