import type { PracticeId } from '#contracts/values/ids.ts'
import { type PlanId, getPlan, trialDays } from '#contracts/values/plans.ts'
import { type Decider, reject, type Rejection } from '#eventstore/decider.ts'
import type { Invoice, Subscription } from '#modules/billing/events.ts'
import { awaitsFirstPayment, isRunning } from '#modules/billing/access.ts'
import { addDays, addMonth } from '#modules/billing/date-math.ts'
import { type StoredCard, SandboxEvent } from '#modules/billing/sandbox/events.ts'

/** Commands of the billing sandbox. `now` is the real time; the test clock of a practice may be ahead of it. */
export type SandboxCommand = { practiceId: PracticeId; now: Date } & (
  | { type: 'Create'; subscriptionId: string; checkoutId: string; plan: PlanId }
  /** Pays the amount due, or replaces the card of the subscription. `confirmed`: the payment was confirmed with the bank. */
  | { type: 'Pay'; subscriptionId: string; card: StoredCard | 'declined' | 'insufficient'; confirmed: boolean }
  | { type: 'ChangePlan'; subscriptionId: string; plan: PlanId }
  | { type: 'CancelAtPeriodEnd' | 'Reactivate'; subscriptionId: string }
  /** Cancels a subscription that was never paid, so that it can no longer be paid; ignores a paid one. */
  | { type: 'Abandon'; subscriptionId: string }
  | { type: 'Advance'; days: number }
  /** Ends trials and periods that are over, and retries failed payments that are due. */
  | { type: 'Tick' }
)

type LedgerSubscription = { subscription: Subscription; version: number }
type LedgerInvoice = { invoice: Invoice; number: number; version: number }

/** The ledger of one practice. `daysAhead` is the offset of its test clock in days. */
export type SandboxState = {
  daysAhead: number
  card: StoredCard | null
  subscriptions: Readonly<Record<string, LedgerSubscription>>
  invoices: Readonly<Record<string, LedgerInvoice>>
}

export type SandboxRejection =
  | 'already-subscribed'
  | 'unknown-subscription'
  | 'card-declined'
  | 'confirmation-needed'
  | 'subscription-inactive'
  | 'clock-limit-reached'

/** Days after the start of a period at which a failed payment is retried; the subscription ends with the period. */
const retryDays = [3, 7, 13]

/** The limit of test clocks, the same as for the expiry years of cards. */
const clockLimit = '2100-01-01'

/** Simulates Stripe's decisions for one practice, with test cards. */
export const sandboxDecider: Decider<SandboxCommand, SandboxEvent, SandboxState, SandboxRejection> = {
  category: 'sandbox',
  events: SandboxEvent,
  initial: { daysAhead: 0, card: null, subscriptions: {}, invoices: {} },
  decide,
  evolve,
}

/** Returns the time of a practice's test clock. */
export const testClockNow = ({ daysAhead }: Pick<SandboxState, 'daysAhead'>, now: Date): string =>
  addDays(now, daysAhead)

type Decision = readonly SandboxEvent[] | Rejection<SandboxRejection>

function decide(command: SandboxCommand, state: SandboxState): Decision {
  const { practiceId } = command
  if (command.type === 'Advance') return advance(command, state)
  const ledger = createLedger(practiceId, testClockNow(state, command.now), state)
  if (command.type === 'Tick') {
    ledger.tick()
    return ledger.events
  }
  if (command.type === 'Create') return create(command, state, ledger)
  const found = state.subscriptions[command.subscriptionId]?.subscription
  if (!found) return reject('unknown-subscription', 'There is no such subscription.')
  if (command.type === 'Abandon') {
    if (awaitsFirstPayment(found)) ledger.change(found, { status: 'canceled' })
    return ledger.events
  }
  const refusal = command.type === 'Pay' ? pay(command, found, ledger) : change(command, found, ledger)
  return refusal ?? ledger.events
}

/** Moves the test clock. Reports past-due subscriptions again, so that Everchart learns the new time. */
function advance(command: Extract<SandboxCommand, { type: 'Advance' }>, state: SandboxState): Decision {
  const { practiceId, days, now } = command
  const advanced = { type: 'SandboxClockAdvanced', data: { practiceId, days } } as const
  const advancedState = evolve(state, advanced)
  if (testClockNow(advancedState, now) >= clockLimit)
    return reject('clock-limit-reached', 'The test clock goes no further than 2099.')
  const ledger = createLedger(practiceId, testClockNow(advancedState, now), advancedState)
  for (const { subscription } of Object.values(state.subscriptions))
    if (subscription.status === 'past_due') ledger.write(subscription)
  return [advanced, ...ledger.events]
}

