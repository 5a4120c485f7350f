import { runTool, withEngine } from './command-line.ts'
import { readConfig } from './config.ts'
import { runBilling } from '#modules/billing/replay-cli.ts'
import { toldBySandbox } from '#modules/billing/sandbox/provider.ts'
import { toldBy } from '#modules/billing/stripe-objects.ts'

/** Messages are read as those that come: in the way of whoever takes the money here. */
function readMessage() {
  const { stripe } = readConfig(process.env)
  return stripe ? (message: Parameters<typeof toldBySandbox>[0]) => toldBy(message, stripe.prices) : toldBySandbox
}

await runTool((words, terminal) => runBilling(words, terminal, readMessage, (run) => withEngine(terminal, run)))
