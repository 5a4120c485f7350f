import { parseArgs } from 'node:util'
import { appendStress } from './appends.ts'
import { fuzzStress } from './fuzz.ts'
import { killStress } from './kills.ts'
import { type Flags, UsageError, type StressTest } from './stress.ts'

/** The first whose flags are given is run; the last is the default. */
const stressTests: readonly StressTest[] = [fuzzStress, killStress, appendStress]

const help = `npm run stress -- [flags]

${stressTests.map((stress) => stress.help).join('\n\n')}

  --help             shows this help

Exit code: 0 passed, 1 failed, 2 invalid flags.`

const abort = new AbortController()
for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, () => abort.abort())

process.exitCode = await main(process.argv.slice(2))

async function main(words: string[]): Promise<number> {
  try {
    const flags = parseFlags(words)
    if (flags['help']) {
      console.log(help)
      return 0
    }
    const stress = stressTests.find(({ isSelectedBy }) => isSelectedBy(flags)) as StressTest
    const { ok, line, problems } = await stress.run({
      flags,
      reportProgress: (text) => console.error(text),
      signal: abort.signal,
    })
    for (const problem of problems) console.error(problem)
    console.log(`${ok ? 'OK' : 'FAILED'}  ${line}`)
    return ok ? 0 : 1
  } catch (error) {
    console.error(error instanceof UsageError ? `${error.message} (see --help)` : error)
    return error instanceof UsageError ? 2 : 1
  }
}

function parseFlags(words: string[]): Flags {
  const all = Object.fromEntries(stressTests.flatMap(({ flags }) => Object.entries(flags)))
  try {
    return parseArgs({ args: words, options: { ...all, help: { type: 'boolean' } } }).values as Flags
  } catch (error) {
    throw new UsageError((error as Error).message.split('. ')[0])
  }
}
