/** The browser signs out this much earlier than the server, so that the warning can be answered until its last second. */
const marginMs = 2 * 60_000
/** Duration of the warning. */
const warningMs = 2 * 60_000

/** Meaning of the time without input: none, a warning with the remaining seconds, or the end of the session. */
export type IdleState = { kind: 'active' } | { kind: 'warning'; secondsLeft: number } | { kind: 'expired' }

/** Returns the state at `now` after the last input; both in epoch milliseconds. The server ends sessions after `timeout` minutes. */
export function getIdleState(lastInputAt: number, now: number, timeout: number): IdleState {
  const leftMs = lastInputAt + timeout * 60_000 - marginMs - now
  if (leftMs <= 0) return { kind: 'expired' }
  return leftMs <= warningMs ? { kind: 'warning', secondsLeft: Math.ceil(leftMs / 1_000) } : { kind: 'active' }
}

/** Formats seconds as minutes and seconds, "1:05". */
export const formatCountdown = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
