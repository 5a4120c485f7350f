import os from 'node:os'
import { createInterface } from 'node:readline/promises'
import { readConfig } from './config.ts'
import { eventStoreAt } from './event-store-at.ts'
import { postgresStore } from '#eventstore/postgres.ts'
import { openPool } from '#projections/database.ts'
import type { Engine } from '#projections/rebuild.ts'
import { prepareTables } from '#projections/tables.ts'
import type { Terminal } from '#projections/terminal.ts'
import { reachDatabase } from '#runtime/reach-database.ts'
import { StartError } from '#runtime/start-error.ts'

/** Ctrl-C below npm arrives twice at the same moment: from the terminal, and handed on by npm. */
const sameCall = 1_000

/** Lets the first Ctrl-C, or another signal to end, ask a tool to end; the second one, a second later, ends it at once. */
export function onInterrupt(end: () => void): void {
  let asked = 0
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (asked > 0 && Date.now() - asked > sameCall) process.exit(130)
      asked ||= Date.now()
      end()
    })
}

/** Runs a command-line tool to its end, or until it is interrupted, and ends the process with its exit code. */
export async function runTool(tool: (words: string[], terminal: Terminal) => Promise<number>): Promise<never> {
  const abort = new AbortController()
  onInterrupt(() => abort.abort())
  try {
    process.exit(await tool(process.argv.slice(2), terminalOf(abort.signal)))
  } catch (error) {
    process.stderr.write(`${(error as Error).message.split('\n')[0]}\n`)
    process.exit(1)
  }
}

function terminalOf(signal: AbortSignal): Terminal {
  const { stdin, stdout, stderr } = process
  let drawn = false
  const clear = () => drawn && stderr.write('\r\u001b[K')
  const bar = (line: string | null) => {
    clear()
    drawn = line !== null
    if (line !== null) stderr.write(line.slice(0, (stderr.columns || 80) - 1))
  }
  const ask = async (question: string) => {
    const reader = createInterface({ input: stdin, output: stderr })
    try {
      return /^y(es)?$/i.test((await reader.question(`${question} [y/N] `, { signal })).trim())
    } finally {
      reader.close()
    }
  }
  return {
    out: (line) => void stdout.write(`${line}\n`),
    err: (line) => void stderr.write(`${line}\n`),
    bar: stderr.isTTY ? bar : null,
    ask: stdin.isTTY ? ask : null,
    signal,
    who: os.userInfo().username,
  }
}

/** Lends the record and the read models of this installation, whether Everchart runs or not. Throws StartError. */
export async function withEngine<Result>({ err }: Terminal, run: (engine: Engine) => Promise<Result>): Promise<Result> {
  const config = readConfig(process.env)
  const database = await reachDatabase(config, err)
  const pool = openPool(database.url, 5)
  try {
    await pool.query('select 1').catch((error: Error) => {
      throw new StartError(`The database does not answer: ${error.message}`)
    })
    const { eventStoreUrl } = config
    const store = eventStoreUrl === undefined ? await postgresStore(pool) : eventStoreAt(eventStoreUrl)
    try {
      await prepareTables(pool, [])
      return await run({ store, pool })
    } finally {
      await store.close()
    }
  } finally {
    await pool.end()
    await database.release()
  }
}