function create(
  { subscriptionId, checkoutId, plan }: Extract<SandboxCommand, { type: 'Create' }>,
  state: SandboxState,
  ledger: Ledger,
): Decision {
  if (state.subscriptions[subscriptionId]) return []
  if (Object.values(state.subscriptions).some(({ subscription }) => isRunning(subscription)))
    return reject('already-subscribed', 'There is a subscription already.')
  ledger.write({
    subscriptionId,
    checkoutId,
    status: 'incomplete',
    plan,
    nextPlan: null,
    cancelAtPeriodEnd: false,
    createdAt: ledger.at,
    currentPeriodStart: ledger.at,
    currentPeriodEnd: addMonth(ledger.at),
    trialEnd: null,
  })
  return ledger.events
}

function pay({ card, confirmed }: Extract<SandboxCommand, { type: 'Pay' }>, found: Subscription, ledger: Ledger) {
  if (found.status === 'canceled') return reject('subscription-inactive', 'This subscription has ended.')
  if (card === 'declined') return reject('card-declined', 'Your card was declined.')
  if (card === 'insufficient') return reject('card-declined', 'Your card has insufficient funds.')
  if (card.behaviour === 'requires-confirmation' && !confirmed)
    return reject('confirmation-needed', 'Your bank asks you to confirm this payment.')
  ledger.attach(card)
  if (awaitsFirstPayment(found)) return ledger.payFirst(found)
  return found.status === 'past_due' ? ledger.payOpen(found) : null
}

function change(
  command: Extract<SandboxCommand, { type: 'ChangePlan' | 'CancelAtPeriodEnd' | 'Reactivate' }>,
  found: Subscription,
  ledger: Ledger,
) {
  if (!isRunning(found) || ledger.at >= found.currentPeriodEnd)
    return reject('subscription-inactive', 'This subscription is not running.')
  if (command.type !== 'ChangePlan') {
    const cancelAtPeriodEnd = command.type === 'CancelAtPeriodEnd'
    if (found.cancelAtPeriodEnd !== cancelAtPeriodEnd) ledger.change(found, { cancelAtPeriodEnd })
    return null
  }
  if (found.status === 'past_due') return reject('subscription-inactive', 'The open invoice has to be paid first.')
  const { plan } = command
  const priceDifference = getPlan(plan).price - getPlan(found.plan).price
  if (priceDifference < 0) ledger.change(found, { nextPlan: plan })
  else if (priceDifference === 0 && found.nextPlan !== null) ledger.change(found, { nextPlan: null })
  else if (priceDifference > 0) return ledger.upgrade(found, plan, priceDifference * 100)
  return null
}

type Ledger = ReturnType<typeof createLedger>

