import { runCli, withEngine } from './run-tool.ts'
import { modules } from '#main/modules.ts'
import { runProjectionsCli } from './projections-command-line.ts'
import { toProcessManagerEntry } from '#process-managers/subscriber.ts'

const entries = [
  ...modules.flatMap((module) => module.projections ?? []),
  ...modules.flatMap((module) => module.processManagers ?? []).map(toProcessManagerEntry),
]

await runCli((words, terminal) => runProjectionsCli(words, entries, terminal, (run) => withEngine(terminal, run)))
