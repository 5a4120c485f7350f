import { runTool, withEngine } from './run-tool.ts'
import { runJobs } from './jobs-commands.ts'

await runTool((words, terminal) => runJobs(words, terminal, (run) => withEngine(terminal, run)))
