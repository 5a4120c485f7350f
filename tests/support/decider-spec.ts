import { expect } from 'vitest'
import { type Decider, fold, isRejection, type MarkedEvent } from '#eventstore/decider.ts'
import type { DomainEvent } from '#eventstore/event.ts'

/**
 * Specifies a decider: `given(events).when(command).then(events)`, or `.thenNothing()`, or `.thenRefused('code')`, also with the
 * path of the invalid field.
 */
export const deciderSpec =
  <Command, Event extends DomainEvent, State, Code extends string>(decider: Decider<Command, Event, State, Code>) =>
  (...history: MarkedEvent<Event>[]) => ({
    when(command: Command) {
      const decision = decider.decide(command, fold(decider, history))
      return {
        then(...events: Event[]) {
          expect(decision).toEqual(events)
          // The decided events can also be stored.
          for (const event of events) expect(decider.events.parse(event)).toEqual(event)
        },
        thenNothing: () => expect(decision).toEqual([]),
        thenRefused(code: Code, path?: string) {
          expect(isRejection(decision) ? decision.rejected : decision).toBe(code)
          if (path !== undefined) expect(decision).toMatchObject({ path })
        },
      }
    },
  })
