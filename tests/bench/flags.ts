import { parseArgs } from 'node:util'

const partNames = [
  'appends',
  'kurrentdb',
  'reads',
  'http',
  'flames',
  'appointments',
  'samples',
  'live',
  'rebuilds',
  'rebuild-memory',
  'scaling',
  'search',
  'dashboard',
  'analytics',
  'billing',
  'pages',
  'browser',
] as const

/** A part of the benchmark that can be run separately. */
export type BenchPart = (typeof partNames)[number]

const help = `npm run bench -- [part …] [flags]

Measures on this machine and prints distributions. Runs all parts by default.

  appends         appends compared with plain inserts, 1, 8 and 32 writers
  kurrentdb       appends and a copy to the EventStoreDB at EVENTSTORE_URL, or to our test server
  reads           reading all events, loading long streams
  http            five requests beside a bare Koa and pg server, read-your-writes
  flames          flame graphs of three requests, in .cache/flames
  appointments    booking appointments, with the jobs that follow, and lists of appointments
  samples         seeding and removing a sample practice
  live            many read models, own writes, lag
  rebuilds        rebuild of each read model over 200,000 events
  rebuild-memory  memory of a rebuild over a million events
  scaling         a command and a list with growing numbers of events
  search          patient search
  dashboard       requests of the dashboard
  analytics       figures of any period, with a million appointments in ten years
  billing         replies to webhooks of the payment provider
  pages           public pages in a phone on slow 4G (needs Chromium)
  browser         screens in a phone and a desktop, clicks that write (needs Chromium)

  --seconds N     seconds per row (3)
  --short         skips measurements with a million events
  --json          prints JSON
  --help          shows this help`

/** Parses the command line. Exits with code 2 and one line on invalid arguments, before anything is started. */
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
    if (!(seconds > 0 && seconds <= 600)) throw new Error('--seconds needs a number up to 600')
    const unknown = positionals.find((word) => !partNames.some((part) => part === word))
    if (unknown !== undefined) throw new Error(`There is no part '${unknown}'`)
    const selected = partNames.filter((part) => positionals.includes(part))
    return { seconds, short: values.short, json: values.json, chosen: selected.length > 0 ? selected : partNames }
  } catch (error) {
    console.error(`${(error as Error).message.split('. ')[0]} (see --help)`)
    process.exit(2)
  }
}
