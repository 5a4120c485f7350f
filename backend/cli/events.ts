import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { createProgressBar, onInterrupt, withEngine } from './run-tool.ts'
import { readConfig } from '#main/config.ts'
import { openExternalEventStore } from '#main/open-event-store.ts'
import { type TailStart, tailEvents } from './follow-events.ts'
import { isEventType, formatEvent, searchEvents, type EventQuery } from './search-events.ts'
import { createModuleEventVersions } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import { copyHistory, type CopyProgress, CopyError } from '#eventstore/copy-history.ts'
import { UnsupportedEventVersion } from '#eventstore/event.ts'
import { type EventStore, ForeignPosition, StoreUnavailable } from '#eventstore/event-store.ts'
import { isEventStoreDbAddress } from '#eventstore/kurrentdb/client.ts'
import { openPostgresStore } from '#eventstore/postgres/store.ts'
import { redactedStore } from '#encryption/encrypted-store.ts'
import { upcastingStore } from '#eventstore/upcasting.ts'
import { openPool } from '#database/pool.ts'
import { UsageError, createProgressDisplay, type Terminal } from './terminal.ts'
import { acquireDatabase } from '#runtime/reach-database.ts'
import { StartError } from '#runtime/start-error.ts'

const help = `npm run events -- search [--type <type>] [--since <instant>] [--user <id>] [--practice <id>] [--reveal]
npm run events -- stream <stream> [--reveal]
npm run events -- tail [--last <count> | --after <position>] [--type <type>] [--user <id>] [--practice <id>] [--reveal]

Prints who did what and when, one line of JSON an event, oldest first. Beside a running application or without one. What
identifies a patient or describes health is hidden unless --reveal. tail stays and prints what is written from now on, with
so many of the newest before it or all that came after a position, until Ctrl-C; a store that goes away is waited for.

npm run events -- copy --from <store> --to <store>

Copies the whole history from one event store to another, in its order, with the same ids, streams, revisions and bytes,
and proves at the end by count and hash that both hold the same. Broken off, it goes on where it was at the next run.
Stop the application first, or run it once more afterwards: what is written meanwhile is not in the copy.

  --from, --to   postgres                         the database of this installation
                 postgres://user:password@host/database
                 esdb://user:password@host:2113   an EventStoreDB
                 kurrentdb://host:2113?tls=false  a KurrentDB
  --json         prints the result as JSON
  --help         prints this
`

type OpenedStore = { store: EventStore; close(): Promise<unknown> }

const printStatus = (line: string) => process.stderr.write(`${line}\n`)

async function openStore(address: string): Promise<OpenedStore> {
  if (isEventStoreDbAddress(address)) {
    const store = openExternalEventStore(address)
    return { store, close: store.close }
  }
  const ownUrl = address === 'postgres' ? undefined : address
  const config = readConfig(process.env)
  const database = await acquireDatabase({ ...config, databaseUrl: ownUrl ?? config.databaseUrl }, printStatus)
  const pool = openPool(database.url, 2)
  const closePool = async () => {
    await pool.end()
    await database.release()
  }
  try {
    const store = await openPostgresStore(pool)
    return { store, close: () => store.close().then(closePool) }
  } catch (error) {
    await closePool()
    throw new StartError(`The database cannot be used: ${(error as Error).message}`)
  }
}

const isAddress = (word: string | undefined): word is string =>
  word !== undefined && (word === 'postgres' || /^postgres(ql)?:\/\/[^/]+\/./.test(word) || isEventStoreDbAddress(word))

const instant = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/

type ParsedArguments =
  | { does: 'help' }
  | { does: 'copy'; from: string; to: string; json: boolean }
  | { does: 'search'; wanted: EventQuery; reveal: boolean }
  | { does: 'stream'; stream: string; reveal: boolean }
  | { does: 'tail'; wanted: EventQuery; begin: TailStart; reveal: boolean }

const text = { type: 'string' } as const
const flag = { type: 'boolean', default: false } as const

function readArguments(): ParsedArguments {
  const { values, positionals } = parseCommandLine()
  const [does, stream, ...more] = positionals
  const { from, to, json, reveal, last, after, help: wantsHelp, ...wanted } = values
  if (wantsHelp) return { does: 'help' }
  if (does === 'stream' && stream !== undefined && more.length === 0) return { does, stream, reveal }
  if (stream !== undefined || (does !== 'copy' && does !== 'search' && does !== 'tail'))
    throw new UsageError('Say what to do: search, stream <stream>, tail, or copy. --help tells more')
  if (wanted.type !== undefined && !isEventType(wanted.type)) throw new UsageError(`There is no event ${wanted.type}`)
  if (does === 'tail') {
    if (wanted.since !== undefined)
      throw new UsageError('tail takes no --since: --last and --after say where it begins')
    return { does, wanted, begin: parseStart(last, after), reveal }
  }
  if (last !== undefined || after !== undefined) throw new UsageError('--last and --after are for tail')
  if (does === 'search') {
    if (wanted.since !== undefined && !(instant.test(wanted.since) && Number.isFinite(Date.parse(wanted.since))))
      throw new UsageError('--since must be a day or an instant in UTC, such as 2026-11-20 or 2026-11-20T08:00:00Z')
    return { does, wanted, reveal }
  }
  if (!isAddress(from))
    throw new UsageError('--from must be postgres, or an address such as esdb://host:2113?tls=false')
  if (!isAddress(to)) throw new UsageError('--to must be postgres, or an address such as esdb://host:2113?tls=false')
  if (from === to) throw new UsageError('--from and --to are the same store')
  return { does, from, to, json }
}

