import { once } from 'node:events'
import { type Command, Option } from 'commander'
import { openPool } from '#database/pool.ts'
import { setEventStoreTimeout } from '#database/query-timeout.ts'
import { copyHistory, type CopyProgress } from '#eventstore/copy-history.ts'
import { CopyError, type HistoryTarget } from '#eventstore/history-writer.ts'
import { inBatches } from '#eventstore/in-batches.ts'
import { type Recorded, UnsupportedEventVersion } from '#eventstore/event.ts'
import { type EventStore, ForeignPosition, StoreUnavailable } from '#eventstore/event-store.ts'
import { isEventStoreDbAddress } from '#eventstore/kurrentdb/address.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { readConfig } from '#main/config.ts'
import { isRevealStream, recordReveal } from '#modules/audit/record-reveal.ts'
import { redactEventStore } from '#main/decorate-event-store.ts'
import { modules } from '#main/modules.ts'
import { openExternalEventStore } from '#main/open-event-store.ts'
import { type AcquiredDatabase, acquireDatabase } from '#runtime/acquire-database.ts'
import { StartError } from '#runtime/start-error.ts'
import { createCommandLine } from './command-line.ts'
import { tailEvents, type TailStart } from './tail-events.ts'
import { prepareTool, toolCallTimeoutMs, withEngine } from './run-tool.ts'
import { type EventQuery, formatEvent, isEventType, searchEvents } from './search-events.ts'
import { createProgressDisplay, type Terminal, UsageError } from './terminal.ts'

const aboutPrinting = `
Prints each event with its user and time as one line of JSON, oldest first. Values that identify a patient or describe health
are masked unless --reveal is set; what is revealed is recorded with your account. Everchart may be running or stopped.`

const aboutCopying = `
<store> is one of
  postgres                         the database of this installation
  postgres://user:password@host/database
  esdb://user:password@host:2113   an EventStoreDB
  kurrentdb://host:2113?tls=false  a KurrentDB

Preserves order, ids, streams, revisions and bytes, then compares the count and hash of both stores. The next run continues an
interrupted copy. Stop Everchart first, or repeat the copy afterwards: events written during the copy are not included.`

const expectedErrors = [CopyError, StartError, StoreUnavailable, ForeignPosition, UnsupportedEventVersion]

/** Runs `npm run events`: search, stream, tail and copy. Returns the exit code. */
export async function runEventsCli(words: readonly string[], terminal: Terminal): Promise<number> {
  const { program, handle, run } = createCommandLine('events', terminal, expectedErrors)
  program.description('Prints the events of this installation, or copies them to another event store.')

  addFilterOptions(program.command('search'))
    .description('print the events that match')
    .option('--since <instant>', 'at this day or instant in UTC or later, such as 2026-11-20T08:00:00Z', parseInstant)
    .addHelpText('after', aboutPrinting)
    .action(
      handle(({ reveal, ...query }: EventQuery & { reveal: boolean }) =>
        printEvents(terminal, reveal && 'search', (store) => searchEvents(store, query)),
      ),
    )

  program
    .command('stream')
    .description('print the events of one stream')
    .argument('<stream>')
    .addOption(revealOption())
    .addHelpText('after', aboutPrinting)
    .action(
      handle((stream: string, { reveal }: { reveal: boolean }) =>
        printEvents(terminal, reveal && 'stream', (store) => store.read(stream)),
      ),
    )

  addFilterOptions(program.command('tail'))
    .description('print new events until Ctrl-C; waits while the store is unavailable')
    .addOption(
      new Option('--last <count>', 'begin with this many of the newest events')
        .argParser(parseCount)
        .conflicts('after'),
    )
    .option('--after <position>', 'begin after this position')
    .addHelpText('after', aboutPrinting)
    .action(
      handle(({ reveal, last, after, ...query }: EventQuery & TailOptions & { reveal: boolean }) =>
        printEvents(terminal, reveal && 'tail', (store, signal) =>
          tail(store, query, after === undefined ? { last: last ?? 0 } : { after }, signal, terminal),
        ),
      ),
    )

  program
    .command('copy')
    .description('copy the whole history from one event store to another')
    .requiredOption('--from <store>', 'the source', parseAddress)
    .requiredOption('--to <store>', 'the target', parseAddress)
    .option('--json', 'print the result as JSON', false)
    .addHelpText('after', aboutCopying)
    .action(
      handle(({ from, to, json }: { from: string; to: string; json: boolean }) => {
        if (from === to) throw new UsageError('--from and --to are the same store')
        return copyStore(from, to, json, terminal)
      }),
    )

  return await run(words)
}

