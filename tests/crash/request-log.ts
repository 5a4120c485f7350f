import { randomUUID } from 'node:crypto'

/** A requested operation, with the data that must be stored afterwards. */
export type Operation =
  | { kind: 'register' }
  | { kind: 'set up' }
  | { kind: 'choose plan' }
  | { kind: 'pay' }
  | { kind: 'sign in' }
  | { kind: 'sign out' }
  | { kind: 'add'; practiceId: string; firstName: string; lastName: string; phone: string }
  | { kind: 'change phone'; patientId: string; phone: string }
  | { kind: 'remove'; patientId: string }
  | { kind: 'book'; practiceId: string; patientId: string; startsAt: string }
  | { kind: 'move'; appointmentId: string; startsAt: string }
  | { kind: 'cancel'; appointmentId: string }
  | { kind: 'import'; practiceId: string; people: readonly { firstName: string; lastName: string }[] }
  | { kind: 'undo'; importId: string }

/**
 * The outcome as the client knows it. `done`: acknowledged. `refused`: rejected, so nothing was saved. `unknown`: cut off,
 * or replied with 503.
 */
export type Outcome = 'done' | 'refused' | 'unknown'

/** A request that was sent. `id` is the correlation id, which the event log keeps with the resulting events. */
export type RequestEntry = {
  readonly id: string
  readonly operation: Operation
  outcome: Outcome
  /** The id and revision of the acknowledged record. */
  response?: { id?: string; revision?: number }
  status?: number
}

/** All requests by correlation id. */
export type RequestLog = {
  begin(operation: Operation): RequestEntry
  find(id: string): RequestEntry | undefined
  entries(): Iterable<RequestEntry>
  count(outcome: Outcome): number
}

/** Creates an empty log. */
export function createRequestLog(): RequestLog {
  const all = new Map<string, RequestEntry>()
  return {
    begin(operation) {
      const entry: RequestEntry = { id: randomUUID(), operation, outcome: 'unknown' }
      all.set(entry.id, entry)
      return entry
    },
    find: (id) => all.get(id),
    entries: () => all.values(),
    count: (outcome) => [...all.values()].filter((entry) => entry.outcome === outcome).length,
  }
}

/** Records a reply. 503 leaves the outcome unknown; any other failure means that nothing was saved. */
export function recordResponse(
  entry: RequestEntry,
  status: number,
  body: { id?: string; revision?: number; importId?: string },
): void {
  entry.status = status
  if (status === 503) return
  entry.outcome = status < 300 ? 'done' : 'refused'
  if (status >= 300) return
  const id = body?.id ?? body?.importId
  entry.response = {
    ...(id === undefined ? {} : { id }),
    ...(body?.revision === undefined ? {} : { revision: body.revision }),
  }
}
