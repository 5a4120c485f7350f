import { Router } from '@koa/router'
import { advanceSandbox, confirmSandboxPayment, sandboxInvoice, sandboxPortal } from '#contracts/billing-sandbox.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { fieldError, notFound, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { currentSubscription } from '#modules/billing/access.ts'
import { findCustomer } from '#modules/billing/queries.ts'
import { withCardErrors } from '#modules/billing/change-subscription.ts'
import type { Services } from '#modules/module.ts'
import { resolveCard, isExpired } from './cards.ts'
import { sandboxDecider, testClockNow } from './decider.ts'
import { invoicePdf } from './invoice-pdf.ts'
import { executeSandbox, createClientSecret, verifyClientSecret } from './provider.ts'

/** The counterpart of Stripe's card form and hosted pages, and a test clock. */
export function sandboxRoutes(services: Services): Router {
  const { bus, db, clock } = services
  const router = new Router()

  serve(router, advanceSandbox, async ({ caller: { practiceId, isOwner }, body: { days } }) => {
    if (!isOwner) throw new ProblemError(403, 'forbidden', 'Only the owner of the practice can move the test clock.')
    await executeSandbox(services, practiceId, { type: 'Advance', days })
    const state = await executeSandbox(services, practiceId, { type: 'Tick' })
    return { now: testClockNow(state, clock()) }
  })

  serve(router, confirmSandboxPayment, async ({ caller: { practiceId }, body }) => {
    const { clientSecret, cardNumber, expMonth, expYear, confirmed } = body
    const subscriptionId = verifyClientSecret(services, practiceId, clientSecret)
    if (subscriptionId === null) throw notFound('payment')
    const { state } = await bus.load(sandboxDecider, practiceId)
    if (isExpired(expMonth, expYear, testClockNow(state, clock())))
      throw fieldError('expYear', "Your card's expiration date is in the past.")
    const card = resolveCard(cardNumber, expMonth, expYear)
    try {
      await withCardErrors(executeSandbox(services, practiceId, { type: 'Pay', subscriptionId, card, confirmed }))
    } catch (error) {
      if (error instanceof CommandRejected && error.rejection.rejected === 'confirmation-needed')
        return { status: 'requires_action' as const }
      throw error
    }
    return { status: 'succeeded' as const }
  })

  serve(router, sandboxPortal, async ({ caller: { practiceId } }) => {
    const { state } = await bus.load(sandboxDecider, practiceId)
    const current = currentSubscription(state)
    if (!current) throw notFound('subscription')
    const { card } = state
    return {
      now: testClockNow(state, clock()),
      clientSecret: createClientSecret(services, practiceId, current.subscriptionId),
      card: card && { brand: card.brand, lastFour: card.lastFour, expMonth: card.expMonth, expYear: card.expYear },
      invoices: Object.values(state.invoices)
        .toSorted((a, b) => b.number - a.number)
        .map(({ number, invoice: { invoiceId, status, plan, amount, periodStart, periodEnd } }) => ({
          invoiceId,
          number,
          status,
          plan,
          amount: amount.cents,
          periodStart,
          periodEnd,
        })),
    }
  })

  serve(router, sandboxInvoice, async ({ caller: { practiceId }, params: { invoiceId } }, { setHeader }) => {
    const { state } = await bus.load(sandboxDecider, practiceId)
    const found = Object.hasOwn(state.invoices, invoiceId) ? state.invoices[invoiceId] : undefined
    if (!found) throw notFound('invoice')
    const { number, invoice } = found
    const customer = await findCustomer(db, practiceId)
    setHeader('Content-Disposition', `inline; filename="invoice-${invoice.periodStart.slice(0, 7)}.pdf"`)
    return Buffer.from(await invoicePdf({ number, invoice, customer, card: state.card }))
  })

  return router
}
