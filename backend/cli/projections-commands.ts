import { z } from 'zod'
import { recordReveal } from '#modules/audit/record-reveal.ts'
import type { ProcessManagerEntry } from '#process-managers/subscriber.ts'
import type { AnyProjection } from '#projections/projection.ts'
import {
  type EngineContext,
  type Progress,
  rebuild,
  type RebuildResult,
  swapBack,
} from '#projections/rebuild/rebuild.ts'
import { FoldFailed } from '#projections/rebuild/shadow.ts'
import { type ResumeOutcome, retryProjection, skipEvent } from '#projections/retry-and-skip.ts'
import { maxCountedLag } from '#projections/runner/lag.ts'
import { loadCheckpoints } from '#projections/runner/checkpoints.ts'
import { formatRemarks, listProjections } from '#projections/status.ts'
import { compareWithShadow, type Difference, listDifferingColumns } from '#projections/verify/differences.ts'
import { verifyProjection } from '#projections/verify/verify.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import { createProgressDisplay, formatCount, formatTable, type Terminal } from './terminal.ts'

export type RebuildFlags = { diff: boolean; reveal: boolean; yes: boolean; prepare: boolean }
export type VerifyFlags = { reveal: boolean; json: boolean }

type Entry = AnyProjection | ProcessManagerEntry

const exitCancelled = 130
const maxShownDifferences = 50

/** Prints the position and state of every read model and process manager. Returns the exit code, like all commands here. */
export async function printStatus(
  engine: EngineContext,
  entries: readonly Entry[],
  asJson: boolean,
  { out }: Terminal,
): Promise<number> {
  const listed = await listProjections(engine, entries)
  if (asJson) {
    out(JSON.stringify(listed, null, 2))
    return 0
  }
  const headings = ['name', 'version', 'state', 'position', 'head', 'lag', 'rows', 'since', '']
  const rows = listed.map((status) => [
    status.name,
    String(status.version ?? '-'),
    status.state ?? 'not created yet',
    status.position ?? '-',
    status.head ?? '-',
    status.lag < maxCountedLag ? String(status.lag) : `${maxCountedLag} or more`,
    String(status.rows ?? '-'),
    status.since ?? '-',
    formatRemarks(status),
  ])
  formatTable(headings, rows).forEach(out)
  return 0
}

/** Rebuilds read models one after the other; the first that fails ends the run. */
export async function rebuildProjections(
  engine: EngineContext,
  projections: readonly AnyProjection[],
  flags: RebuildFlags,
  terminal: Terminal,
): Promise<number> {
  await assertTablesExist(engine, projections)
  for (const projection of projections) {
    const bar = createProgressDisplay(terminal, projection.name)
    const confirm =
      flags.diff || flags.prepare ? () => confirmSwap(engine, projection, flags, terminal, bar.end) : undefined
    const result = await withProgress(bar, (onProgress) =>
      rebuild(engine, projection, { signal: terminal.signal, onProgress, ...(confirm ? { confirm } : {}) }),
    )
    const code = reportRebuild(projection, result, flags.prepare, terminal)
    if (code !== 0) return code
  }
  return 0
}

/** Returns whether to swap the tables, once the shadow table is complete. */
async function confirmSwap(
  engine: EngineContext,
  projection: AnyProjection,
  flags: RebuildFlags,
  terminal: Terminal,
  endBar: () => void,
): Promise<boolean> {
  const { out, err, ask } = terminal
  endBar()
  if (flags.diff) {
    const printer = createDifferencePrinter(flags.reveal, out)
    const shown: string[] = []
    const count = await compareWithShadow(engine, projection, (difference) => {
      if (shown.length < maxShownDifferences) shown.push(difference.key)
      printer.show(difference)
    })
    if (flags.reveal) await recordShownRows(engine, 'projections rebuild', projection, shown, terminal)
    printer.end()
    out(`${projection.name}: ${count === 0 ? 'no row' : formatCount(count, 'row')} would change`)
    if (count === 0 && !flags.prepare) return true
  }
  if (flags.prepare) return false
  if (flags.yes) return true
  if (ask) return await ask('Swap in the new table?')
  err('Cannot ask for confirmation here: pass --yes')
  return false
}

export async function swapBackProjection(
  engine: EngineContext,
  projection: AnyProjection,
  terminal: Terminal,
): Promise<number> {
  await assertTablesExist(engine, [projection])
  const bar = createProgressDisplay(terminal, projection.name)
  const result = await withProgress(bar, (onProgress) =>
    swapBack(engine, projection, { signal: terminal.signal, onProgress }),
  )
  if (!result)
    throw new OperationRefused(`There is no table of version ${projection.version} of ${projection.name} to go back to`)
  return reportRebuild(projection, result, false, terminal)
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
  isPrepareOnly: boolean,
  { out, err }: Terminal,
): number {
  if (result.status === 'done') {
    const seconds = (result.milliseconds / 1000).toFixed(1)
    out(`${name}: done, ${formatCount(result.events, 'event')} in ${seconds} s`)
    return 0
  }
  if (result.status === 'declined' && isPrepareOnly) {
    out(`${name}: the new table is ready; the next rebuild or start swaps it in`)
    return 0
  }
  if (result.status === 'declined') err(`${name}: nothing was changed; the new table is kept for the next rebuild`)
  if (result.status === 'busy') err(`${name}: another process is rebuilding it`)
  if (result.status === 'cancelled')
    err(`${name}: cancelled, nothing was changed; the next rebuild continues from here`)
  return result.status === 'cancelled' ? exitCancelled : 1
}

