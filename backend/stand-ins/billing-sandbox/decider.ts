import type { PracticeId } from '#contracts/values/ids.ts'
import { type PlanId, getPlan, trialDays } from '#contracts/values/plans.ts'
import { type Decider, reject, type Rejection } from '#eventstore/decider.ts'
import type { Invoice, Subscription } from '#modules/billing/events.ts'
import { addDays, addMonth } from '#modules/billing/date-math.ts'
import { type StoredCard, SandboxEvent } from '#modules/billing/sandbox/events.ts'

/** What can be asked of the sandbox processor. `now` is the real moment; a practice's test clock runs ahead of it. */
export type SandboxCommand = { practiceId: PracticeId; now: Date } & (
  | { type: 'Create'; subscriptionId: string; checkoutId: string; plan: PlanId }
  /** Pays what is open of a subscription, or gives it another card. `confirmed`: the bank was asked and said yes. */
  | { type: 'Pay'; subscriptionId: string; card: StoredCard | 'declined' | 'insufficient'; confirmed: boolean }
  | { type: 'ChangePlan'; subscriptionId: string; plan: PlanId }
  | { type: 'CancelAtPeriodEnd' | 'Reactivate'; subscriptionId: string }
  /** Ends what was never paid, so that it cannot be paid any more; leaves alone what was. */
  | { type: 'GiveUp'; subscriptionId: string }
  | { type: 'Advance'; days: number }
  /** Does what is due by now: the end of trials and periods, and another try of a payment that failed. */
  | { type: 'Tick' }
)

type LedgerSubscription = { subscription: Subscription; version: number }
type LedgerInvoice = { invoice: Invoice; number: number; version: number }

/** The books of one practice. `ahead` is how far its test clock is put forward, in days. */
export type SandboxState = {
  ahead: number
  card: StoredCard | null
  subscriptions: Readonly<Record<string, LedgerSubscription>>
  invoices: Readonly<Record<string, LedgerInvoice>>
}

export type SandboxRefusal =
  | 'already-subscribed'
  | 'unknown-subscription'
  | 'card-declined'
  | 'confirmation-needed'
  | 'not-running'
  | 'too-late'

/** After how many days a payment that failed is tried again; it is given up when the period ends. */
const retryDays = [3, 7, 13]

/** Where test clocks end, as the years of cards do. */
const endOfTime = '2100-01-01'

/** The sandbox processor for one practice: what Stripe would decide, with cards that are none. */
export const sandboxDecider: Decider<SandboxCommand, SandboxEvent, SandboxState, SandboxRefusal> = {
  category: 'sandbox',
  events: SandboxEvent,
  initial: { ahead: 0, card: null, subscriptions: {}, invoices: {} },
  decide,
  evolve,
}

/** What time it is by the test clock of a practice. */
export const testClockNow = ({ ahead }: Pick<SandboxState, 'ahead'>, now: Date): string => addDays(now, ahead)

const isLive = ({ status }: Subscription) => status === 'trialing' || status === 'active' || status === 'past_due'

type Decision = readonly SandboxEvent[] | Rejection<SandboxRefusal>

function decide(command: SandboxCommand, state: SandboxState): Decision {
  const { practiceId } = command
  if (command.type === 'Advance') return advance(command, state)
  const page = createLedger(practiceId, testClockNow(state, command.now), state)
  if (command.type === 'Tick') {
    page.tick()
    return page.events
  }
  if (command.type === 'Create') return create(command, state, page)
  const found = state.subscriptions[command.subscriptionId]?.subscription
  if (!found) return reject('unknown-subscription', 'There is no such subscription.')
  if (command.type === 'GiveUp') {
    if (found.status === 'incomplete') page.change(found, { status: 'canceled' })
    return page.events
  }
  const refusal = command.type === 'Pay' ? pay(command, found, page) : change(command, found, page)
  return refusal ?? page.events
}

/** Time goes by for those who owe something, and that is told, so that nobody goes by a clock that is behind. */
function advance(command: Extract<SandboxCommand, { type: 'Advance' }>, state: SandboxState): Decision {
  const { practiceId, days, now } = command
  const advanced = { type: 'SandboxClockAdvanced', data: { practiceId, days } } as const
  const later = evolve(state, advanced)
  if (testClockNow(later, now) >= endOfTime) return reject('too-late', 'The test clock goes no further than 2099.')
  const page = createLedger(practiceId, testClockNow(later, now), later)
  for (const { subscription } of Object.values(state.subscriptions))
    if (subscription.status === 'past_due') page.write(subscription)
  return [advanced, ...page.events]
}

