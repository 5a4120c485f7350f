import { Client } from 'pg'

/** Returns what all connections of this process send while `run` runs: the names of named statements, the texts of others. */
export async function listStatements(run: () => Promise<unknown>): Promise<string[]> {
  const sent: string[] = []
  const query = Client.prototype.query
  Client.prototype.query = function (this: Client, ...args: unknown[]) {
    const [config] = args as [string | { name?: string; text: string }]
    sent.push(typeof config === 'string' ? config : (config.name ?? config.text))
    return (query as (...all: unknown[]) => unknown).apply(this, args)
  } as typeof query
  try {
    await run()
    return sent
  } finally {
    Client.prototype.query = query
  }
}
