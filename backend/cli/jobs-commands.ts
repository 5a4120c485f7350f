import { z } from 'zod'
import type { DeadLetter } from '#jobs/dead-letters.ts'
import { dropJob, loadDeadLetters, retryJob } from '#jobs/retry-and-drop.ts'
import type { EngineContext } from '#projections/rebuild/rebuild.ts'
import { createCommandLine } from './command-line.ts'
import { formatTable, type Terminal, UsageError } from './terminal.ts'

const about = `
A job becomes a dead letter when its retries are exhausted; health is degraded until it is retried or dropped. It leaves
the list when a later job with the same data succeeds. Everchart may be running or stopped.
Exit codes: 0 success, 1 failure, 2 invalid usage.`

/** Runs `npm run jobs`. Returns the exit code. The database is opened only for a valid command line. */
export async function runJobsCli(
  words: readonly string[],
  terminal: Terminal,
  withEngine: (run: (engine: EngineContext) => Promise<number>) => Promise<number>,
): Promise<number> {
  const { program, handle, run } = createCommandLine('jobs', terminal)
  const { out, account } = terminal
  program.description('Lists, retries and drops dead letters: jobs whose retries are exhausted.')
  program.addHelpText('after', about)

  program
    .command('list', { isDefault: true })
    .description('print the dead letters: job, error, attempts and times')
    .option('--json', 'print JSON', false)
    .action(
      handle(({ json }: { json: boolean }) =>
        withEngine(async (engine) => {
          const letters = await loadDeadLetters(engine)
          if (json) out(JSON.stringify(letters, null, 2))
          else if (letters.length === 0) out('There are no dead letters')
          else formatTable(['id', 'job', 'error', 'attempts', 'requested', 'failed'], letters.map(toRow)).forEach(out)
          return 0
        }),
      ),
    )

  program
    .command('retry')
    .description('run a job again, with as many attempts as a new one')
    .argument('<id>')
    .action(
      handle((id: string) => {
        requireJobId(id)
        return withEngine(async (engine) => {
          const { job } = await retryJob(engine, id)
          out(`${job} ${id}: will be retried`)
          return 0
        })
      }),
    )

  program
    .command('drop')
    .description('discard a job permanently; the decision is recorded')
    .argument('<id>')
    .requiredOption('--why <reason>', 'recorded with your account name, so identify no patient in it')
    .action(
      handle((id: string, { why }: { why: string }) => {
        requireJobId(id)
        if (!why.trim()) throw new UsageError('drop needs a reason (--why): it is recorded')
        return withEngine(async (engine) => {
          const { job } = await dropJob(engine, id, { by: account, why: why.trim() })
          out(`${job} ${id}: dropped; recorded`)
          return 0
        })
      }),
    )

  return await run(words)
}

function requireJobId(id: string): void {
  if (!z.uuid().safeParse(id).success) throw new UsageError(`${id} is not the id of a job`)
}

const toRow = ({ id, job, error, attempts, requestedAt, failedAt }: DeadLetter) => [
  id,
  job,
  error,
  String(attempts),
  requestedAt,
  failedAt,
]
