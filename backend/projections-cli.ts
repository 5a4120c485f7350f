import { runTool, withEngine } from './command-line.ts'
import { modules } from './modules.ts'
import { runProjections } from '#projections/cli.ts'

const projections = modules.flatMap((module) => module.projections ?? [])

await runTool((words, terminal) => runProjections(words, projections, terminal, (run) => withEngine(terminal, run)))
