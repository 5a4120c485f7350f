import { type ResumeOutcome, retryProjection, skipEvent } from '#projections/retry-and-skip.ts'
import { listDifferingColumns, compareWithShadow, type Difference } from '#projections/verify/differences.ts'
import { maxCountedLag } from '#projections/runner/lag.ts'
import { loadCheckpoints } from '#projections/runner/checkpoints.ts'
import { listProjections, formatRemarks } from '#projections/status.ts'
import type { AnyProjection } from '#projections/projection.ts'
import type { ProcessManagerEntry } from '#process-managers/subscriber.ts'
import {
  type EngineContext,
  type Progress,
  rebuild,
  type RebuildResult,
  swapBack,
} from '#projections/rebuild/rebuild.ts'
import { FoldFailed } from '#projections/rebuild/shadow.ts'
import { formatCount, createProgressDisplay, formatTable, type Terminal } from './terminal.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { verifyProjection } from '#projections/verify/verify.ts'

/** What may be asked for on the command line. */
export type Flags = {
  all: boolean
  diff: boolean
  yes: boolean
  prepare: boolean
  moved: boolean
  reveal: boolean
  json: boolean
  position?: string | undefined
  why?: string | undefined
}

/** What was asked for, checked; `projections` are those it is about. */
export type CommandInput = {
  projections: readonly AnyProjection[]
  /** Where it is about checkpoints alone: `list`, `retry`, `skip`. */
  targets: readonly (AnyProjection | ProcessManagerEntry)[]
  flags: Flags
}

const exitCancelled = 130
const maxShownDifferences = 50

/** `list` */
export async function runList(
  engine: EngineContext,
  { targets: followed, flags }: CommandInput,
  { out }: Terminal,
): Promise<number> {
  const listed = await listProjections(engine, followed)
  if (flags.json) {
    out(JSON.stringify(listed, null, 2))
    return 0
  }
  const headings = ['name', 'version', 'state', 'position', 'head', 'lag', 'rows', 'since', '']
  const rows = listed.map((one) => [
    one.name,
    String(one.version ?? '-'),
    one.state ?? 'not there yet',
    one.position ?? '-',
    one.head ?? '-',
    one.lag < maxCountedLag ? String(one.lag) : `${maxCountedLag} or more`,
    String(one.rows ?? '-'),
    one.since ?? '-',
    formatRemarks(one),
  ])
  formatTable(headings, rows).forEach(out)
  return 0
}

/** `rebuild`: one after the other; the first that cannot be done ends it. */
export async function runRebuild(engine: EngineContext, asked: CommandInput, terminal: Terminal): Promise<number> {
  const { flags, projections } = asked
  await assertTablesExist(engine, projections)
  for (const projection of projections) {
    const bar = createProgressDisplay(terminal, projection.name)
    const confirm =
      flags.diff || flags.prepare ? () => confirmSwap(engine, projection, asked, terminal, bar.end) : undefined
    const result = await withProgress(bar, (onProgress) =>
      rebuild(engine, projection, { signal: terminal.signal, onProgress, ...(confirm ? { confirm } : {}) }),
    )
    const code = reportRebuild(projection, result, flags.prepare, terminal)
    if (code !== 0) return code
  }
  return 0
}

/** Whether the tables are to be exchanged, once both are there. */
async function confirmSwap(
  engine: EngineContext,
  projection: AnyProjection,
  { flags }: CommandInput,
  { out, err, ask }: Terminal,
  endBar: () => void,
): Promise<boolean> {
  endBar()
  if (flags.diff) {
    const shown = createDifferencePrinter(flags.reveal, out)
    const count = await compareWithShadow(engine, projection, shown.show)
    shown.end()
    out(`${projection.name}: ${count === 0 ? 'no row' : formatCount(count, 'row')} would change`)
    if (count === 0 && !flags.prepare) return true
  }
  if (flags.prepare) return false
  if (flags.yes) return true
  if (ask) return await ask('Let the new table answer?')
  err('There is nobody to ask: call it with --yes')
  return false
}

/** `swap-back` */
export async function runSwapBack(
  engine: EngineContext,
  { projections }: CommandInput,
  terminal: Terminal,
): Promise<number> {
  await assertTablesExist(engine, projections)
  for (const projection of projections) {
    const bar = createProgressDisplay(terminal, projection.name)
    const result = await withProgress(bar, (onProgress) =>
      swapBack(engine, projection, { signal: terminal.signal, onProgress }),
    )
    if (!result)
      throw new OperationRefused(
        `There is no table of version ${projection.version} of ${projection.name} to go back to`,
      )
    const code = reportRebuild(projection, result, false, terminal)
    if (code !== 0) return code
  }
  return 0
}

async function withProgress<Result>(
  bar: ReturnType<typeof createProgressDisplay>,
  run: (onProgress: (progress: Progress) => void) => Promise<Result>,
): Promise<Result> {
  try {
    return await run((progress) => bar.show(progress.stage, progress))
  } catch (error) {
    if (error instanceof FoldFailed) throw new OperationRefused(error.message)
    throw error
  } finally {
    bar.end()
  }
}

