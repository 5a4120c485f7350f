import { runTool, withEngine } from './run-tool.ts'
import { runJobsCli } from './jobs-commands.ts'

await runTool((words, terminal) => runJobsCli(words, terminal, (run) => withEngine(terminal, run)))
