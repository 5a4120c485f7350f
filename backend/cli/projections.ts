import { runTool, withEngine } from './run-tool.ts'
import { modules } from '#main/modules.ts'
import { runProjections } from './projections-arguments.ts'
import { reactorEntry } from '#process-managers/subscription.ts'

const known = [
  ...modules.flatMap((module) => module.projections ?? []),
  ...modules.flatMap((module) => module.processManagers ?? []).map(reactorEntry),
]

await runTool((words, terminal) => runProjections(words, known, terminal, (run) => withEngine(terminal, run)))
