import type { Period } from './parse-period.ts'

/** The appointments that a question is about; `unconfirmed` are those that are still only scheduled. */
export type ScheduleFilter =
  | 'all'
  | 'unconfirmed'
  | 'confirmed'
  | 'waiting'
  | 'completed'
  | 'cancelled'
  | 'no-show'
  | 'emergency'

/** Figures that can be asked for. */
export type Figure = 'patients' | 'new-patients' | 'appointments' | 'completed' | 'cancelled' | 'no-shows' | 'revenue'

/** Local times, HH:mm, between which a free slot must start. */
export type TimeOfDay = { from: string | null; until: string | null }

/** A provider as a question may name one. */
export type NamedProvider = { id: string; name: string }

/**
 * The provider that a question names: one or several with that name, the caller (`own`), all, or one that the practice does
 * not have.
 */
export type ProviderChoice =
  | { kind: 'all' }
  | { kind: 'own' }
  | { kind: 'some'; ids: readonly string[] }
  | { kind: 'unknown'; name: string }

/** A change that a question asks for, which the assistant never makes itself. */
export type ChangeKind = 'book' | 'move' | 'cancel' | 'add-patient' | 'create-form' | 'other'

/**
 * The meaning of a question. `person` and `search` are texts as they were typed; `isGuess`: nothing but a possible name was
 * recognized.
 */
export type Intent =
  | { kind: 'greeting' | 'thanks' | 'help' | 'unknown' }
  | { kind: 'change'; change: ChangeKind; person: string | null; period: Period | null }
  | { kind: 'schedule'; period: Period; filter: ScheduleFilter; provider: ProviderChoice }
  | { kind: 'next-patient'; provider: ProviderChoice }
  | { kind: 'patient-appointments'; person: string; which: 'next' | 'last' | 'missed' }
  | { kind: 'find-patient'; search: string; isGuess: boolean }
  | {
      kind: 'free-slots'
      period: Period | null
      durationMinutes: number
      time: TimeOfDay
      provider: ProviderChoice
    }
  | { kind: 'waitlist' }
  | { kind: 'figure'; figure: Figure; period: Period | null }
  | { kind: 'providers' }
  | { kind: 'working-hours'; period: Period | null; provider: ProviderChoice }
  | { kind: 'forms-waiting' }
  | { kind: 'last-form'; person: string }