function parseStart(last: string | undefined, after: string | undefined): TailStart {
  if (last !== undefined && after !== undefined) throw new UsageError('Say --last or --after, not both')
  if (after !== undefined) return { after }
  if (last !== undefined && !/^\d{1,6}$/.test(last)) throw new UsageError('--last must be a count, up to 999999')
  return { last: Number(last ?? 0) }
}

function parseCommandLine() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        from: text,
        to: text,
        type: text,
        since: text,
        user: text,
        practice: text,
        last: text,
        after: text,
        json: flag,
        reveal: flag,
        help: { ...flag, short: 'h' },
      },
    })
  } catch (error) {
    // Only what is wrong: the rest is advice about a kind of argument that there is none of here.
    throw new UsageError(`${(error as Error).message.split(/\.? To specify|\n/)[0]}. --help tells more`)
  }
}

/** Prints events of this installation's own store, until there are no more, somebody ends it, or nobody reads on. */
async function printEvents(asked: Extract<ParsedArguments, { reveal: boolean }>): Promise<void> {
  const enough = new AbortController()
  const end = () => enough.abort()
  // A reader such as `head` may go before the end.
  process.stdout.on('error', end)
  if (asked.does === 'tail') onInterrupt(end)
  if (asked.reveal)
    return await withEngine({ err: printStatus }, ({ store }) => printStoreEvents(store, asked, enough.signal))
  const { store, close } = await openStore(readConfig(process.env).eventStoreUrl ?? 'postgres')
  try {
    await printStoreEvents(
      upcastingStore(redactedStore(store), createModuleEventVersions(modules)),
      asked,
      enough.signal,
    )
  } finally {
    await close()
  }
}

type PrintArguments = Extract<ParsedArguments, { reveal: boolean }>

async function printStoreEvents(store: EventStore, asked: PrintArguments, signal: AbortSignal): Promise<void> {
  if (asked.does === 'tail' && 'after' in asked.begin && !store.isOwnPosition(asked.begin.after))
    throw new UsageError(`--after must be a position that search prints: ${asked.begin.after} is none of this store`)
  for await (const event of selectEvents(store, asked, signal)) {
    if (signal.aborted) break
    const room = process.stdout.write(`${formatEvent(event, asked.reveal)}\n`)
    if (!room) await once(process.stdout, 'drain', { signal }).catch(() => undefined)
  }
}

function selectEvents(store: EventStore, asked: PrintArguments, signal: AbortSignal) {
  if (asked.does === 'stream') return store.read(asked.stream)
  if (asked.does === 'search') return searchEvents(store, asked.wanted)
  return tailEvents(store, asked.wanted, asked.begin, {
    signal,
    onUnavailable: () => printStatus('The event store is away; waiting for it'),
    onAvailable: () => printStatus('The event store is back'),
  })
}

/** A bar where somebody watches, and one line a step elsewhere. */
function createProgressReporter(bar: Terminal['bar']): (progress: CopyProgress) => void {
  const { show } = createProgressDisplay({ bar, err: printStatus }, 'copy')
  let step = ''
  let began = { at: 0, done: 0 }
  return ({ step: now, done, total }) => {
    if (now !== step) {
      step = now
      began = { at: Date.now(), done }
      if (!bar) printStatus(step)
    }
    if (!bar) return
    const seconds = (Date.now() - began.at) / 1_000
    const perSecond = seconds > 0 ? Math.round((done - began.done) / seconds) : 0
    const secondsLeft = step === 'counting' || perSecond === 0 ? null : (total - done) / perSecond
    show(step, { events: done, share: total === 0 ? 0 : done / total, perSecond, secondsLeft })
  }
}

async function copyStore(from: string, to: string, json: boolean): Promise<void> {
  const abort = new AbortController()
  onInterrupt(() => abort.abort(new CopyError('Stopped. The next run goes on from here')))
  const opened: OpenedStore[] = []
  const bar = createProgressBar(process.stderr)
  try {
    for (const address of [from, to]) opened.push(await openStore(address))
    const [source, target] = opened.map(({ store }) => store) as [EventStore, EventStore]
    const copied = await copyHistory(source, target, { progress: createProgressReporter(bar), signal: abort.signal })
    bar?.(null)
    if (json) return void process.stdout.write(`${JSON.stringify(copied)}\n`)
    process.stdout.write(
      `${copied.events} events, ${copied.alreadyPresent} of them there before. Both hold ${copied.hash}\n`,
    )
    if (copied.hasSourceGrown)
      process.stdout.write('The source has grown meanwhile: run this again to bring over the rest.\n')
  } finally {
    bar?.(null)
    for (const { close } of opened.toReversed()) await close()
  }
}

try {
  const asked = readArguments()
  if (asked.does === 'help') process.stdout.write(help)
  else if (asked.does === 'copy') await copyStore(asked.from, asked.to, asked.json)
  else await printEvents(asked)
  process.exit(0)
} catch (error) {
  const expected = [UsageError, CopyError, StartError, StoreUnavailable, ForeignPosition, UnsupportedEventVersion].some(
    (kind) => error instanceof kind,
  )
  printStatus(
    expected ? (error as Error).message : error instanceof Error ? (error.stack ?? error.message) : String(error),
  )
  process.exit(error instanceof UsageError ? 2 : 1)
}
