import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { PracticeId } from '#contracts/values/ids.ts'
import type { Recorded } from '#eventstore/event.ts'
import type { EngineContext } from '#projections/rebuild/rebuild.ts'
import { UsageError, formatTable, type Terminal } from './terminal.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { BillingEvent } from '#modules/billing/events.ts'
import type { Message, ProviderUpdate } from '#modules/billing/payment-provider.ts'
import { replay, type Step } from '#modules/billing/replay.ts'
import { Envelope } from '#modules/billing/receive-message.ts'

const help = `npm run billing -- replay <practice> [--assume <file>]

Prints what a practice paid for, state after state, as it follows from the record by the rules of every day: what the
payment provider told and when, the subscription after it, and what the practice may use because of it and until when.
Nothing is changed, and nobody is asked.

  --assume <file>  messages of the payment provider that are taken in after the record, as if they had just come, in the
                   order of the file: a JSON array, a list as Stripe answers it, or one message a line
  --json           prints JSON
  --help           prints this

Works beside a running Everchart and without one. Exit codes: 0 done, 1 not done, 2 misused.
`
const tryHelp = 'npm run billing -- --help tells more'

type Asked = { practiceId: PracticeId; assume: string | undefined; json: boolean }
/** What a message of the payment provider of this installation tells. Throws where it has another shape. */
export type ReadMessage = (message: Message) => ProviderUpdate | null

const parse = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    allowPositionals: true,
    strict: true,
    options: {
      assume: { type: 'string' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  })

function readArguments(words: readonly string[]): Asked | 'help' {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(words)
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(/\.? To specify|\n/)[0]}: ${tryHelp}`)
  }
  const { help: wanted, assume, json } = parsed.values
  if (wanted) return 'help'
  const [word, id, ...more] = parsed.positionals
  if (word === undefined) throw new UsageError(`What shall be done? ${tryHelp}`)
  if (word !== 'replay') throw new UsageError(`There is no command ${word}: ${tryHelp}`)
  if (more.length > 0 || id === undefined) throw new UsageError(`replay takes the id of one practice: ${tryHelp}`)
  const practiceId = PracticeId.safeParse(id)
  if (!practiceId.success) throw new UsageError(`${id} is not the id of a practice: ${tryHelp}`)
  return { practiceId: practiceId.data, assume, json }
}

/** The messages in a file. */
function messagesIn(text: string): unknown[] {
  try {
    const whole = JSON.parse(text) as { object?: unknown; data?: unknown }
    if (Array.isArray(whole)) return whole
    return Array.isArray(whole?.data) ? whole.data : [whole]
  } catch {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as unknown)
  }
}

type Assumed = { message: Message; told: ProviderUpdate | null }

async function readAssumed({ practiceId, assume }: Asked, read: ReadMessage): Promise<Assumed[]> {
  if (assume === undefined) return []
  const text = await readFile(assume, 'utf8').catch(() => undefined)
  if (text === undefined) throw new UsageError(`The file ${assume} cannot be read`)
  let messages: unknown[]
  try {
    messages = messagesIn(text)
  } catch {
    throw new UsageError(`The file ${assume} holds no JSON`)
  }
  return messages.map((given, index) => {
    const number = index + 1
    const parsed = Envelope.partial({ id: true }).safeParse(given)
    if (!parsed.success) throw new UsageError(`Message ${number} of ${assume} is no message of the payment provider`)
    const { type, created, data } = parsed.data
    const message = { type, createdAt: new Date(created * 1_000).toISOString(), object: data.object }
    const told = readOne(message, read, `Message ${number} of ${assume}`)
    if (told && told.practiceId !== practiceId)
      throw new UsageError(`Message ${number} of ${assume} is about another practice`)
    return { message, told }
  })
}

function readOne(message: Message, read: ReadMessage, name: string): ProviderUpdate | null {
  try {
    return read(message)
  } catch {
    throw new UsageError(`${name} is no message of the payment provider that is set up here`)
  }
}

async function run(
  { store }: EngineContext,
  { practiceId, json }: Asked,
  assumed: Assumed[],
  { out, signal }: Terminal,
) {
  const history: Recorded<BillingEvent>[] = []
  for await (const event of store.read(`subscription-${practiceId}`)) {
    signal.throwIfAborted()
    const { type, data } = BillingEvent.parse({ type: event.type, data: event.data })
    history.push({ ...event, type, data } as Recorded<BillingEvent>)
  }
  if (history.length === 0 && !(await isThere(store, practiceId)))
    throw new OperationRefused(`There is no practice ${practiceId}`)
  const steps = replay(practiceId, history, assumed)
  if (json) out(JSON.stringify(steps, null, 2))
  else if (steps.length === 0) out('This practice has never chosen a plan')
  else formatTable(headings, steps.map(rowOf)).forEach(out)
  return 0
}

async function isThere(store: EngineContext['store'], practiceId: PracticeId): Promise<boolean> {
  for await (const _ of store.read(`practice-${practiceId}`)) return true
  return false
}

const headings = ['', 'at', 'what', 'status', 'plan', 'period ends', 'may use', 'until']

function rowOf({ at, what, assumed, subscription, access }: Step): string[] {
  const said = subscription && [
    `${subscription.status}${subscription.cancelAtPeriodEnd ? ', canceling' : ''}`,
    `${subscription.plan}${subscription.nextPlan ? `, then ${subscription.nextPlan}` : ''}`,
    subscription.currentPeriodEnd,
  ]
  return [
    assumed ? 'if' : '',
    at,
    what,
    ...(said ?? ['none', '-', '-']),
    access ? `${access.plan}${access.as === 'trial' ? ' on trial' : ''}` : 'demo',
    access?.until ?? '-',
  ]
}

/** The whole of `npm run billing`: answers the exit code. The database is opened only for what makes sense. */
export async function runBilling(
  words: readonly string[],
  terminal: Terminal,
  readMessage: () => ReadMessage,
  withEngine: (work: (engine: EngineContext) => Promise<number>) => Promise<number>,
): Promise<number> {
  try {
    const asked = readArguments(words)
    if (asked === 'help') {
      help.trimEnd().split('\n').forEach(terminal.out)
      return 0
    }
    const assumed = await readAssumed(asked, readMessage())
    return await withEngine((engine) => run(engine, asked, assumed, terminal))
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof OperationRefused)) throw error
    terminal.err(error.message)
    return error instanceof UsageError ? 2 : 1
  }
}
