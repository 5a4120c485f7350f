import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { listEventSchemas } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import { judge, type Kept } from './versions.ts'

const help = `npm run golden             keeps the shapes of new events and new versions, and additive changes of those there are
npm run golden -- --check  keeps nothing; exit code 1 when there is something to keep

A change that is not additive is refused: raise the event's version, write an upcaster, and add an example of the new
version to tests/golden. What was kept once is never overwritten with anything that could not read it.
`

const file = new URL('schemas.json', import.meta.url)

function run(words: readonly string[]): number {
  const { values } = parseArgs({
    args: [...words],
    options: { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
  })
  if (values.help) {
    process.stdout.write(help)
    return 0
  }
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept
  const { refused, next, changed } = judge(
    kept,
    listEventSchemas(modules),
    modules.flatMap(({ upcasters = [] }) => upcasters),
  )
  for (const line of refused) process.stderr.write(`${line}\n`)
  if (refused.length > 0) return 1
  if (!changed) return 0
  if (values.check) {
    process.stderr.write('There are events whose shape is not kept yet: npm run golden\n')
    return 1
  }
  writeFileSync(file, written(next))
  process.stdout.write('Kept in tests/golden/schemas.json. Each new version needs an example beside it.\n')
  return 0
}

/** One line a version: whoever reviews a change sees a line that was touched. */
function written(kept: Kept): string {
  const types = Object.entries(kept).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const lines = types.map(([type, shapes]) => {
    const versions = Object.entries(shapes).map(([version, shape]) => `    "${version}": ${JSON.stringify(shape)}`)
    return `  "${type}": {\n${versions.join(',\n')}\n  }`
  })
  return `{\n${lines.join(',\n')}\n}\n`
}

try {
  process.exitCode = run(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${(error as Error).message.split('\n')[0]}\n`)
  process.exitCode = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') ? 2 : 1
}
