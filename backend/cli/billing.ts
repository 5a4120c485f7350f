import { readFile } from 'node:fs/promises'
import { PracticeId } from '#contracts/values/ids.ts'
import type { Recorded } from '#eventstore/event.ts'
import { readConfig } from '#main/config.ts'
import { BillingEvent } from '#modules/billing/events.ts'
import type { Message, ProviderUpdate } from '#modules/billing/payment-provider.ts'
import { Envelope } from '#modules/billing/receive-message.ts'
import { replay, type Step } from '#modules/billing/replay.ts'
import type { EngineContext } from '#projections/rebuild/rebuild.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { createCommandLine } from './command-line.ts'
import { runCli, withEngine } from './run-tool.ts'
import { UsageError, formatTable, type Terminal } from './terminal.ts'

const about = `
Prints the billing history of a practice event by event, computed with the same rules as at runtime: each
report of the payment provider with its time, the resulting subscription, the available plan, and the end of access.
Changes nothing and does not call the payment provider.

--assume applies webhooks of the payment provider after the history, as if they had just arrived, in the order of the file: a
JSON array, a list as returned by Stripe's API, or one message per line.

Works while Everchart is running and while it is stopped. Exit codes: 0 success, 1 failure, 2 invalid usage.`

type ReplayOptions = { assume?: string; json: boolean }
/** Parses a webhook of this installation's payment provider. Throws when it has another shape. */
type ParseWebhook = (message: Message) => ProviderUpdate | null

function parsePracticeId(id: string): PracticeId {
  const practiceId = PracticeId.safeParse(id)
  if (!practiceId.success) throw new UsageError(`${id} is not the id of a practice`)
  return practiceId.data
}

/** Parses the messages in a file. Throws when it is not JSON. */
function parseMessages(text: string): unknown[] {
  try {
    const parsed = JSON.parse(text) as { object?: unknown; data?: unknown }
    if (Array.isArray(parsed)) return parsed
    return Array.isArray(parsed?.data) ? parsed.data : [parsed]
  } catch {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as unknown)
  }
}

type AssumedMessage = { message: Message; update: ProviderUpdate | null }

async function readAssumed(
  practiceId: PracticeId,
  assume: string | undefined,
  parseWebhook: ParseWebhook,
): Promise<AssumedMessage[]> {
  if (assume === undefined) return []
  const text = await readFile(assume, 'utf8').catch(() => undefined)
  if (text === undefined) throw new UsageError(`The file ${assume} cannot be read`)
  let messages: unknown[]
  try {
    messages = parseMessages(text)
  } catch {
    throw new UsageError(`The file ${assume} does not contain JSON`)
  }
  return messages.map((given, index) => {
    const number = index + 1
    const parsed = Envelope.partial({ id: true }).safeParse(given)
    if (!parsed.success) throw new UsageError(`Message ${number} of ${assume} is not a webhook of the payment provider`)
    const { type, created, data } = parsed.data
    const message = { type, createdAt: new Date(created * 1_000).toISOString(), object: data.object }
    const update = parseOne(message, parseWebhook, `Message ${number} of ${assume}`)
    if (update && update.practiceId !== practiceId)
      throw new UsageError(`Message ${number} of ${assume} is about another practice`)
    return { message, update }
  })
}

function parseOne(message: Message, parseWebhook: ParseWebhook, name: string): ProviderUpdate | null {
  try {
    return parseWebhook(message)
  } catch {
    throw new UsageError(`${name} is not a webhook of the configured payment provider`)
  }
}

async function printHistory(
  { store }: EngineContext,
  practiceId: PracticeId,
  assumed: AssumedMessage[],
  json: boolean,
  { out, signal }: Terminal,
) {
  const history: Recorded<BillingEvent>[] = []
  for await (const event of store.read(`subscription-${practiceId}`)) {
    signal.throwIfAborted()
    const { type, data } = BillingEvent.parse({ type: event.type, data: event.data })
    history.push({ ...event, type, data } as Recorded<BillingEvent>)
  }
  if (history.length === 0 && !(await hasPractice(store, practiceId)))
    throw new OperationRefused(`There is no practice ${practiceId}`)
  const steps = replay(practiceId, history, assumed)
  if (json) out(JSON.stringify(steps, null, 2))
  else if (steps.length === 0) out('This practice has never chosen a plan')
  else formatTable(headings, steps.map(toRow)).forEach(out)
  return 0
}

async function hasPractice(store: EngineContext['store'], practiceId: PracticeId): Promise<boolean> {
  for await (const _ of store.read(`practice-${practiceId}`)) return true
  return false
}

const headings = ['', 'at', 'event', 'status', 'plan', 'period ends', 'access', 'until']

function toRow({ at, event, isAssumed, subscription, access }: Step): string[] {
  const cells = subscription && [
    `${subscription.status}${subscription.cancelAtPeriodEnd ? ', canceling' : ''}`,
    `${subscription.plan}${subscription.nextPlan ? `, then ${subscription.nextPlan}` : ''}`,
    subscription.currentPeriodEnd,
  ]
  return [
    isAssumed ? 'if' : '',
    at,
    event,
    ...(cells ?? ['none', '-', '-']),
    access ? `${access.plan}${access.kind === 'trial' ? ' on trial' : ''}` : 'demo',
    access?.until ?? '-',
  ]
}

/** Runs `npm run billing` and returns the exit code. Opens the database only for valid arguments. */
export async function runBilling(
  words: readonly string[],
  terminal: Terminal,
  loadParser: () => ParseWebhook | Promise<ParseWebhook>,
  openEngine: (work: (engine: EngineContext) => Promise<number>) => Promise<number>,
): Promise<number> {
  const { program, handle, run } = createCommandLine('billing', terminal)
  program.description('Explains the subscription of a practice.')
  program
    .command('replay')
    .description('print the billing history of a practice')
    .argument('<practice>', 'the id of the practice')
    .option('--assume <file>', 'webhooks to apply after the history')
    .option('--json', 'print JSON', false)
    .addHelpText('after', about)
    .action(
      handle(async (id: string, { assume, json }: ReplayOptions) => {
        const practiceId = parsePracticeId(id)
        const assumed = await readAssumed(practiceId, assume, await loadParser())
        return await openEngine((engine) => printHistory(engine, practiceId, assumed, json, terminal))
      }),
    )
  return await run(words)
}

/** Loads the webhook parser of the configured payment provider: Stripe, otherwise the sandbox. */
async function loadWebhookParser(): Promise<ParseWebhook> {
  const { stripe } = readConfig(process.env)
  if (!stripe) return (await import('#stand-ins/billing-sandbox/provider.ts')).parseSandboxWebhook
  const { parseStripeMessage } = await import('#modules/billing/stripe/objects.ts')
  return (message) => parseStripeMessage(message, stripe.prices)
}

if (import.meta.main)
  await runCli((words, terminal) =>
    runBilling(words, terminal, loadWebhookParser, (work) => withEngine(terminal, work)),
  )
