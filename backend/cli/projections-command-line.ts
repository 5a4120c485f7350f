import { Option } from 'commander'
import { ForeignPosition } from '#eventstore/event-store.ts'
import { isProcessManager, type ProcessManagerEntry } from '#process-managers/subscriber.ts'
import type { AnyProjection } from '#projections/projection.ts'
import type { EngineContext } from '#projections/rebuild/rebuild.ts'
import { resetForMovedStore } from '#projections/rebuild/reset-for-moved-store.ts'
import { assertSameOrigin, foreignStoreAdvice } from '#projections/runner/origin.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { isDamaged } from '#database/damaged-pages.ts'
import { createCommandLine } from './command-line.ts'
import { isDamageLeft, reportDamage } from './damage-report.ts'
import {
  printStatus,
  type RebuildFlags,
  rebuildProjections,
  resumeAfterRetry,
  resumeAfterSkip,
  swapBackProjection,
  type VerifyFlags,
  verifyProjections,
} from './projections-commands.ts'
import type { ToolReads } from './run-tool.ts'
import { type Terminal, UsageError } from './terminal.ts'

type Entry = AnyProjection | ProcessManagerEntry

const about = `
A process manager turns events into jobs: it has no rows and is never rebuilt; only retry and skip apply to it.

Everchart may be running or stopped. Ctrl-C cancels a rebuild cleanly, and the next one continues where it stopped.
Exit codes: 0 success, 1 failure or rows differ, 2 invalid usage, 130 cancelled by Ctrl-C.`

/** Runs `npm run projections`. Returns the exit code. The database is opened only for a valid command line. */
export async function runProjectionsCli(
  words: readonly string[],
  entries: readonly Entry[],
  terminal: Terminal,
  withEngine: (run: (engine: EngineContext) => Promise<number>, reads?: ToolReads) => Promise<number>,
): Promise<number> {
  const { program, handle, run } = createCommandLine('projections', terminal)
  const projections = entries.filter((entry): entry is AnyProjection => !isProcessManager(entry))
  const withVerifiedEngine = (work: (engine: EngineContext) => Promise<number>) =>
    withEngine(async (engine) => {
      await verifyOrigin(engine)
      return await work(engine)
    })
  program.description('Inspects, rebuilds and verifies read models.').addHelpText('after', about)

  program
    .command('list', { isDefault: true })
    .description('print the position of every read model and process manager')
    .option('--json', 'print JSON', false)
    .action(
      handle(({ json }: { json: boolean }) =>
        withVerifiedEngine((engine) => printStatus(engine, entries, json, terminal)),
      ),
    )

  program
    .command('rebuild')
    .description('rebuild a read model in a shadow table, then swap the two tables')
    .argument('[name]')
    .option('--all', 'every read model', false)
    .option('--diff', 'print the rows that would change, and ask before the swap', false)
    .option('--reveal', 'with --diff: print the values that differ; they can identify patients', false)
    .addOption(new Option('--yes', 'swap without asking').default(false).conflicts('prepare'))
    .addOption(
      new Option('--prepare', 'stop before the swap; the next rebuild or start continues from there').default(false),
    )
    .addOption(
      new Option(
        '--moved',
        'with --all, after the events moved to another event store or came back, with Everchart stopped: clear what was derived from the old store and rebuild everything',
      )
        .default(false)
        .conflicts(['diff', 'prepare']),
    )
    .action(
      handle((name: string | undefined, { moved, ...flags }: RebuildFlags & { all: boolean; moved: boolean }) => {
        if (moved && !flags.all) throw new UsageError('--moved requires --all')
        const chosen = chooseProjections('rebuild', name, flags.all, entries)
        return withEngine(
          async (engine) => {
            if (moved) await resetIfMoved(engine, projections, terminal)
            else await verifyOrigin(engine)
            return await rebuildProjections(engine, chosen, flags, terminal)
          },
          { readsOften: flags.all },
        )
      }),
    )

  program
    .command('swap-back')
    .description('restore the table from before the last rebuild')
    .argument('<name>')
    .action(
      handle((name: string) => {
        const [projection] = chooseProjections('swap-back', name, false, entries)
        return withVerifiedEngine((engine) => swapBackProjection(engine, projection, terminal))
      }),
    )

  program
    .command('verify')
    .description('recompute a read model in memory and compare every row; exit code 1 if any differs')
    .argument('[name]')
    .option('--all', 'every read model', false)
    .option('--reveal', 'print the values that differ; they can identify patients', false)
    .option('--json', 'print JSON', false)
    .action(
      handle((name: string | undefined, flags: VerifyFlags & { all: boolean }) => {
        const chosen = chooseProjections('verify', name, flags.all, entries)
        return withEngine(
          async (engine) => {
            try {
              await verifyOrigin(engine)
              const code = await verifyProjections(engine, chosen, flags, terminal)
              if (!flags.all || !(await isDamageLeft(engine.pool))) return code
              await reportDamage(engine.pool, terminal.err)
              return 1
            } catch (error) {
              if (!isDamaged(error)) throw error
              await reportDamage(engine.pool, terminal.err)
              return 1
            }
          },
          { readsOften: flags.all },
        )
      }),
    )

  program
    .command('retry')
    .description('retry the event at which a read model or process manager stopped')
    .argument('<name>')
    .action(
      handle((name: string) => {
        const entry = findEntry(name, entries)
        return withVerifiedEngine((engine) => resumeAfterRetry(engine, entry, terminal))
      }),
    )

  program
    .command('skip')
    .description('skip the event at which a read model or process manager stopped; the decision is recorded')
    .argument('<name>')
    .requiredOption('--position <position>', 'position of the event, as list prints it')
    .requiredOption('--why <reason>', 'recorded with your account name, so identify no patient in it')
    .action(
      handle((name: string, { position, why }: { position: string; why: string }) => {
        if (!why.trim()) throw new UsageError('skip needs a reason (--why): it is recorded')
        const entry = findEntry(name, entries)
        return withVerifiedEngine((engine) => resumeAfterSkip(engine, entry, position, why.trim(), terminal))
      }),
    )

  return await run(words)
}

function findEntry(name: string, entries: readonly Entry[]): Entry {
  const entry = entries.find((each) => each.name === name)
  if (entry) return entry
  throw new UsageError(`There is no read model ${name}: there are ${entries.map((each) => each.name).join(', ')}`)
}

function chooseProjections(
  command: string,
  name: string | undefined,
  isAll: boolean,
  entries: readonly Entry[],
): [AnyProjection, ...AnyProjection[]] {
  if ((name === undefined) !== isAll) throw new UsageError(`${command} takes one name, or --all`)
  const chosen = name === undefined ? entries : [findEntry(name, entries)]
  const [first, ...others] = chosen.filter((entry): entry is AnyProjection => !isProcessManager(entry))
  if (first) return [first, ...others]
  throw new UsageError(`${name} is a process manager and has no rows to ${command}`)
}

/** Throws OperationRefused when the read models were derived from another event store. */
async function verifyOrigin(engine: EngineContext): Promise<void> {
  try {
    await assertSameOrigin(engine)
  } catch (error) {
    if (!(error instanceof ForeignPosition)) throw error
    throw new OperationRefused(`${error.message}. ${foreignStoreAdvice}`)
  }
}

async function resetIfMoved(
  engine: EngineContext,
  projections: readonly AnyProjection[],
  { out }: Terminal,
): Promise<void> {
  try {
    await assertSameOrigin(engine)
  } catch (error) {
    if (!(error instanceof ForeignPosition)) throw error
    await resetForMovedStore(engine, projections)
    out('Everything derived from the other event store is cleared')
  }
}
