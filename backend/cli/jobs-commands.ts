import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { EngineContext } from '#projections/rebuild/rebuild.ts'
import { UsageError, formatTable, type Terminal } from './terminal.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import type { DeadLetter } from '#jobs/dead-letters.ts'
import { dropJob, loadDeadLetters, retryJob } from '#jobs/retry-and-drop.ts'

/** What `npm run jobs -- --help` prints. */
export const help = `npm run jobs                               the jobs that were given up: what, why, how often, since when
npm run jobs -- retry <id>                 lets one be tried again, as often as a new one
npm run jobs -- drop <id> --why "<reason>" leaves one undone for ever; recorded with who and why, so name no patient
                                           in the reason

  --json      list: prints JSON
  --help      prints this

A job is given up when it was out of tries; health is degraded until somebody has decided. One that is done with the same
data later leaves the list by itself. Works beside a running Everchart and without one.
Exit codes: 0 done, 1 not done, 2 misused.
`

type Flags = { json: boolean; why?: string | undefined }
type CommandInput = { word: 'list' | 'retry' | 'drop'; id: string; flags: Flags }

const helpHint = 'npm run jobs -- --help tells more'
const allowedFlags: Record<CommandInput['word'], readonly (keyof Flags)[]> = {
  list: ['json'],
  retry: [],
  drop: ['why'],
}

const parseFlags = (words: readonly string[]) =>
  parseArgs({
    args: [...words],
    allowPositionals: true,
    strict: true,
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false, short: 'h' },
      why: { type: 'string' },
    },
  })

/** Reads a command line. Throws Misused. */
function parseArguments(words: readonly string[]): CommandInput | 'help' {
  let parsed: ReturnType<typeof parseFlags>
  try {
    parsed = parseFlags(words)
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split(/\.? To specify|\n/)[0]}: ${helpHint}`)
  }
  const { help: wanted, ...flags } = parsed.values
  if (wanted) return 'help'
  const [word = 'list', id, ...more] = parsed.positionals
  if (word !== 'list' && word !== 'retry' && word !== 'drop')
    throw new UsageError(`There is no command ${word}: ${helpHint}`)
  const given = Object.entries(flags).filter(([, value]) => value !== false && value !== undefined)
  const foreign = given.find(([name]) => !allowedFlags[word].includes(name as keyof Flags))
  if (foreign) throw new UsageError(`${word} knows no --${foreign[0]}: ${helpHint}`)
  if (more.length > 0 || (word === 'list') !== (id === undefined))
    throw new UsageError(`${word} takes ${word === 'list' ? 'no id' : 'one id'}: ${helpHint}`)
  if (id !== undefined && !z.uuid().safeParse(id).success)
    throw new UsageError(`${id} is not the id of a job: ${helpHint}`)
  if (word === 'drop' && !flags.why?.trim()) throw new UsageError('drop needs --why: it is recorded')
  return { word, id: id ?? '', flags }
}

async function runCommand(
  engine: EngineContext,
  { word, id, flags }: CommandInput,
  { out, account: who }: Terminal,
): Promise<number> {
  if (word === 'retry') {
    const { job } = await retryJob(engine, id)
    out(`${job} ${id}: will be tried again`)
  } else if (word === 'drop') {
    const { job } = await dropJob(engine, id, { by: who, why: (flags.why ?? '').trim() })
    out(`${job} ${id}: is left undone; recorded`)
  } else {
    const letters = await loadDeadLetters(engine)
    if (flags.json) out(JSON.stringify(letters, null, 2))
    else if (letters.length === 0) out('No job was given up')
    else formatTable(['id', 'job', 'error', 'tries', 'asked for', 'given up'], letters.map(toTableRow)).forEach(out)
  }
  return 0
}

const toTableRow = ({ id, job, error, attempts, requestedAt: askedAt, failedAt: givenUpAt }: DeadLetter) => [
  id,
  job,
  error,
  String(attempts),
  askedAt,
  givenUpAt,
]

/** The whole of `npm run jobs`: answers the exit code. The database is opened only for what makes sense. */
export async function runJobsCli(
  words: readonly string[],
  terminal: Terminal,
  withEngine: (run: (engine: EngineContext) => Promise<number>) => Promise<number>,
): Promise<number> {
  try {
    const asked = parseArguments(words)
    if (asked !== 'help') return await withEngine((engine) => runCommand(engine, asked, terminal))
    help.trimEnd().split('\n').forEach(terminal.out)
    return 0
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof OperationRefused)) throw error
    terminal.err(error.message)
    return error instanceof UsageError ? 2 : 1
  }
}