function reportRebuild(
  { name }: AnyProjection,
  result: RebuildResult,
  prepared: boolean,
  { out, err }: Terminal,
): number {
  if (result.status === 'done') {
    const seconds = (result.milliseconds / 1000).toFixed(1)
    out(`${name}: done, ${formatCount(result.events, 'event')} in ${seconds} s`)
    return 0
  }
  if (result.status === 'declined' && prepared) {
    out(`${name}: the new table is ready; the next rebuild or start lets it answer`)
    return 0
  }
  if (result.status === 'declined') err(`${name}: nothing was changed; the new table is kept for the next rebuild`)
  if (result.status === 'busy') err(`${name}: is being rebuilt by somebody else`)
  if (result.status === 'cancelled') err(`${name}: cancelled, nothing was changed; the next rebuild goes on from here`)
  return result.status === 'cancelled' ? exitCancelled : 1
}

/** `verify`: tells of every row that is not as it follows from the record. */
export async function runVerify(
  engine: EngineContext,
  { projections, flags }: CommandInput,
  terminal: Terminal,
): Promise<number> {
  const { out, err, signal } = terminal
  await assertTablesExist(engine, projections, true)
  const all: object[] = []
  let differing = 0
  for (const projection of projections) {
    const { name } = projection
    const bar = createProgressDisplay(terminal, name)
    const shown = createDifferencePrinter(flags.reveal, flags.json ? () => undefined : out)
    const found: object[] = []
    try {
      const onDifference = (one: Difference) => {
        found.push({ key: one.key, columns: listDifferingColumns(one), ...(flags.reveal ? one : {}) })
        shown.show(one)
      }
      const onProgress = (progress: { events: number; share: number }) => bar.show('folding', progress)
      const proved = await verifyProjection(engine, projection, { signal, onDifference, onProgress })
      bar.end()
      shown.end()
      differing += proved.differences
      all.push({ name, ...proved, differences: found })
      const is =
        proved.differences === 0 ? 'every row is as it should be' : formatCount(proved.differences, 'difference')
      const of = `${formatCount(proved.rows, 'row')} of ${formatCount(proved.events, 'event')}`
      if (!flags.json) out(`${name}: ${is}, ${of}, at ${proved.position ?? 'the beginning'}`)
    } catch (error) {
      bar.end()
      if (error instanceof FoldFailed) throw new OperationRefused(error.message)
      if (!signal.aborted) throw error
      err(`${name}: cancelled`)
      return exitCancelled
    }
  }
  if (flags.json) out(JSON.stringify(all, null, 2))
  return differing === 0 ? 0 : 1
}

/** Shows the first differences, and how many more there are. Values only when they are asked for: they can name patients. */
function createDifferencePrinter(reveal: boolean, out: (line: string) => void) {
  let count = 0
  return {
    show(difference: Difference): void {
      count += 1
      if (count > maxShownDifferences) return
      const { key, found, expected } = difference
      if (found === null) out(`  ${key}  is missing`)
      else if (expected === null) out(`  ${key}  should not be there`)
      else out(`  ${key}  differs in ${listDifferingColumns(difference).join(', ')}`)
      if (!reveal) return
      for (const name of listDifferingColumns(difference))
        out(`    ${name}: is ${JSON.stringify(found?.[name])}, should be ${JSON.stringify(expected?.[name])}`)
    },
    end: () =>
      count > maxShownDifferences && out(`  and ${(count - maxShownDifferences).toLocaleString('en-US')} more`),
  }
}

/** `retry` */
export async function runRetry(
  engine: EngineContext,
  { targets: followed }: CommandInput,
  terminal: Terminal,
): Promise<number> {
  const [projection] = followed
  return projection ? reportResume(projection, await retryProjection(engine, projection), terminal) : 2
}

/** `skip` */
export async function runSkip(
  engine: EngineContext,
  { targets: followed, flags }: CommandInput,
  terminal: Terminal,
): Promise<number> {
  const [projection] = followed
  const { position = '', why = '' } = flags
  if (!projection) return 2
  const outcome = await skipEvent(engine, projection, position, { by: terminal.account, why: why.trim() })
  terminal.out(`${projection.name}: the event ${position} is left out from now on; recorded`)
  return reportResume(projection, outcome, terminal)
}

function reportResume({ name }: { name: string }, outcome: ResumeOutcome, { out, err }: Terminal): number {
  if (outcome === 'running') out(`${name}: runs again`)
  if (outcome === 'not-running') out(`${name}: goes on when Everchart is started`)
  if (outcome === 'rebuild') out(`${name}: now call npm run projections -- rebuild ${name}`)
  if (outcome === 'failed-again') err(`${name}: stands still again; the list says where`)
  return outcome === 'failed-again' ? 1 : 0
}

async function assertTablesExist(
  engine: EngineContext,
  projections: readonly AnyProjection[],
  ofThisVersion = false,
): Promise<void> {
  const found = await loadCheckpoints(engine)
  for (const { name, version } of projections) {
    const row = found.get(name)
    if (!row) throw new OperationRefused(`${name} has no table yet: start Everchart once`)
    if (ofThisVersion && row.version !== version)
      throw new OperationRefused(`${name} is of version ${row.version}, this is version ${version}: rebuild it first`)
  }
}
