/**
 * What the clients of a crash run were told. Answered with success is a fact that must be there; refused is none; cut off is
 * unknown: there once or not at all, never twice and never half.
 */
export type Outcome = 'sure' | 'unknown' | 'refused'

/** One patient as the clients know it. The family name is the only one of its kind. */
export type Known = {
  name: string
  id: string | null
  created: Outcome
  /** What the phone number may be: one, unless a change was cut off. National digits, null for none. */
  phones: Set<string | null>
  /** Changes of the phone that were answered, and those that were cut off. */
  changes: { sure: number; unknown: number }
  removed: Outcome
}

/** One import of a few people, whose family names begin with its mark. */
export type KnownImport = {
  mark: string
  id: string | null
  rows: number
  asked: Outcome
  undo: Outcome
}

/** One session: its cookie, and whether it was ended. */
export type KnownSession = { cookie: string; ended: Outcome }

export type Ledger = { patients: Known[]; imports: KnownImport[]; sessions: KnownSession[]; acknowledged: number }

export const newLedger = (): Ledger => ({ patients: [], imports: [], sessions: [], acknowledged: 0 })

/** What an answer says about what was asked. None at all, or one that does not say, leaves it unknown. */
export function outcomeOf(status: number | null): Outcome {
  if (status === null || status >= 500) return 'unknown'
  return status < 300 ? 'sure' : 'refused'
}
