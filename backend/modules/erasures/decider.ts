import type { PatientId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { ErasureEvent } from './events.ts'

/** The commands of the erasure of one patient. */
export type ErasureCommand =
  | { type: 'Request'; patientId: PatientId; requestedBy: string; reason: string }
  | { type: 'Complete'; patientId: PatientId }

/** The progress of an erasure. A requested one is retried until it is completed. */
export type ErasureState = 'none' | 'requested' | 'completed'

/** The rules of an erasure: requested once, with the requester and a reason; then completed. */
export const erasureDecider: Decider<ErasureCommand, ErasureEvent, ErasureState, 'not-requested'> = {
  category: 'erasure',
  events: ErasureEvent,
  initial: 'none',
  decide(command, state) {
    const { patientId } = command
    if (command.type === 'Request') {
      const { requestedBy, reason } = command
      return state === 'none' ? [{ type: 'ErasureRequested', data: { patientId, requestedBy, reason } }] : []
    }
    if (state === 'none') return reject('not-requested', 'The erasure of this patient was not requested.')
    return state === 'requested' ? [{ type: 'ErasureCompleted', data: { patientId } }] : []
  },
  evolve: (_, { type }) => (type === 'ErasureRequested' ? 'requested' : 'completed'),
}
