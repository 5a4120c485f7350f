/** Injected faults. Each is active until it is reset; counters count down. */
export type Faults = {
  /** Delay of every reply in milliseconds. */
  delayMs: number
  /** Number of appends that are lost: the connection breaks before anything is written. */
  dropBeforeWrite: number
  /** Number of appends that are written, and whose connection breaks before the reply. */
  dropAfterWrite: number
  /** Number of appends that are written and get no reply. */
  silentAfterWrite: number
  /** Number of appends that are written, and get the reply of a time-out on the server. */
  timeOutAfterWrite: number
  /** Number of events of the next read after which the connection breaks. */
  dropReadAfter: number | null
  /** The leader, when that is another node: calls that require the leader are redirected. */
  leader: { host: string; port: number } | null
  /** Refuses every call, as for a wrong password. */
  denyAccess: boolean
}
