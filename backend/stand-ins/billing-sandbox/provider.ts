import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { deriveId, CommandRejected } from '#eventstore/command-bus.ts'
import type { Services } from '#modules/module.ts'
import type { ProviderSnapshot } from '#modules/billing/decider.ts'
import { Invoice, Observation, Subscription } from '#modules/billing/events.ts'
import { type Message, type PaymentProvider, PaymentRefused, type ProviderUpdate } from '#modules/billing/payment-provider.ts'
import { type SandboxCommand, sandboxDecider, type SandboxState, testClockNow } from './decider.ts'

type Parts = Pick<Services, 'bus' | 'clock' | 'keyedHash'>

/** The object of a message about a subscription, as the sandbox sends it. */
const SubscriptionObject = z.object({ practiceId: PracticeId, seen: Observation, subscription: Subscription })
/** The object of a message about an invoice. */
const InvoiceObject = z.object({
  practiceId: PracticeId,
  seen: Observation,
  invoice: Invoice,
  subscriptionVersion: Observation.shape.version,
})

const secretMark = '_secret_'

/** What lets the browser pay for one subscription of one practice, and nothing else. */
export const createClientSecret = (
  { keyedHash }: Pick<Parts, 'keyedHash'>,
  practiceId: string,
  subscriptionId: string,
) => subscriptionId + secretMark + keyedHash('sandbox payment', `${practiceId} ${subscriptionId}`).slice(0, 40)

/** The subscription a secret is for; null when it is not one of this practice. */
export function verifyClientSecret(parts: Pick<Parts, 'keyedHash'>, practiceId: string, secret: string): string | null {
  const subscriptionId = secret.split(secretMark)[0] ?? ''
  return secret === createClientSecret(parts, practiceId, subscriptionId) ? subscriptionId : null
}

/** Asks the sandbox for something. What a bank refuses is thrown as PaymentRefused. */
export async function executeSandbox(
  { bus, clock }: Pick<Parts, 'bus' | 'clock'>,
  practiceId: PracticeId,
  asked: AskedOfSandbox,
): Promise<SandboxState> {
  const context = {
    practiceId,
    actor: { kind: 'process', name: 'sandbox' },
    // A house of its own: what happens there belongs together, not to what is asked of us.
    correlationId: deriveId(`sandbox of ${practiceId}`),
  } as const
  const command = { ...asked, practiceId, now: clock() } as SandboxCommand
  try {
    const { state } = await bus.execute(sandboxDecider, practiceId, command, context)
    return state
  } catch (error) {
    if (error instanceof CommandRejected && error.rejection.rejected === 'card-declined')
      throw new PaymentRefused(error.rejection.message)
    throw error
  }
}
type Without<Command> = Command extends SandboxCommand ? Omit<Command, 'practiceId' | 'now'> : never
type AskedOfSandbox = Without<SandboxCommand>

/** A payment provider that charges nobody. It keeps its books in events of its own and tells of them by messages. */
export function sandboxProvider(parts: Parts): PaymentProvider {
  const { bus, clock } = parts

  function factOf(state: SandboxState, subscriptionId: string): ProviderSnapshot | null {
    const found = state.subscriptions[subscriptionId]
    if (!found) return null
    const seen = { version: found.version, at: testClockNow(state, clock()) }
    return { kind: 'subscription', seen, subscription: found.subscription, asked: true }
  }

  async function ask(
    practiceId: PracticeId,
    asked: AskedOfSandbox & { subscriptionId: string },
  ): Promise<ProviderSnapshot> {
    const fact = factOf(await executeSandbox(parts, practiceId, asked), asked.subscriptionId)
    if (!fact) throw new Error('The sandbox keeps what it was asked for')
    return fact
  }

  const look = async (practiceId: PracticeId, subscriptionId: string) =>
    factOf((await bus.load(sandboxDecider, practiceId)).state, subscriptionId)

  return {
    priceIdOf: (plan) => `price_sandbox_${plan}`,
    async create({ practiceId, checkoutId, plan }) {
      const subscriptionId = `sub_sandbox_${checkoutId.replaceAll('-', '')}`
      const fact = await ask(practiceId, { type: 'Create', subscriptionId, checkoutId, plan })
      const unpaid = fact.kind === 'subscription' && fact.subscription.status === 'incomplete'
      return { fact, clientSecret: unpaid ? createClientSecret(parts, practiceId, subscriptionId) : null }
    },
    async giveUp({ practiceId, subscriptionId }) {
      return (await look(practiceId, subscriptionId)) && ask(practiceId, { type: 'GiveUp', subscriptionId })
    },
    changePlan: ({ practiceId, subscriptionId }, plan) => ask(practiceId, { type: 'ChangePlan', subscriptionId, plan }),
    cancelAtPeriodEnd: ({ practiceId, subscriptionId }) =>
      ask(practiceId, { type: 'CancelAtPeriodEnd', subscriptionId }),
    reactivate: ({ practiceId, subscriptionId }) => ask(practiceId, { type: 'Reactivate', subscriptionId }),
    look: ({ practiceId, subscriptionId }) => look(practiceId, subscriptionId),
    async now(practiceId) {
      return testClockNow((await bus.load(sandboxDecider, practiceId)).state, clock())
    },
    async portalUrl() {
      return '/billing-portal'
    },
    async latestInvoiceUrl({ practiceId }) {
      const { state } = await bus.load(sandboxDecider, practiceId)
      const newest = Object.values(state.invoices).toSorted((a, b) => b.number - a.number)[0]
      return newest ? `/api/billing-sandbox/invoices/${newest.invoice.invoiceId}` : null
    },
    read: parseSandboxWebhook,
  }
}

/** What a message of the sandbox tells; null when it is about something that does not matter here. */
export function parseSandboxWebhook({ type, object }: Message): ProviderUpdate | null {
  if (type.startsWith('customer.subscription.')) {
    const { practiceId, seen, subscription } = SubscriptionObject.parse(object)
    return { practiceId, fact: { kind: 'subscription', seen, subscription, asked: false } }
  }
  if (!type.startsWith('invoice.')) return null
  const { practiceId, seen, invoice, subscriptionVersion } = InvoiceObject.parse(object)
  return { practiceId, fact: { kind: 'invoice', seen, invoice, subscriptionVersion } }
}
