import type { PatientId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { ErasureEvent } from './events.ts'

/** What can be asked about the erasure of a patient. */
export type ErasureCommand =
  | { type: 'Decide'; patientId: PatientId; by: string; why: string }
  | { type: 'Finish'; patientId: PatientId }

/** Where an erasure stands. One that was decided is carried out to its end, however often it is broken off. */
export type ErasureState = 'none' | 'decided' | 'carried-out'

/** The rules of an erasure: decided once, by somebody, for a reason; then carried out. */
export const erasureDecider: Decider<ErasureCommand, ErasureEvent, ErasureState, 'not-decided'> = {
  category: 'erasure',
  events: ErasureEvent,
  initial: 'none',
  decide(command, state) {
    const { patientId } = command
    if (command.type === 'Decide')
      return state === 'none' ? [{ type: 'ErasureDecided', data: { patientId, by: command.by, why: command.why } }] : []
    if (state === 'none') return reject('not-decided', 'Nobody has decided to erase this patient.')
    return state === 'decided' ? [{ type: 'ErasureCarriedOut', data: { patientId } }] : []
  },
  evolve: (_, { type }) => (type === 'ErasureDecided' ? 'decided' : 'carried-out'),
}
