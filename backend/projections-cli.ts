import { runTool, withEngine } from './command-line.ts'
import { modules } from './modules.ts'
import { runProjections } from '#projections/cli.ts'
import { reactorEntry } from '#projections/reacting.ts'

const known = [
  ...modules.flatMap((module) => module.projections ?? []),
  ...modules.flatMap((module) => module.processManagers ?? []).map(reactorEntry),
]

await runTool((words, terminal) => runProjections(words, known, terminal, (run) => withEngine(terminal, run)))
