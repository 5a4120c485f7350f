import type { Timeouts } from '#database/timeouts.ts'

/** Time-outs of the application that are so long that no reply depends on the speed of the machine. */
export const endlessTimeouts: Timeouts = {
  queryMs: 60_000,
  eventStoreMs: 60_000,
  catchUpMs: 60_000,
  passwordMs: 60_000,
  requestMs: 180_000,
  finalRefusalsMs: 60_000,
}
