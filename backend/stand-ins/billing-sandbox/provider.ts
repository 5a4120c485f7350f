import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import type { ProviderSnapshot } from '#modules/billing/decider.ts'
import { Invoice, Observation, Subscription } from '#modules/billing/events.ts'
import {
  isUnpaid,
  type Message,
  type PaymentProvider,
  PaymentRefused,
  type ProviderUpdate,
  UnreadableMessage,
} from '#modules/billing/payment-provider.ts'
import { sandboxSubscriptionPrefix } from '#modules/billing/sandbox/events.ts'
import type { Services } from '#modules/module.ts'
import { type SandboxCommand, sandboxDecider, type SandboxState, testClockNow } from './decider.ts'

type Parts = Pick<Services, 'bus' | 'clock' | 'keyedHash'>

/** The object of a sandbox webhook about a subscription. */
const SubscriptionObject = z.object({ practiceId: PracticeId, observed: Observation, subscription: Subscription })
/** The object of a sandbox webhook about an invoice. */
const InvoiceObject = z.object({
  practiceId: PracticeId,
  observed: Observation,
  invoice: Invoice,
  subscriptionVersion: Observation.shape.version,
})

const secretSeparator = '_secret_'

/** Returns the secret with which the browser may pay for one subscription of one practice. */
export const createClientSecret = (
  { keyedHash }: Pick<Parts, 'keyedHash'>,
  practiceId: string,
  subscriptionId: string,
) => subscriptionId + secretSeparator + keyedHash('sandbox payment', `${practiceId} ${subscriptionId}`).slice(0, 40)

/** Returns the subscription id in a client secret; null when the secret is not valid for the practice. */
export function verifyClientSecret(parts: Pick<Parts, 'keyedHash'>, practiceId: string, secret: string): string | null {
  const subscriptionId = secret.split(secretSeparator)[0] ?? ''
  return secret === createClientSecret(parts, practiceId, subscriptionId) ? subscriptionId : null
}

type WithoutContext<Command> = Command extends SandboxCommand ? Omit<Command, 'practiceId' | 'now'> : never
type SandboxRequest = WithoutContext<SandboxCommand>

/** Executes a command of the sandbox. Throws PaymentRefused when the card is declined. */
export async function executeSandbox(
  { bus, clock }: Pick<Parts, 'bus' | 'clock'>,
  practiceId: PracticeId,
  request: SandboxRequest,
): Promise<SandboxState> {
  const context = {
    practiceId,
    actor: { kind: 'process', name: 'sandbox' },
    // One correlation id per practice: the sandbox plays an external system and does not share ours.
    correlationId: deriveId(`sandbox of ${practiceId}`),
  } as const
  const command = { ...request, practiceId, now: clock() } as SandboxCommand
  try {
    const { state } = await bus.execute(sandboxDecider, practiceId, command, context)
    return state
  } catch (error) {
    if (error instanceof CommandRejected && error.rejection.rejected === 'card-declined')
      throw new PaymentRefused(error.rejection.message)
    throw error
  }
}

/** A payment provider that charges no one. Its ledger is a stream of events, and it reports changes by webhook. */
export function sandboxProvider(parts: Parts): PaymentProvider {
  const { bus, clock } = parts

  function toSnapshot(state: SandboxState, subscriptionId: string): ProviderSnapshot | null {
    const found = state.subscriptions[subscriptionId]
    if (!found) return null
    const observed = { version: found.version, at: testClockNow(state, clock()) }
    return { kind: 'subscription', observed, subscription: found.subscription, isRequested: true }
  }

  async function request(
    practiceId: PracticeId,
    command: SandboxRequest & { subscriptionId: string },
  ): Promise<ProviderSnapshot> {
    const snapshot = toSnapshot(await executeSandbox(parts, practiceId, command), command.subscriptionId)
    if (!snapshot) throw new Error('The sandbox lost a subscription that it had just changed')
    return snapshot
  }

  const load = async (practiceId: PracticeId) => (await bus.load(sandboxDecider, practiceId)).state

  const find = async (practiceId: PracticeId, subscriptionId: string) =>
    toSnapshot(await load(practiceId), subscriptionId)

  return {
    getPriceId: (plan) => `price_sandbox_${plan}`,
    async create({ practiceId, checkoutId, plan }) {
      const subscriptionId = `${sandboxSubscriptionPrefix}${checkoutId.replaceAll('-', '')}`
      const snapshot = await request(practiceId, { type: 'Create', subscriptionId, checkoutId, plan })
      const clientSecret = isUnpaid(snapshot) ? createClientSecret(parts, practiceId, subscriptionId) : null
      return { snapshot, clientSecret }
    },
    async abandon({ practiceId, subscriptionId }) {
      return (await find(practiceId, subscriptionId)) && request(practiceId, { type: 'Abandon', subscriptionId })
    },
    changePlan: ({ practiceId, subscriptionId }, plan) =>
      request(practiceId, { type: 'ChangePlan', subscriptionId, plan }),
    cancelAtPeriodEnd: ({ practiceId, subscriptionId }) =>
      request(practiceId, { type: 'CancelAtPeriodEnd', subscriptionId }),
    reactivate: ({ practiceId, subscriptionId }) => request(practiceId, { type: 'Reactivate', subscriptionId }),
    getSubscription: ({ practiceId, subscriptionId }) => find(practiceId, subscriptionId),
    // Its invoices name the current owner anyway.
    updateContact: async () => undefined,
    now: async (practiceId) => testClockNow(await load(practiceId), clock()),
    portalUrl: async () => '/billing-portal',
    async latestInvoiceUrl({ practiceId }) {
      const { invoices } = await load(practiceId)
      const newest = Object.values(invoices).toSorted((a, b) => b.number - a.number)[0]
      return newest ? `/api/billing-sandbox/invoices/${newest.invoice.invoiceId}` : null
    },
    read: parseSandboxWebhook,
  }
}

/** Parses a sandbox webhook; null when its subject is not relevant. Throws UnreadableMessage. */
export function parseSandboxWebhook({ type, object }: Message): ProviderUpdate | null {
  if (type.startsWith('customer.subscription.')) {
    const { practiceId, observed, subscription } = parse(SubscriptionObject, object)
    return { practiceId, snapshot: { kind: 'subscription', observed, subscription, isRequested: false } }
  }
  if (!type.startsWith('invoice.')) return null
  const { practiceId, observed, invoice, subscriptionVersion } = parse(InvoiceObject, object)
  return { practiceId, snapshot: { kind: 'invoice', observed, invoice, subscriptionVersion } }
}

function parse<Schema extends z.ZodType>(schema: Schema, object: unknown): z.output<Schema> {
  const parsed = schema.safeParse(object)
  if (!parsed.success) throw new UnreadableMessage(false)
  return parsed.data
}
