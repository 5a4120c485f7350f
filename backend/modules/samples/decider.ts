import type { PracticeId } from '#contracts/values/ids.ts'
import type { Decider } from '#eventstore/decider.ts'
import { SampleEvent } from './events.ts'

/** From what a sample practice follows. `at` is an ISO instant in UTC, `timezone` an IANA name. */
export type SampleParameters = { at: string; timezone: string; seed: number }

/** What can be asked of a practice's sample. */
export type SampleCommand =
  | ({ type: 'Plan'; practiceId: PracticeId } & SampleParameters)
  | { type: 'FinishSeeding'; practiceId: PracticeId; patients: number; appointments: number }
  | { type: 'Remove'; practiceId: PracticeId; edited: 'keep' | 'remove' }
  | { type: 'FinishRemoval'; practiceId: PracticeId }

/** `planned` is being written, `removing` is being taken away; both are carried on after a crash. */
export type SampleState =
  | { status: 'none' }
  | { status: 'planned' | 'seeded'; parameters: SampleParameters }
  | { status: 'removing'; parameters: SampleParameters; edited: 'keep' | 'remove' }
  | { status: 'removed' }

/** The rules of a sample practice: it comes once, goes once, and never comes back. */
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
        // What is half there is written to its end first: else the rest would come after it was taken away.
        return status === 'seeded' ? [{ type: 'SampleRemovalAsked', data: { practiceId, edited: command.edited } }] : []
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
      case 'SampleRemovalAsked':
        return state.status === 'seeded' ? { ...state, status: 'removing', edited: event.data.edited } : state
      case 'SamplePracticeRemoved':
        return { status: 'removed' }
    }
  },
}
