import { runCli, withEngine } from './run-tool.ts'
import { runJobsCli } from './jobs-commands.ts'

await runCli((words, terminal) => runJobsCli(words, terminal, (run) => withEngine(terminal, run)))
