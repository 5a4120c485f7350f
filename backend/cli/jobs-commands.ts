import { parseArgs } from 'node:util'
import { z } from 'zod'
import type { Engine } from '#projections/rebuild/rebuild.ts'
import { Misused, tabulated, type Terminal } from './terminal.ts'
import { OperationRefused } from '#runtime/operation-refused.ts'
import type { DeadLetter } from '#jobs/dead-letters.ts'
import { drop, list, retry } from '#jobs/retry-and-drop.ts'

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
type Asked = { word: 'list' | 'retry' | 'drop'; id: string; flags: Flags }

const tryHelp = 'npm run jobs -- --help tells more'
const flagsOf: Record<Asked['word'], readonly (keyof Flags)[]> = { list: ['json'], retry: [], drop: ['why'] }

const parse = (words: readonly string[]) =>
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
function readArguments(words: readonly string[]): Asked | 'help' {
  let parsed: ReturnType<typeof parse>
  try {
    parsed = parse(words)
  } catch (error) {
    throw new Misused(`${(error as Error).message.split(/\.? To specify|\n/)[0]}: ${tryHelp}`)
  }
  const { help: wanted, ...flags } = parsed.values
  if (wanted) return 'help'
  const [word = 'list', id, ...more] = parsed.positionals
  if (word !== 'list' && word !== 'retry' && word !== 'drop')
    throw new Misused(`There is no command ${word}: ${tryHelp}`)
  const given = Object.entries(flags).filter(([, value]) => value !== false && value !== undefined)
  const foreign = given.find(([name]) => !flagsOf[word].includes(name as keyof Flags))
  if (foreign) throw new Misused(`${word} knows no --${foreign[0]}: ${tryHelp}`)
  if (more.length > 0 || (word === 'list') !== (id === undefined))
    throw new Misused(`${word} takes ${word === 'list' ? 'no id' : 'one id'}: ${tryHelp}`)
  if (id !== undefined && !z.uuid().safeParse(id).success) throw new Misused(`${id} is not the id of a job: ${tryHelp}`)
  if (word === 'drop' && !flags.why?.trim()) throw new Misused('drop needs --why: it is recorded')
  return { word, id: id ?? '', flags }
}

async function run(engine: Engine, { word, id, flags }: Asked, { out, who }: Terminal): Promise<number> {
  if (word === 'retry') {
    const { job } = await retry(engine, id)
    out(`${job} ${id}: will be tried again`)
  } else if (word === 'drop') {
    const { job } = await drop(engine, id, { by: who, why: (flags.why ?? '').trim() })
    out(`${job} ${id}: is left undone; recorded`)
  } else {
    const letters = await list(engine)
    if (flags.json) out(JSON.stringify(letters, null, 2))
    else if (letters.length === 0) out('No job was given up')
    else tabulated(['id', 'job', 'error', 'tries', 'asked for', 'given up'], letters.map(rowOf)).forEach(out)
  }
  return 0
}

const rowOf = ({ id, job, error, attempts, askedAt, givenUpAt }: DeadLetter) => [
  id,
  job,
  error,
  String(attempts),
  askedAt,
  givenUpAt,
]

/** The whole of `npm run jobs`: answers the exit code. The database is opened only for what makes sense. */
export async function runJobs(
  words: readonly string[],
  terminal: Terminal,
  withEngine: (run: (engine: Engine) => Promise<number>) => Promise<number>,
): Promise<number> {
  try {
    const asked = readArguments(words)
    if (asked !== 'help') return await withEngine((engine) => run(engine, asked, terminal))
    help.trimEnd().split('\n').forEach(terminal.out)
    return 0
  } catch (error) {
    if (!(error instanceof Misused) && !(error instanceof OperationRefused)) throw error
    terminal.err(error.message)
    return error instanceof Misused ? 2 : 1
  }
}
