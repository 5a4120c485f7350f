import { runTool, withEngine } from './run-tool.ts'
import { modules } from '#main/modules.ts'
import { runProjectionsCli } from './projections-arguments.ts'
import { toProcessManagerEntry } from '#process-managers/subscription.ts'

const known = [
  ...modules.flatMap((module) => module.projections ?? []),
  ...modules.flatMap((module) => module.processManagers ?? []).map(toProcessManagerEntry),
]

await runTool((words, terminal) => runProjectionsCli(words, known, terminal, (run) => withEngine(terminal, run)))
