import { toCause, type JobRequest, defineProcessManager } from '#process-managers/process-manager.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { SandboxEvent } from '#modules/billing/sandbox/events.ts'

/** The job that carries one fact of the sandbox to Everchart as a message. */
export const deliverJob = 'deliver-sandbox-message'

type ReportedEvent = Extract<SandboxEvent, { type: 'SandboxSubscriptionChanged' | 'SandboxInvoiceChanged' }>

/** Everything that changes in the sandbox's books is told, as Stripe would tell it. */
export const sendSandboxMessages = defineProcessManager<SandboxEvent>({
  name: 'tell-of-sandbox',
  on: { SandboxSubscriptionChanged: requestDelivery, SandboxInvoiceChanged: requestDelivery },
})

function requestDelivery(event: Recorded<ReportedEvent>): readonly JobRequest[] {
  const { practiceId } = event.data
  return [{ job: deliverJob, data: { practiceId, revision: Number(event.revision), cause: toCause(event) } }]
}
