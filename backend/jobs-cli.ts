import { runTool, withEngine } from './command-line.ts'
import { runJobs } from '#jobs/cli.ts'

await runTool((words, terminal) => runJobs(words, terminal, (run) => withEngine(terminal, run)))
