/**
 * Returns the row of a record if it contains the events of a command, whose result has this revision; otherwise null. When the read
 * model has not caught up in time, the reply of every command is the decided state instead.
 */
export const currentRow = <Row extends { revision: number }>(
  row: Row | null | undefined,
  revision: bigint | number | 'no-stream',
): Row | null => (row && revision !== 'no-stream' && BigInt(row.revision) >= BigInt(revision) ? row : null)
