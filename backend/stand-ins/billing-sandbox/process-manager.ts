import { toCause, type JobRequest, defineProcessManager } from '#process-managers/process-manager.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { SandboxEvent } from '#modules/billing/sandbox/events.ts'

/** The job that delivers one sandbox event as a webhook. */
export const deliverMessageJob = 'deliver-sandbox-message'

type ReportedEvent = Extract<SandboxEvent, { type: 'SandboxSubscriptionChanged' | 'SandboxInvoiceChanged' }>

/** Sends a webhook for every change of the sandbox's ledger, as Stripe does. */
export const sendSandboxMessages = defineProcessManager<SandboxEvent>({
  name: 'send-sandbox-messages',
  on: { SandboxSubscriptionChanged: requestDelivery, SandboxInvoiceChanged: requestDelivery },
})

function requestDelivery(event: Recorded<ReportedEvent>): readonly JobRequest[] {
  const { practiceId } = event.data
  return [{ job: deliverMessageJob, data: { practiceId, revision: Number(event.revision), cause: toCause(event) } }]
}
