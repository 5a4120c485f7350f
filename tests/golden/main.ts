import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { listEventSchemas } from '#main/event-versions.ts'
import { modules } from '#main/modules.ts'
import { checkVersions, type RecordedShapes } from './versions.ts'

const help = `npm run golden             records the shapes of new events and versions, and additive changes of existing ones
npm run golden -- --check  records nothing; exit code 1 when there is something to record

A change that is not additive is refused: raise the event's version, write an upcaster, and add an example of the new
version to tests/golden. A recorded shape is only overwritten by one that can read it.
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
  const kept = JSON.parse(readFileSync(file, 'utf8')) as RecordedShapes
  const { refused, next, changed } = checkVersions(
    kept,
    listEventSchemas(modules),
    modules.flatMap(({ upcasters = [] }) => upcasters),
  )
  for (const line of refused) process.stderr.write(`${line}\n`)
  if (refused.length > 0) return 1
  if (!changed) return 0
  if (values.check) {
    process.stderr.write('There are event shapes that are not recorded yet: npm run golden\n')
    return 1
  }
  writeFileSync(file, serialize(next))
  process.stdout.write('Recorded in tests/golden/schemas.json. Each new version needs an example beside it.\n')
  return 0
}

/** Serializes with one line per version, so that a review shows the changed versions. */
function serialize(kept: RecordedShapes): string {
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
