import { parseArgs } from 'node:util'

const partNames = [
  'appends',
  'reads',
  'http',
  'appointments',
  'samples',
  'following',
  'rebuilds',
  'million',
  'sizes',
  'search',
  'dashboard',
  'billing',
] as const

/** What can be measured by itself. */
export type BenchPart = (typeof partNames)[number]

const help = `npm run bench -- [part …] [flags]

Measures on this machine, as distributions; without a part, all of them.

  appends        appends beside plain inserts, 1, 8 and 32 writers
  reads          reading the record, loading long streams
  http           whole requests over HTTP, and what a screen knows after an answer
  appointments   booking appointments, lists of appointments
  samples        writing a sample practice and taking it away
  following      many read models, own writes, lag
  rebuilds       folding 200,000 events anew, each read model
  million        memory of a rebuild of a million events
  sizes          a command and a list over records of growing size
  search         the patients' search
  dashboard      the calls of the dashboard
  billing        answers to messages of the payment provider

  --seconds N    how long a row is measured (3)
  --short        leaves out what takes a million events
  --json         for programs
  --help         this page`

/** What the command line asks for. Leaves with code 2 and one line, before anything is started, when it makes no sense. */
export function parseFlags(words: string[]): {
  seconds: number
  short: boolean
  json: boolean
  chosen: readonly BenchPart[]
} {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options: {
        json: { type: 'boolean', default: false },
        seconds: { type: 'string', default: '3' },
        short: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
      allowPositionals: true,
    })
    if (values.help) {
      console.log(help)
      process.exit(0)
    }
    const seconds = Number(values.seconds)
    if (!(seconds > 0 && seconds <= 600)) throw new Error('--seconds wants a number up to 600')
    const unknown = positionals.find((word) => !partNames.some((part) => part === word))
    if (unknown !== undefined) throw new Error(`There is no part '${unknown}'`)
    const asked = partNames.filter((part) => positionals.includes(part))
    return { seconds, short: values.short, json: values.json, chosen: asked.length > 0 ? asked : partNames }
  } catch (error) {
    console.error(`${(error as Error).message.split('. ')[0]} (see --help)`)
    process.exit(2)
  }
}
