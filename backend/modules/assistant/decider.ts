import type { Decider } from '#eventstore/decider.ts'
import { AiInteractionEvent } from './events.ts'

type Begun = Extract<AiInteractionEvent, { type: 'AiInteractionBegun' }>['data']
type Ended = Extract<AiInteractionEvent, { type: 'AiInteractionEnded' }>['data']

export type InteractionCommand =
  | { type: 'Begin'; interaction: Begun }
  | { type: 'End'; outcome: Omit<Ended, 'interactionId' | 'practiceId'> }

/** `new`: nothing has left. `begun`: the question may be on its way, or its reply was lost. */
export type InteractionState =
  | { status: 'new' }
  | { status: 'begun'; begun: Begun }
  | { status: 'ended'; begun: Begun; outcome: Ended['status'] }

/**
 * The rules of a question to a model: it is begun once, so that it is charged once, and its first outcome stays. Only an unknown
 * outcome is replaced, when the reply arrives after all.
 */
export const interactionDecider: Decider<InteractionCommand, AiInteractionEvent, InteractionState, never> = {
  category: 'ai-interaction',
  events: AiInteractionEvent,
  initial: { status: 'new' },
  decide(command, state) {
    if (command.type === 'Begin')
      return state.status === 'new' ? [{ type: 'AiInteractionBegun', data: command.interaction }] : []
    const { outcome } = command
    if (state.status === 'new') return []
    if (state.status === 'ended' && (state.outcome !== 'unknown' || outcome.status === 'unknown')) return []
    const { interactionId, practiceId } = state.begun
    return [{ type: 'AiInteractionEnded', data: { interactionId, practiceId, ...outcome } }]
  },
  evolve(state, event) {
    if (event.type === 'AiInteractionBegun') return { status: 'begun', begun: event.data }
    return state.status === 'new' ? state : { status: 'ended', begun: state.begun, outcome: event.data.status }
  },
}
