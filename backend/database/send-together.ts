import type { PoolClient, QueryConfig, QueryResult } from 'pg'

/**
 * Runs statements one after the other on a connection and returns their results. On a pipelined connection they are sent in one write,
 * and none waits for the reply to another. Throws the first error; the statements after it may have run. PostgreSQL ignores those of a
 * transaction that has failed, but a statement that the driver itself refuses is not sent: nothing may depend on an earlier one.
 */
export async function sendTogether(
  client: PoolClient,
  statements: readonly (string | QueryConfig)[],
): Promise<QueryResult[]> {
  if (!client.pipeline) {
    const results: QueryResult[] = []
    // oxlint-disable-next-line no-await-in-loop -- one connection
    for (const statement of statements) results.push(await client.query(statement))
    return results
  }
  const { stream } = client.connection
  stream.cork()
  const sent = statements.map((statement) => client.query(statement))
  stream.uncork()
  return await Promise.all(sent)
}
