import type { composeApp } from '#main/compose.ts'
import { signMessage } from '#modules/billing/receive-message.ts'
import { billingSettings } from '#modules/billing/settings.ts'
import { newSubscriber } from '#tests/support/billing.ts'
import { createClient } from '#tests/support/client.ts'
import { measure, type Timing } from './timing.ts'

/** Measures replies to webhooks of the payment provider, idle and while other clients add patients at full speed. */
export async function benchWebhooks(
  url: string,
  { services }: Awaited<ReturnType<typeof composeApp>>,
  seconds: number,
): Promise<Timing[]> {
  const provider = createClient(url)
  let sent = 0
  const send = async () => {
    const created = Math.floor(Date.now() / 1_000)
    const object = { id: 'cus_bench', note: 'x'.repeat(3_000) }
    const payload = JSON.stringify({ id: `evt_bench_${sent++}`, type: 'customer.updated', created, data: { object } })
    const headers = {
      'content-type': 'application/json',
      'stripe-signature': signMessage(payload, billingSettings.read(services).webhookSecret, new Date()),
    }
    const { status } = await provider.sendRaw('POST', '/api/stripe/webhook', payload, headers)
    if (status !== 200) throw new Error(`a message was answered ${status}`)
  }
  const rows: Timing[] = []
  for (const senders of [1, 8]) rows.push(await measure('a message of the payment provider', senders, seconds, send))

  const { client } = await newSubscriber({ newClient: () => createClient(url) })
  let busy = true
  const add = async (name: string) => {
    for (let n = 0; busy; n++) await client.post('/api/patients', { firstName: name, lastName: `Bench ${n}` })
  }
  const others = Promise.all(['Ada', 'Ben', 'Cleo', 'Dan'].map(add))
  rows.push(await measure('the same while four add patients', 8, seconds, send))
  busy = false
  await others
  return rows
}
