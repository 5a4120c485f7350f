import { parseArgs } from 'node:util'
import { ForeignPosition } from '#eventstore/event-store.ts'
import {
  type CommandInput,
  runList,
  runRebuild,
  runRetry,
  runSkip,
  runSwapBack,
  runVerify,
  type Flags,
} from './projections-commands.ts'
import { resetForMovedStore } from '#projections/rebuild/reset-for-moved-store.ts'
import { foreignStoreAdvice, assertSameOrigin } from '#projections/runner/origin.ts'
import type { AnyProjection } from '#projections/projection.ts'
import { isProcessManager, type ProcessManagerEntry } from '#process-managers/subscriber.ts'
import type { EngineContext } from '#projections/rebuild/rebuild.ts'
import { UsageError, type Terminal } from './terminal.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'

/** What `npm run projections -- --help` prints. */
export const help = `npm run projections                          how far every read model and every reactor is
npm run projections -- rebuild <name|--all>  folds it anew beside the table that answers, then exchanges the two
npm run projections -- swap-back <name>      lets the table of before the last rebuild answer again
npm run projections -- verify <name|--all>   folds it anew in memory and compares every row; exit code 1 if any differs
npm run projections -- retry <name>          lets one that stands still try its event again
npm run projections -- skip <name> --position <position> --why "<reason>"
                                             leaves out the event it stands still at; recorded with who and why,
                                             so name no patient in the reason

A reactor turns facts into jobs: it has no rows, is never folded anew, and takes retry and skip.

  --diff      rebuild: tells which rows would change, and asks before it exchanges the tables
  --yes       rebuild: exchanges them without asking
  --prepare   rebuild: stops before the exchange; the next rebuild or start goes on from there
  --moved     rebuild --all: after the history was moved to another event store, or brought back; with Everchart stopped,
              it empties what followed from the old one and folds everything anew
  --reveal    rebuild --diff, verify: shows the values that differ. They can name patients
  --json      list, verify: prints JSON
  --help      prints this

Works beside a running Everchart and without one. Ctrl-C ends a rebuild cleanly, and the next one goes on where it was.
Exit codes: 0 done, 1 not done or rows differ, 2 misused, 130 ended by Ctrl-C.
`

type Command = {
  run: (engine: EngineContext, asked: CommandInput, terminal: Terminal) => Promise<number>
  flags: readonly (keyof Flags)[]
  /** Whether it is about one read model, about one or all, or always about all. */
  scope: 'one' | 'one or all' | 'all'
}

const commands: Record<string, Command> = {
  list: { run: runList, flags: ['json'], scope: 'all' },
  rebuild: { run: runRebuild, flags: ['all', 'diff', 'yes', 'prepare', 'moved', 'reveal'], scope: 'one or all' },
  'swap-back': { run: runSwapBack, flags: [], scope: 'one' },
  verify: { run: runVerify, flags: ['all', 'json', 'reveal'], scope: 'one or all' },
  retry: { run: runRetry, flags: [], scope: 'one' },
  skip: { run: runSkip, flags: ['position', 'why'], scope: 'one' },
}

const booleanFlag = { type: 'boolean', default: false } as const
const options = {
  all: booleanFlag,
  diff: booleanFlag,
  yes: booleanFlag,
  prepare: booleanFlag,
  moved: booleanFlag,
  reveal: booleanFlag,
  json: booleanFlag,
  help: { ...booleanFlag, short: 'h' },
  position: { type: 'string' },
  why: { type: 'string' },
} as const

const helpHint = 'npm run projections -- --help tells more'

/** Reads a command line. Throws Misused. */
function parseArguments(
  words: readonly string[],
  known: readonly CheckpointOwner[],
): { command: Command; asked: CommandInput } | 'help' {
  let parsed: ReturnType<typeof parseFlags>
  try {
    parsed = parseFlags(words)
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(/\.? To specify|\n/)[0]}: ${helpHint}`)
  }
  const { help: wanted, ...flags } = parsed.values
  if (wanted) return 'help'
  const [word = 'list', ...names] = parsed.positionals
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined
  if (!command) throw new UsageError(`There is no command ${word}: ${helpHint}`)
  const given = Object.entries(flags).filter(([, value]) => value !== false && value !== undefined)
  const foreign = given.find(([name]) => !command.flags.includes(name as keyof Flags))
  if (foreign) throw new UsageError(`${word} knows no --${foreign[0]}: ${helpHint}`)
  if (word === 'skip' && !flags.position) throw new UsageError('skip needs --position: it is in the list')
  if (word === 'skip' && !flags.why?.trim()) throw new UsageError('skip needs --why: it is recorded')
  if (flags.moved && (!flags.all || flags.diff || flags.prepare))
    throw new UsageError('--moved goes with --all, and with neither --diff nor --prepare')
  if (flags.prepare && flags.yes) throw new UsageError('--prepare and --yes are opposites')
  const followed = resolveTargets(word, command.scope, names, flags.all, known)
  const projections = followed.filter((one): one is AnyProjection => !isProcessManager(one))
  const [first] = followed
  if (requiresTable(word) && names.length > 0 && first && isProcessManager(first))
    throw new UsageError(`${first.name} turns facts into jobs: there is nothing to ${word}`)
  return { command, asked: { flags, targets: followed, projections } }
}

type CheckpointOwner = AnyProjection | ProcessManagerEntry

const requiresTable = (word: string) => ['rebuild', 'swap-back', 'verify'].includes(word)

const parseFlags = (words: readonly string[]) =>
  parseArgs({ args: [...words], allowPositionals: true, strict: true, options })

function resolveTargets(
  word: string,
  about: Command['scope'],
  names: readonly string[],
  all: boolean,
  known: readonly CheckpointOwner[],
): readonly CheckpointOwner[] {
  if (about === 'all') {
    if (names.length > 0) throw new UsageError(`${word} takes no name: ${helpHint}`)
    return known
  }
  if (all && names.length === 0) return known
  const [name] = names
  if (name === undefined || names.length > 1 || all)
    throw new UsageError(`${word} takes ${about === 'one' ? 'one name' : 'one name, or --all'}: ${helpHint}`)
  const projection = known.find((each) => each.name === name)
  if (projection) return [projection]
  throw new UsageError(`There is no read model ${name}: there are ${known.map((each) => each.name).join(', ')}`)
}

/**
 * The whole of `npm run projections`: answers the exit code. The database is opened only for what makes sense.
 */
export async function runProjectionsCli(
  words: readonly string[],
  known: readonly CheckpointOwner[],
  terminal: Terminal,
  withEngine: (run: (engine: EngineContext) => Promise<number>) => Promise<number>,
): Promise<number> {
  try {
    const read = parseArguments(words, known)
    if (read !== 'help')
      return await withEngine(async (engine) => {
        await ensureKnownOrigin(engine, read.asked, terminal)
        return await read.command.run(engine, read.asked, terminal)
      })
    help.trimEnd().split('\n').forEach(terminal.out)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof OperationRefused)) throw error
    terminal.err(error.message)
    return error instanceof UsageError ? 2 : 1
  }
}

/** Nothing is looked at, and nothing folded, beside a record that the tables were not made from. */
async function ensureKnownOrigin(
  engine: EngineContext,
  { flags, projections }: CommandInput,
  { out }: Terminal,
): Promise<void> {
  try {
    await assertSameOrigin(engine)
  } catch (error) {
    if (!(error instanceof ForeignPosition)) throw error
    if (!flags.moved) throw new OperationRefused(`${error.message}. ${foreignStoreAdvice}`)
    await resetForMovedStore(engine, projections)
    out('What followed from the other event store is emptied')
  }
}
