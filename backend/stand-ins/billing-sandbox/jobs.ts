import { randomInt } from 'node:crypto'
import { z } from 'zod'
import { PracticeId } from '#contracts/values/ids.ts'
import { defineJob } from '#modules/module.ts'
import { Cause } from '#process-managers/process-manager.ts'
import { forEachActive } from '#modules/billing/for-each-active.ts'
import { receiveMessage, signed } from '#modules/billing/receive-message.ts'
import type { SandboxEvent } from '#modules/billing/sandbox/events.ts'
import { deliverJob } from './process-manager.ts'
import { executeSandbox } from './provider.ts'

/** The longest a message is held back in chaos, in seconds. */
const maxDelaySeconds = 4

/**
 * Carries one fact of the sandbox to the handler of messages, signed as Stripe signs. In chaos it is sent twice, each time
 * late, so that messages overtake one another.
 */
export const deliverSandboxMessage = defineJob({
  name: deliverJob,
  data: z.strictObject({
    practiceId: PracticeId,
    revision: z.number().int().nonnegative(),
    late: z.boolean().optional(),
    cause: Cause,
  }),
  async run(services, data) {
    const { store, jobs, clock, billing } = services
    if (billing.sandbox === 'chaos' && !data.late) {
      for (let time = 0; time < 2; time++)
        await jobs.send(deliverJob, { ...data, late: true }, { delaySeconds: randomInt(maxDelaySeconds + 1) })
      return
    }
    for await (const event of store.read(`sandbox-${data.practiceId}`, BigInt(data.revision))) {
      const created = Math.floor(clock().getTime() / 1_000)
      const type = typeOf(event as unknown as SandboxEvent)
      const message = {
        id: `evt_${event.id}`,
        object: 'event',
        livemode: false,
        created,
        type,
        data: { object: event.data },
      }
      const payload = JSON.stringify(message)
      await receiveMessage(services, Buffer.from(payload), signed(payload, billing.webhookSecret, clock()))
      return
    }
  },
})

/** What Stripe calls it. */
function typeOf(event: SandboxEvent): string {
  if (event.type === 'SandboxInvoiceChanged')
    return { paid: 'invoice.paid', failed: 'invoice.payment_failed', void: 'invoice.voided' }[event.data.invoice.status]
  if (event.type !== 'SandboxSubscriptionChanged') return 'customer.updated'
  const { seen, subscription } = event.data
  if (subscription.status === 'canceled') return 'customer.subscription.deleted'
  return seen.version === 1 ? 'customer.subscription.created' : 'customer.subscription.updated'
}

/** Lets the sandbox do what is due: trials that end, months to be paid, payments to be tried again. */
export const runSandboxBilling = defineJob({
  name: 'renew-in-sandbox',
  data: z.strictObject({}),
  schedule: '*/10 * * * *',
  async run(services, _, { signal }) {
    if (services.billing.sandbox === 'off') return
    await forEachActive(services, signal, ({ practiceId }) => executeSandbox(services, practiceId, { type: 'Tick' }))
  },
})