/** Collects the events of one command and the resulting ledger. */
function createLedger(practiceId: PracticeId, at: string, before: SandboxState) {
  const events: SandboxEvent[] = []
  let state = before

  function append(event: SandboxEvent): void {
    events.push(event)
    state = evolve(state, event)
  }
  const getSubscription = (id: string) => state.subscriptions[id]?.subscription as Subscription
  const getVersion = (id: string) => state.subscriptions[id]?.version ?? 0

  function write(subscription: Subscription): void {
    const observed = { version: getVersion(subscription.subscriptionId) + 1, at }
    append({ type: 'SandboxSubscriptionChanged', data: { practiceId, observed, subscription } })
  }
  const change = ({ subscriptionId }: Subscription, to: Partial<Subscription>) =>
    write({ ...getSubscription(subscriptionId), ...to })

  function writeInvoice(invoice: Invoice): void {
    const known = state.invoices[invoice.invoiceId]
    const number = known?.number ?? Object.keys(state.invoices).length + 1
    const observed = { version: (known?.version ?? 0) + 1, at }
    const subscriptionVersion = getVersion(invoice.subscriptionId)
    append({ type: 'SandboxInvoiceChanged', data: { practiceId, observed, invoice, number, subscriptionVersion } })
  }
  function newInvoice({ subscriptionId, plan, currentPeriodEnd }: Subscription, cents: number, from: string): Invoice {
    const invoiceId = `in_sandbox_${subscriptionId.slice(-12)}_${Object.keys(state.invoices).length + 1}`
    const amount = { cents, currency: 'USD' as const }
    return { invoiceId, subscriptionId, status: 'paid', plan, amount, periodStart: from, periodEnd: currentPeriodEnd }
  }
  const attach = (card: StoredCard) => append({ type: 'SandboxCardAttached', data: { practiceId, card } })
  const doesCardPay = () => state.card?.behaviour !== 'fails-later'
  const findOpenInvoice = ({ subscriptionId }: Subscription) =>
    Object.values(state.invoices).find(
      ({ invoice }) => invoice.subscriptionId === subscriptionId && invoice.status === 'failed',
    )
  const fullPrice = ({ plan }: Subscription) => getPlan(plan).price * 100
  const hadTrial = () => Object.values(state.subscriptions).some(({ subscription }) => subscription.trialEnd !== null)

  /** The first payment: starts a trial if the practice never had one, otherwise a paid month. */
  function payFirst(found: Subscription) {
    if (!hadTrial()) {
      const trialEnd = addDays(at, trialDays)
      change(found, { status: 'trialing', trialEnd, currentPeriodStart: at, currentPeriodEnd: trialEnd })
      return null
    }
    if (!doesCardPay()) return reject('card-declined', 'Your card was declined.')
    const next = { ...found, status: 'active', currentPeriodStart: at, currentPeriodEnd: addMonth(at) } as const
    write(next)
    writeInvoice(newInvoice(next, fullPrice(next), at))
    return null
  }

  function payOpen(found: Subscription) {
    if (!doesCardPay()) return reject('card-declined', 'Your card was declined.')
    change(found, { status: 'active' })
    const open = findOpenInvoice(found)
    if (open) writeInvoice({ ...open.invoice, status: 'paid' })
    return null
  }

  /** Upgrades immediately; the rest of the period is charged pro rata in whole cents, rounded down. A trial charges nothing. */
  function upgrade(found: Subscription, plan: PlanId, differenceCents: number) {
    const start = Date.parse(found.currentPeriodStart)
    const end = Date.parse(found.currentPeriodEnd)
    const cents = Number((BigInt(differenceCents) * BigInt(end - Date.parse(at))) / BigInt(end - start))
    const isDue = found.status === 'active'
    if (isDue && !doesCardPay()) return reject('card-declined', 'Your card was declined.')
    change(found, { plan, nextPlan: null })
    if (isDue) writeInvoice(newInvoice(getSubscription(found.subscriptionId), cents, at))
    return null
  }

  function endPeriod(found: Subscription): void {
    if (found.cancelAtPeriodEnd || found.status === 'past_due') {
      change(found, { status: 'canceled', cancelAtPeriodEnd: false })
      const open = findOpenInvoice(found)
      if (open) writeInvoice({ ...open.invoice, status: 'void' })
      return
    }
    const start = found.currentPeriodEnd
    const paid = doesCardPay()
    const period = { currentPeriodStart: start, currentPeriodEnd: addMonth(start) }
    const plan = { plan: found.nextPlan ?? found.plan, nextPlan: null }
    change(found, { ...period, ...plan, status: paid ? 'active' : 'past_due' })
    const next = getSubscription(found.subscriptionId)
    writeInvoice({ ...newInvoice(next, fullPrice(next), start), status: paid ? 'paid' : 'failed' })
  }

  function isRetryDue(found: Subscription): boolean {
    const retriesDue = retryDays.filter((days) => addDays(found.currentPeriodStart, days) <= at).length
    const open = findOpenInvoice(found)
    return open !== undefined && open.version <= retriesDue
  }

  /** Processes everything that is due, in order, including overdue periods. */
  function tick(): void {
    for (const { subscription } of Object.values(state.subscriptions)) {
      const { subscriptionId } = subscription
      for (let found = subscription; isRunning(found); found = getSubscription(subscriptionId)) {
        if (found.status === 'past_due' && isRetryDue(found)) {
          const open = findOpenInvoice(found) as LedgerInvoice
          if (doesCardPay()) payOpen(found)
          else writeInvoice(open.invoice)
        } else if (found.currentPeriodEnd <= at) endPeriod(found)
        else break
      }
    }
  }

  return { at, events, write, change, attach, payFirst, payOpen, upgrade, tick }
}

function evolve(state: SandboxState, event: SandboxEvent): SandboxState {
  switch (event.type) {
    case 'SandboxClockAdvanced':
      return { ...state, daysAhead: state.daysAhead + event.data.days }
    case 'SandboxCardAttached':
      return { ...state, card: event.data.card }
    case 'SandboxSubscriptionChanged': {
      const { subscription, observed } = event.data
      const entry = { subscription, version: observed.version }
      return { ...state, subscriptions: { ...state.subscriptions, [subscription.subscriptionId]: entry } }
    }
    case 'SandboxInvoiceChanged': {
      const { invoice, number, observed } = event.data
      const entry = { invoice, number, version: observed.version }
      return { ...state, invoices: { ...state.invoices, [invoice.invoiceId]: entry } }
    }
  }
}
