import { randomUUID } from 'node:crypto'

/** What somebody asks of the application, as far as it matters for what must be there afterwards. */
export type Operation =
  | { kind: 'register' }
  | { kind: 'set up' }
  | { kind: 'sign in' }
  | { kind: 'sign out' }
  | { kind: 'add'; practiceId: string; firstName: string; lastName: string; phone: string }
  | { kind: 'change phone'; patientId: string; phone: string }
  | { kind: 'remove'; patientId: string }
  | { kind: 'import'; practiceId: string; people: readonly { firstName: string; lastName: string }[] }
  | { kind: 'undo'; importId: string }

/**
 * What the asker knows of it. `done`: it was answered with success, so it is a fact. `refused`: it was answered with a
 * refusal, or with "Nothing was saved". `unknown`: cut off, or "try again in a moment".
 */
export type Outcome = 'done' | 'refused' | 'unknown'

/** One request that was sent. `id` is the correlation id that the record keeps with whatever comes of it. */
export type RequestEntry = {
  readonly id: string
  readonly operation: Operation
  outcome: Outcome
  /** The record that a success named, and the revision it got. */
  response?: { id?: string; revision?: number }
  status?: number
}

/** Everything that was asked for, by its correlation id. */
export type RequestLog = {
  begin(deed: Operation): RequestEntry
  find(id: string): RequestEntry | undefined
  entries(): Iterable<RequestEntry>
  count(outcome: Outcome): number
}

/** An empty one. */
export function createRequestLog(): RequestLog {
  const all = new Map<string, RequestEntry>()
  return {
    begin(deed) {
      const entry: RequestEntry = { id: randomUUID(), operation: deed, outcome: 'unknown' }
      all.set(entry.id, entry)
      return entry
    },
    find: (id) => all.get(id),
    entries: () => all.values(),
    count: (outcome) => [...all.values()].filter((entry) => entry.outcome === outcome).length,
  }
}

/** Notes an answer. 503 says that nobody knows; every other failure and refusal says that nothing was saved. */
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
