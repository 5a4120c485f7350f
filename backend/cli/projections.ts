import { runCli, withEngine } from './run-tool.ts'
import { readConfig } from '#main/config.ts'
import { loadBillingSandbox } from '#main/configure-modules.ts'
import { modules } from '#main/modules.ts'
import { runProjectionsCli } from './projections-command-line.ts'
import { toProcessManagerEntry } from '#process-managers/subscriber.ts'

/** Returns the projections and process managers of this installation. */
async function listEntries() {
  const sandbox = await loadBillingSandbox(readConfig(process.env).billingSandbox)
  const installed = sandbox ? [...modules, sandbox.module] : modules
  return [
    ...installed.flatMap((module) => module.projections ?? []),
    ...installed.flatMap((module) => module.processManagers ?? []).map(toProcessManagerEntry),
  ]
}

await runCli(async (words, terminal) =>
  runProjectionsCli(words, await listEntries(), terminal, (run, reads) => withEngine(terminal, run, reads)),
)
