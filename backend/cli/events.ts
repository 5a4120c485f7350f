import { runCli } from './run-tool.ts'
import { runEventsCli } from './events-command-line.ts'

await runCli(runEventsCli)
