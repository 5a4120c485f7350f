import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { forEachActive } from '#modules/billing/for-each-active.ts'
import { receiveMessage, signMessage } from '#modules/billing/receive-message.ts'
import type { SandboxEvent } from '#modules/billing/sandbox/events.ts'
import { billingSettings } from '#modules/billing/settings.ts'
import { defineJob } from '#modules/module.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { deliverMessageJob } from './process-manager.ts'
import { executeSandbox } from './provider.ts'

/** Maximum delay of a webhook in chaos mode, in seconds. */
const maxDelaySeconds = 4

/**
 * Delivers one sandbox event to the webhook handler, signed as Stripe signs. In chaos mode it is delivered twice, each time
 * late, so that webhooks arrive out of order.
 */
export const deliverSandboxMessage = ({ chaos }: { chaos: boolean }) =>
  defineJob({
    name: deliverMessageJob,
    data: z.strictObject({
      practiceId: PracticeId,
      revision: z.number().int().nonnegative(),
      late: z.boolean().optional(),
      cause: Cause,
    }),
    async run(services, data) {
      const { store, jobs, clock } = services
      if (chaos && !data.late) {
        for (let time = 0; time < 2; time++)
          await jobs.send(deliverMessageJob, { ...data, late: true }, { delaySeconds: randomInt(maxDelaySeconds + 1) })
        return
      }
      const { webhookSecret } = billingSettings.read(services)
      for await (const event of store.read(`sandbox-${data.practiceId}`, BigInt(data.revision))) {
        const message = {
          id: `evt_${event.id}`,
          object: 'event',
          livemode: false,
          created: Math.floor(clock().getTime() / 1_000),
          type: webhookType(event as unknown as SandboxEvent),
          data: { object: event.data },
        }
        const payload = JSON.stringify(message)
        await receiveMessage(services, Buffer.from(payload), signMessage(payload, webhookSecret, clock()))
        return
      }
    },
  })

/** Returns Stripe's webhook type for a sandbox event. */
function webhookType(event: SandboxEvent): string {
  if (event.type === 'SandboxInvoiceChanged')
    return { paid: 'invoice.paid', failed: 'invoice.payment_failed', void: 'invoice.voided' }[event.data.invoice.status]
  if (event.type !== 'SandboxSubscriptionChanged') return 'customer.updated'
  const { observed, subscription } = event.data
  if (subscription.status === 'canceled') return 'customer.subscription.deleted'
  return observed.version === 1 ? 'customer.subscription.created' : 'customer.subscription.updated'
}

/** Ends trials, renews periods and retries failed payments that are due in the sandbox. */
export const runSandboxBilling = defineJob({
  name: 'run-sandbox-billing',
  data: z.strictObject({}),
  schedule: '*/10 * * * *',
  run: (services, _, { signal }) =>
    forEachActive(services, signal, ({ practiceId }) => executeSandbox(services, practiceId, { type: 'Tick' })),
})
