/** Time-outs in milliseconds: how long a request waits for PostgreSQL and for the read models. */
export type Timeouts = {
  /** One query of a screen, a projection or a table of the application. */
  queryMs: number
  /** One call of the event store or the key store; an append is tried twice. */
  eventStoreMs: number
  /** The wait for the read models after a command. */
  catchUpMs: number
}

/** The time-outs in production: every request gets a reply within five seconds. */
export const productionTimeouts: Timeouts = { queryMs: 4_000, eventStoreMs: 2_200, catchUpMs: 2_000 }
