import { expect } from 'vitest'
import { type Decider, fold, isRejection, type MarkedEvent } from '#eventstore/decider.ts'
import type { DomainEvent } from '#eventstore/event.ts'

/**
 * `given(what happened).when(what is asked).then(what happens)`, or `.thenNothing()`, or `.thenRefused('code')`: the
 * grammar of every decider's specification.
 */
export const deciderSpec =
  <Command, Event extends DomainEvent, State, Code extends string>(decider: Decider<Command, Event, State, Code>) =>
  (...history: MarkedEvent<Event>[]) => ({
    when(command: Command) {
      const decision = decider.decide(command, fold(decider, history))
      return {
        then(...events: Event[]) {
          expect(decision).toEqual(events)
          // What is decided can also be stored.
          for (const event of events) expect(decider.events.parse(event)).toEqual(event)
        },
        thenNothing: () => expect(decision).toEqual([]),
        thenRefused: (code: Code) => expect(isRejection(decision) ? decision.rejected : decision).toBe(code),
      }
    },
  })
