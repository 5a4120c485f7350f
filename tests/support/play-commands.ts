import { expect } from 'vitest'
import { type Decider, fold, isRejection } from '#eventstore/decider.ts'
import type { DomainEvent } from '#eventstore/event.ts'

/** Executes commands one after the other. Returns the events, and the state before and after each command. */
export function playCommands<Command, Event extends DomainEvent, State>(
  decider: Decider<Command, Event, State>,
  commands: readonly Command[],
) {
  const history: Event[] = []
  const steps: { command: Command; decided: readonly Event[]; refused: boolean; before: State; after: State }[] = []
  let state = decider.initial
  for (const command of commands) {
    const before = state
    const decision = decider.decide(command, before)
    const decided: readonly Event[] = isRejection(decision) ? [] : decision
    for (const event of decided) expect(decider.events.parse(event)).toEqual(event)
    state = decided.reduce(decider.evolve, state)
    history.push(...decided)
    steps.push({ command, decided, refused: isRejection(decision), before, after: state })
  }
  // What is replayed is what was decided on.
  expect(fold(decider, history)).toEqual(state)
  return { history, steps, state }
}
