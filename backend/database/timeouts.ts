/** Time-outs in milliseconds: how long a request or a stop waits for PostgreSQL and for the read models. */
export type Timeouts = {
  /** One query of a screen, a projection or a table of the application. */
  queryMs: number
  /** One call of the event store or the key store; an append is tried twice. */
  eventStoreMs: number
  /** The wait for the read models after a command. */
  catchUpMs: number
  /** The wait until a password is computed. */
  passwordMs: number
  /** A request that may write, from the arrival of its head, without the time in which its body arrives. */
  requestMs: number
  /** The wait of a stop for the refusals that are not written yet. */
  finalRefusalsMs: number
}

/** The time-outs in production: every request gets a reply within five seconds. */
export const productionTimeouts: Timeouts = {
  queryMs: 4_000,
  eventStoreMs: 2_200,
  catchUpMs: 2_000,
  passwordMs: 3_000,
  requestMs: 4_500,
  finalRefusalsMs: 1_000,
}

/**
 * Milliseconds by which the server cancels a writing statement before its caller gives up. What the server cancels is rolled
 * back; what its caller no longer waits for may be written later.
 */
export const cancelAheadMs = 700