type TailOptions = { last?: number; after?: string }

const revealOption = () =>
  new Option('--reveal', 'show values that identify patients or describe health').default(false)

const addFilterOptions = (command: Command): Command =>
  command
    .option('--type <type>', 'only this event type', parseEventType)
    .option('--user <id>', 'only events caused by this user')
    .option('--practice <id>', 'only events of this practice')
    .addOption(revealOption())

function parseEventType(type: string): string {
  if (!isEventType(type)) throw new UsageError(`There is no event ${type}`)
  return type
}

const instant = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/

/** Returns an instant with milliseconds, as in events: the two are compared as text. */
function parseInstant(text: string): string {
  const milliseconds = instant.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(milliseconds))
    throw new UsageError('--since must be a day or an instant in UTC, such as 2026-11-20 or 2026-11-20T08:00:00Z')
  return new Date(milliseconds).toISOString()
}

function parseCount(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new UsageError('--last must be a count, up to 999999')
  return Number(text)
}

/** Throws UsageError, which unlike commander's own error does not repeat the address: it may hold a password. */
function parseAddress(text: string): string {
  if (text === 'postgres' || /^postgres(ql)?:\/\/[^/]+\/./.test(text) || isEventStoreDbAddress(text)) return text
  throw new UsageError('--from and --to must be postgres, or an address such as esdb://host:2113?tls=false')
}

type OpenedStore = { store: HistoryTarget; close(): Promise<unknown> }

/** Opens the store at an address; `postgres` is the database of this installation. Throws StartError. */
async function openStore(address: string, { err }: Terminal): Promise<OpenedStore> {
  if (isEventStoreDbAddress(address)) {
    const store = await openExternalEventStore(address, { callTimeoutMs: toolCallTimeoutMs })
    return { store, close: store.close }
  }
  const config = readConfig(process.env)
  const isOwn = address === 'postgres'
  const database = isOwn ? await acquireDatabase(config, err) : toForeignDatabase(address)
  const pool = openPool(database.url, 2)
  setEventStoreTimeout(pool, toolCallTimeoutMs)
  const closePool = async () => {
    await pool.end()
    await database.release()
  }
  try {
    // Events may be copied to a database that has none yet.
    if (isOwn)
      await prepareTool({ databaseUrl: database.url, ownerUrl: database.ownerUrl }, { eventStoreUrl: undefined })
    const store = await openPostgresStore(pool)
    return { store, close: () => store.close().then(closePool) }
  } catch (error) {
    await closePool()
    throw new StartError(`The database cannot be used: ${(error as Error).message}`)
  }
}

const toForeignDatabase = (url: string): AcquiredDatabase => ({ url, ownerUrl: url, release: async () => undefined })

/**
 * Prints events of this installation's store until there are no more, Ctrl-C, or the reader of the output has closed it.
 * Values of patients are masked, unless `revealing` names the command that reveals them.
 */
