import { runCli, withEngine } from './run-tool.ts'
import { readConfig } from '#main/config.ts'
import { runBilling } from './billing-replay.ts'
import { parseSandboxWebhook } from '#stand-ins/billing-sandbox/provider.ts'
import { parseStripeMessage } from '#modules/billing/stripe-objects.ts'

/** Messages are read as those that come: in the way of whoever takes the money here. */
function readMessage() {
  const { stripe } = readConfig(process.env)
  return stripe
    ? (message: Parameters<typeof parseSandboxWebhook>[0]) => parseStripeMessage(message, stripe.prices)
    : parseSandboxWebhook
}

await runCli((words, terminal) => runBilling(words, terminal, readMessage, (run) => withEngine(terminal, run)))