/** Recomputes read models in memory and prints every row that differs. Exit code 1 if any does. */
export async function verifyProjections(
  engine: EngineContext,
  projections: readonly AnyProjection[],
  flags: VerifyFlags,
  terminal: Terminal,
): Promise<number> {
  const { out, err } = terminal
  await assertTablesExist(engine, projections, true)
  const reports: object[] = []
  let differenceCount = 0
  for (const projection of projections) {
    const report = await verifyOne(engine, projection, flags, terminal)
    if (report === 'cancelled') {
      err(`${projection.name}: cancelled`)
      return exitCancelled
    }
    differenceCount += report.differences.length
    reports.push(report)
  }
  if (flags.json) out(JSON.stringify(reports, null, 2))
  return differenceCount === 0 ? 0 : 1
}

async function verifyOne(
  engine: EngineContext,
  projection: AnyProjection,
  flags: VerifyFlags,
  terminal: Terminal,
): Promise<{ name: string; differences: object[] } | 'cancelled'> {
  const { out, signal } = terminal
  const { name } = projection
  const bar = createProgressDisplay(terminal, name)
  const printer = createDifferencePrinter(flags.reveal, flags.json ? () => undefined : out)
  const found: object[] = []
  const shown: string[] = []
  try {
    const onDifference = (difference: Difference) => {
      found.push({
        key: difference.key,
        columns: listDifferingColumns(difference),
        ...(flags.reveal ? difference : {}),
      })
      // JSON contains every difference.
      if (flags.json || shown.length < maxShownDifferences) shown.push(difference.key)
      printer.show(difference)
    }
    const onProgress = (progress: { events: number; share: number }) => bar.show('folding', progress)
    const result = await verifyProjection(engine, projection, { signal, onDifference, onProgress })
    bar.end()
    if (flags.reveal) await recordShownRows(engine, 'projections verify', projection, shown, terminal)
    printer.end()
    const verdict = result.differences === 0 ? 'all rows are correct' : formatCount(result.differences, 'difference')
    const scope = `${formatCount(result.rows, 'row')} of ${formatCount(result.events, 'event')}`
    if (!flags.json) out(`${name}: ${verdict}, ${scope}, at ${result.position ?? 'the beginning'}`)
    return { name, ...result, differences: found }
  } catch (error) {
    bar.end()
    if (error instanceof FoldFailed) throw new OperationRefused(error.message)
    if (!signal.aborted) throw error
    return 'cancelled'
  }
}

/**
 * Prints the first differences and the number of further ones. Values only on request, because they can identify patients,
 * and only at the end: what is revealed has to be recorded before.
 */
function createDifferencePrinter(reveal: boolean, out: (line: string) => void) {
  let count = 0
  const held: string[] = []
  const print = reveal ? (line: string) => void held.push(line) : out
  return {
    show(difference: Difference): void {
      count += 1
      if (count > maxShownDifferences) return
      const { key, found, expected } = difference
      if (found === null) print(`  ${key}  is missing`)
      else if (expected === null) print(`  ${key}  is unexpected`)
      else print(`  ${key}  differs in ${listDifferingColumns(difference).join(', ')}`)
      if (!reveal) return
      for (const name of listDifferingColumns(difference))
        print(`    ${name}: is ${JSON.stringify(found?.[name])}, should be ${JSON.stringify(expected?.[name])}`)
    },
    end(): void {
      held.forEach(out)
      if (count > maxShownDifferences) out(`  and ${(count - maxShownDifferences).toLocaleString('en-US')} more`)
    },
  }
}

/** Records the rows whose values are about to be shown. Keys that are not ids can contain names: those are left out. */
async function recordShownRows(
  { store }: EngineContext,
  command: string,
  { name }: AnyProjection,
  keys: readonly string[],
  { account }: Terminal,
): Promise<void> {
  if (keys.length === 0) return
  const shown = keys.map((key) => (z.uuid().safeParse(key).success ? `${name} ${key}` : name))
  await recordReveal(store, { command, by: account, shown: [...new Set(shown)] })
}

export async function resumeAfterRetry(engine: EngineContext, entry: Entry, terminal: Terminal): Promise<number> {
  return reportResume(entry, await retryProjection(engine, entry), terminal)
}

export async function resumeAfterSkip(
  engine: EngineContext,
  entry: Entry,
  position: string,
  why: string,
  terminal: Terminal,
): Promise<number> {
  const outcome = await skipEvent(engine, entry, position, { by: terminal.account, why })
  terminal.out(`${entry.name}: the event ${position} is skipped from now on; recorded`)
  return reportResume(entry, outcome, terminal)
}

function reportResume({ name }: { name: string }, outcome: ResumeOutcome, { out, err }: Terminal): number {
  if (outcome === 'running') out(`${name}: running again`)
  if (outcome === 'not-running') out(`${name}: resumes when Everchart is started`)
  if (outcome === 'rebuild') out(`${name}: now run npm run projections -- rebuild ${name}`)
  if (outcome === 'failed-again') err(`${name}: failed again; the list command shows where`)
  return outcome === 'failed-again' ? 1 : 0
}

async function assertTablesExist(
  engine: EngineContext,
  projections: readonly AnyProjection[],
  requiresCurrentVersion = false,
): Promise<void> {
  const checkpoints = await loadCheckpoints(engine)
  for (const { name, version } of projections) {
    const checkpoint = checkpoints.get(name)
    if (!checkpoint) throw new OperationRefused(`${name} has no table yet: start Everchart once`)
    if (requiresCurrentVersion && checkpoint.version !== version)
      throw new OperationRefused(
        `${name} has version ${checkpoint.version}, this is version ${version}: rebuild it first`,
      )
  }
}