async function printEvents(
  terminal: Terminal,
  revealing: 'search' | 'stream' | 'tail' | false,
  select: (store: EventStore, signal: AbortSignal) => AsyncIterable<Recorded>,
): Promise<number> {
  const closed = new AbortController()
  // A reader such as `head` may close the pipe before the end.
  process.stdout.on('error', () => closed.abort())
  const signal = AbortSignal.any([terminal.signal, closed.signal])
  if (revealing !== false)
    await withEngine(terminal, async ({ store }) => {
      const recordShown = createShownRecorder(store, `events ${revealing}`, terminal.account)
      // New events are shown one by one as they arrive.
      const batchSize = revealing === 'tail' ? 1 : revealBatchSize
      for await (const batch of inBatches(select(store, signal), batchSize)) {
        await recordShown(batch)
        await writeEvents(batch, true, signal)
      }
    })
  else {
    const { store, close } = await openStore(readConfig(process.env).eventStoreUrl ?? 'postgres', terminal)
    try {
      await writeEvents(select(redactEventStore(store, modules), signal), false, signal)
    } finally {
      await close()
    }
  }
  return 0
}

const revealBatchSize = 500

/** Returns a function that records the streams of events before they are shown, each stream once. */
function createShownRecorder(store: EventStore, command: string, by: string) {
  const recorded = new Set<string>()
  return async (events: readonly Recorded[]): Promise<void> => {
    const streams = new Set(events.map(({ stream }) => stream).filter((stream) => !isRevealStream(stream)))
    const shown = [...streams].filter((stream) => !recorded.has(stream))
    await recordReveal(store, { command, by, shown })
    for (const stream of shown) recorded.add(stream)
  }
}

async function writeEvents(
  events: Iterable<Recorded> | AsyncIterable<Recorded>,
  reveal: boolean,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of events) {
    if (signal.aborted) break
    const hasRoom = process.stdout.write(`${formatEvent(event, reveal)}\n`)
    if (!hasRoom) await once(process.stdout, 'drain', { signal }).catch(() => undefined)
  }
}

function tail(store: EventStore, query: EventQuery, start: TailStart, signal: AbortSignal, { err }: Terminal) {
  if ('after' in start && !store.isOwnPosition(start.after))
    throw new UsageError(`--after must be a position that search prints: ${start.after} is not one of this store`)
  return tailEvents(store, query, start, {
    signal,
    onUnavailable: () => err('The event store is unavailable; waiting'),
    onAvailable: () => err('The event store is available again'),
  })
}

/** Returns a reporter that draws a bar in a terminal and prints one line per step elsewhere. */
function createProgressReporter({ bar, err }: Terminal): (progress: CopyProgress) => void {
  const { show } = createProgressDisplay({ bar, err }, 'copy')
  let currentStep = ''
  let start = { at: 0, done: 0 }
  return ({ step, done, total }) => {
    if (step !== currentStep) {
      currentStep = step
      start = { at: Date.now(), done }
      if (!bar) err(step)
    }
    if (!bar) return
    const seconds = (Date.now() - start.at) / 1_000
    const perSecond = seconds > 0 ? Math.round((done - start.done) / seconds) : 0
    const secondsLeft = step === 'counting' || perSecond === 0 ? null : (total - done) / perSecond
    show(step, { events: done, share: total === 0 ? 0 : done / total, perSecond, secondsLeft })
  }
}

async function copyStore(from: string, to: string, asJson: boolean, terminal: Terminal): Promise<number> {
  const controller = new AbortController()
  const stop = () => controller.abort(new CopyError('Stopped. The next run continues from here'))
  terminal.signal.addEventListener('abort', stop)
  const opened: OpenedStore[] = []
  const { out, bar } = terminal
  try {
    for (const address of [from, to]) opened.push(await openStore(address, terminal))
    const [source, target] = opened.map(({ store }) => store) as [HistoryTarget, HistoryTarget]
    const progress = createProgressReporter(terminal)
    const copied = await copyHistory(source, target, { progress, signal: controller.signal })
    bar?.(null)
    if (asJson) out(JSON.stringify(copied))
    else {
      out(
        `${copied.events} events, ${copied.alreadyPresent} of them already present. Both stores have the hash ${copied.hash}`,
      )
      if (copied.hasSourceGrown)
        out('The source received more events during the copy: run this again to copy the rest.')
    }
    return 0
  } finally {
    bar?.(null)
    for (const { close } of opened.toReversed()) await close()
  }
}
