import os from 'node:os'
import { createInterface } from 'node:readline/promises'
import { readConfig } from './config.ts'
import { eventStoreAt } from './event-store-at.ts'
import { versionsFor } from './event-versions.ts'
import { modules } from './modules.ts'
import { postgresStore } from '#eventstore/postgres.ts'
import { upcasting } from '#eventstore/upcasting.ts'
import { openPool } from '#projections/database.ts'
import type { Engine } from '#projections/rebuild.ts'
import { prepareTables } from '#projections/tables.ts'
import type { Terminal } from '#projections/terminal.ts'
import { reachDatabase } from '#runtime/reach-database.ts'
import { StartError } from '#runtime/start-error.ts'

/** Ctrl-C below npm arrives twice at the same moment: from the terminal, and handed on by npm. */
const sameCall = 1_000

/**
 * Runs a command-line tool to its end and ends the process with its exit code. The first Ctrl-C asks it to end, the second
 * one, a second later, ends it at once.
 */
export async function runTool(tool: (words: string[], terminal: Terminal) => Promise<number>): Promise<never> {
  const abort = new AbortController()
  let asked = 0
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.on(name, () => {
      if (asked > 0 && Date.now() - asked > sameCall) process.exit(130)
      asked ||= Date.now()
      abort.abort()
    })
  try {
    process.exit(await tool(process.argv.slice(2), terminalOf(abort.signal)))
  } catch (error) {
    process.stderr.write(`${(error as Error).message.split('\n')[0]}\n`)
    process.exit(1)
  }
}

/** The one line of a terminal in which a progress bar is drawn over and over; null where nobody watches. */
export function barOn(stream: typeof process.stderr): Terminal['bar'] {
  if (!stream.isTTY) return null
  let drawn = false
  return (line) => {
    if (drawn) stream.write('\r\u001b[K')
    drawn = line !== null
    if (line !== null) stream.write(line.slice(0, (stream.columns || 80) - 1))
  }
}

function terminalOf(signal: AbortSignal): Terminal {
  const { stdin, stdout, stderr } = process
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
    bar: barOn(stderr),
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
      return await run({ store: upcasting(store, versionsFor(modules)), pool })
    } finally {
      await store.close()
    }
  } finally {
    await pool.end()
    await database.release()
  }
}