function create(
  { subscriptionId, checkoutId, plan }: Extract<SandboxCommand, { type: 'Create' }>,
  state: SandboxState,
  page: Ledger,
): Decision {
  if (state.subscriptions[subscriptionId]) return []
  if (Object.values(state.subscriptions).some(({ subscription }) => isLive(subscription)))
    return reject('already-subscribed', 'There is a subscription already.')
  page.write({
    subscriptionId,
    checkoutId,
    status: 'incomplete',
    plan,
    nextPlan: null,
    cancelAtPeriodEnd: false,
    createdAt: page.at,
    currentPeriodStart: page.at,
    currentPeriodEnd: addMonth(page.at),
    trialEnd: null,
  })
  return page.events
}

function pay({ card, confirmed }: Extract<SandboxCommand, { type: 'Pay' }>, found: Subscription, page: Ledger) {
  if (found.status === 'canceled') return reject('not-running', 'This subscription has ended.')
  if (card === 'declined') return reject('card-declined', 'Your card was declined.')
  if (card === 'insufficient') return reject('card-declined', 'Your card has insufficient funds.')
  if (card.behaviour === 'asks-first' && !confirmed)
    return reject('confirmation-needed', 'Your bank asks you to confirm this payment.')
  page.attach(card)
  if (found.status === 'incomplete') return page.begin(found)
  return found.status === 'past_due' ? page.payOpen(found) : null
}

function change(
  command: Extract<SandboxCommand, { type: 'ChangePlan' | 'CancelAtPeriodEnd' | 'Reactivate' }>,
  found: Subscription,
  page: Ledger,
) {
  if (!isLive(found) || page.at >= found.currentPeriodEnd)
    return reject('not-running', 'This subscription is not running.')
  if (command.type !== 'ChangePlan') {
    const cancelAtPeriodEnd = command.type === 'CancelAtPeriodEnd'
    if (found.cancelAtPeriodEnd !== cancelAtPeriodEnd) page.change(found, { cancelAtPeriodEnd })
    return null
  }
  if (found.status === 'past_due') return reject('not-running', 'The open invoice has to be paid first.')
  const { plan } = command
  const more = getPlan(plan).price - getPlan(found.plan).price
  if (more < 0) page.change(found, { nextPlan: plan })
  else if (more === 0 && found.nextPlan !== null) page.change(found, { nextPlan: null })
  else if (more > 0) return page.upgrade(found, plan, more * 100)
  return null
}

type Ledger = ReturnType<typeof createLedger>

