import type { PracticeId } from '#contracts/values/ids.ts'
import type { Decider } from '#eventstore/decider.ts'
import { SampleEvent } from './events.ts'

/** The parameters of a sample practice. `at` is an ISO instant in UTC, `timezone` an IANA name. */
export type SampleParameters = { at: string; timezone: string; seed: number }

/** The commands of a practice's sample data. */
export type SampleCommand =
  | ({ type: 'Plan'; practiceId: PracticeId } & SampleParameters)
  | { type: 'FinishSeeding'; practiceId: PracticeId; patients: number; appointments: number }
  | { type: 'Remove'; practiceId: PracticeId; edited: 'keep' | 'remove' }
  | { type: 'FinishRemoval'; practiceId: PracticeId }

/** `planned`: being written; `removing`: being removed. Both resume after a crash. */
export type SampleState =
  | { status: 'none' }
  | { status: 'planned' | 'seeded'; parameters: SampleParameters }
  | { status: 'removing'; parameters: SampleParameters; edited: 'keep' | 'remove' }
  | { status: 'removed' }

/** The life cycle of sample data: seeded once, removed once, never seeded again. */
export const sampleDecider: Decider<SampleCommand, SampleEvent, SampleState, never> = {
  category: 'sample',
  events: SampleEvent,
  initial: { status: 'none' },
  decide(command, { status }) {
    const { practiceId } = command
    switch (command.type) {
      case 'Plan': {
        const { at, timezone, seed } = command
        return status === 'none' ? [{ type: 'SamplePracticePlanned', data: { practiceId, at, timezone, seed } }] : []
      }
      case 'FinishSeeding': {
        const { patients, appointments } = command
        return status === 'planned'
          ? [{ type: 'SamplePracticeSeeded', data: { practiceId, patients, appointments } }]
          : []
      }
      case 'Remove':
        // Seeding must finish first; otherwise its last records would appear after the removal.
        return status === 'seeded'
          ? [{ type: 'SampleRemovalRequested', data: { practiceId, edited: command.edited } }]
          : []
      case 'FinishRemoval':
        return status === 'removing' ? [{ type: 'SamplePracticeRemoved', data: { practiceId } }] : []
    }
  },
  evolve(state, event) {
    switch (event.type) {
      case 'SamplePracticePlanned': {
        const { at, timezone, seed } = event.data
        return { status: 'planned', parameters: { at, timezone, seed } }
      }
      case 'SamplePracticeSeeded':
        return state.status === 'planned' ? { ...state, status: 'seeded' } : state
      case 'SampleRemovalRequested':
        return state.status === 'seeded' ? { ...state, status: 'removing', edited: event.data.edited } : state
      case 'SamplePracticeRemoved':
        return { status: 'removed' }
    }
  },
}
