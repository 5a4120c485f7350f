import type { BillingSettings } from '#modules/billing/settings.ts'
import type { Module } from '#modules/module.ts'
import { deliverSandboxMessage, runSandboxBilling } from './jobs.ts'
import { sendSandboxMessages } from './process-manager.ts'
import { sandboxProvider } from './provider.ts'
import { sandboxRoutes } from './routes.ts'

/** The sandbox as a module, and the payment provider that it implements. */
export type BillingSandbox = { module: Module; createProvider: NonNullable<BillingSettings['createStandIn']> }

/**
 * Creates the local stand-in for Stripe. With `chaos`, it sends every webhook twice, each late. Its events are declared by the
 * billing module, because they must be readable where the sandbox is not loaded.
 */
export const createBillingSandbox = ({ chaos }: { chaos: boolean }): BillingSandbox => ({
  createProvider: sandboxProvider,
  module: {
    name: 'billing-sandbox',
    events: [],
    processManagers: [sendSandboxMessages],
    jobs: [deliverSandboxMessage({ chaos }), runSandboxBilling],
    routes: sandboxRoutes,
  },
})