/** A page of the books that is being written: the events so far, and what they come to. */
function createLedger(practiceId: PracticeId, at: string, before: SandboxState) {
  const events: SandboxEvent[] = []
  let state = before

  function note(event: SandboxEvent): void {
    events.push(event)
    state = evolve(state, event)
  }
  const now = (id: string) => state.subscriptions[id]?.subscription as Subscription
  const versionOf = (id: string) => state.subscriptions[id]?.version ?? 0

  function write(subscription: Subscription): void {
    const seen = { version: versionOf(subscription.subscriptionId) + 1, at }
    note({ type: 'SandboxSubscriptionChanged', data: { practiceId, seen, subscription } })
  }
  const change = (of: Subscription, to: Partial<Subscription>) => write({ ...now(of.subscriptionId), ...to })

  function bill(invoice: Invoice): void {
    const known = state.invoices[invoice.invoiceId]
    const number = known?.number ?? Object.keys(state.invoices).length + 1
    const seen = { version: (known?.version ?? 0) + 1, at }
    const subscriptionVersion = versionOf(invoice.subscriptionId)
    note({ type: 'SandboxInvoiceChanged', data: { practiceId, seen, invoice, number, subscriptionVersion } })
  }
  function newInvoice({ subscriptionId, plan, currentPeriodEnd }: Subscription, cents: number, from: string): Invoice {
    const invoiceId = `in_sandbox_${subscriptionId.slice(-12)}_${Object.keys(state.invoices).length + 1}`
    const amount = { cents, currency: 'USD' as const }
    return { invoiceId, subscriptionId, status: 'paid', plan, amount, periodStart: from, periodEnd: currentPeriodEnd }
  }
  const attach = (card: StoredCard) => note({ type: 'SandboxCardAttached', data: { practiceId, card } })
  const cardPays = () => state.card?.behaviour !== 'fails-later'
  const openOf = ({ subscriptionId }: Subscription) =>
    Object.values(state.invoices).find(
      ({ invoice }) => invoice.subscriptionId === subscriptionId && invoice.status === 'failed',
    )
  const fullPrice = ({ plan }: Subscription) => getPlan(plan).price * 100
  const hadTrial = () => Object.values(state.subscriptions).some(({ subscription }) => subscription.trialEnd !== null)

  /** The first payment: a trial for those who never had one, else a month that is paid now. */
  function begin(found: Subscription) {
    if (!hadTrial()) {
      const trialEnd = addDays(at, trialDays)
      change(found, { status: 'trialing', trialEnd, currentPeriodStart: at, currentPeriodEnd: trialEnd })
      return null
    }
    if (!cardPays()) return reject('card-declined', 'Your card was declined.')
    const next = { ...found, status: 'active', currentPeriodStart: at, currentPeriodEnd: addMonth(at) } as const
    write(next)
    bill(newInvoice(next, fullPrice(next), at))
    return null
  }

  function payOpen(found: Subscription) {
    if (!cardPays()) return reject('card-declined', 'Your card was declined.')
    change(found, { status: 'active' })
    const open = openOf(found)
    if (open) bill({ ...open.invoice, status: 'paid' })
    return null
  }

  /** The better plan at once; what is left of the period is paid in whole cents, rounded down. In a trial nothing is due. */
  function upgrade(found: Subscription, plan: PlanId, moreCents: number) {
    const start = Date.parse(found.currentPeriodStart)
    const end = Date.parse(found.currentPeriodEnd)
    const cents = Number((BigInt(moreCents) * BigInt(end - Date.parse(at))) / BigInt(end - start))
    const due = found.status === 'active'
    if (due && !cardPays()) return reject('card-declined', 'Your card was declined.')
    change(found, { plan, nextPlan: null })
    if (due) bill(newInvoice(now(found.subscriptionId), cents, at))
    return null
  }

  function endPeriod(found: Subscription): void {
    if (found.cancelAtPeriodEnd || found.status === 'past_due') {
      change(found, { status: 'canceled', cancelAtPeriodEnd: false })
      const open = openOf(found)
      if (open) bill({ ...open.invoice, status: 'void' })
      return
    }
    const start = found.currentPeriodEnd
    const paid = cardPays()
    const period = { currentPeriodStart: start, currentPeriodEnd: addMonth(start) }
    const plan = { plan: found.nextPlan ?? found.plan, nextPlan: null }
    change(found, { ...period, ...plan, status: paid ? 'active' : 'past_due' })
    const next = now(found.subscriptionId)
    bill({ ...newInvoice(next, fullPrice(next), start), status: paid ? 'paid' : 'failed' })
  }

  function retryDue(found: Subscription): boolean {
    const tries = retryDays.filter((days) => addDays(found.currentPeriodStart, days) <= at).length
    const open = openOf(found)
    return open !== undefined && open.version <= tries
  }

  /** Everything that is due, in order, however long ago it was. */
  function tick(): void {
    for (const { subscription } of Object.values(state.subscriptions)) {
      const { subscriptionId } = subscription
      for (let found = subscription; isLive(found); found = now(subscriptionId)) {
        if (found.status === 'past_due' && retryDue(found)) {
          const open = openOf(found) as LedgerInvoice
          if (cardPays()) payOpen(found)
          else bill(open.invoice)
        } else if (found.currentPeriodEnd <= at) endPeriod(found)
        else break
      }
    }
  }

  return { at, events, write, change, attach, begin, payOpen, upgrade, tick }
}

function evolve(state: SandboxState, event: SandboxEvent): SandboxState {
  switch (event.type) {
    case 'SandboxClockAdvanced':
      return { ...state, ahead: state.ahead + event.data.days }
    case 'SandboxCardAttached':
      return { ...state, card: event.data.card }
    case 'SandboxSubscriptionChanged': {
      const { subscription, seen } = event.data
      const books = { subscription, version: seen.version }
      return { ...state, subscriptions: { ...state.subscriptions, [subscription.subscriptionId]: books } }
    }
    case 'SandboxInvoiceChanged': {
      const { invoice, number, seen } = event.data
      const bill = { invoice, number, version: seen.version }
      return { ...state, invoices: { ...state.invoices, [invoice.invoiceId]: bill } }
    }
  }
}
