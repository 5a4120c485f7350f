import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ClosureId, PracticeId } from '#contracts/values/ids.ts'
import { isRejection } from '#eventstore/decider.ts'
import { closureDecider, type ClosureCommand, type ClosureFields } from '#modules/working-hours/closures/decider.ts'
import type { ClosureEvent } from '#modules/working-hours/closures/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { practiceId, provider, uuid } from '#tests/modules/appointments/fixtures.ts'

const given = deciderSpec(closureDecider)
const closureId = ClosureId.parse(uuid(9, 1))
const fields = { name: 'Thanksgiving', from: '2026-11-26', until: '2026-11-27' }
const holiday = { closureId, practiceId, providerId: null, ...fields }
const dayOff = { ...holiday, providerId: provider(1), name: null }
const added = (closure: typeof holiday | typeof dayOff): ClosureEvent => ({ type: 'ClosureAdded', data: closure })
const removed: ClosureEvent = { type: 'ClosureRemoved', data: { closureId } }
const change = (over: Partial<ClosureFields>, of = practiceId): ClosureCommand => ({
  type: 'Change',
  practiceId: of,
  fields: { ...fields, ...over },
})
const remove: ClosureCommand = { type: 'Remove', practiceId }

describe('a closure', () => {
  it('is added once', () => {
    given().when({ type: 'Add', closure: holiday }).then(added(holiday))
    given(added(holiday)).when({ type: 'Add', closure: holiday }).thenNothing()
    given().when({ type: 'Add', closure: dayOff }).then(added(dayOff))
  })

  it('needs dates in order, and a name if it is a holiday', () => {
    given()
      .when({ type: 'Add', closure: { ...holiday, until: '2026-11-25' } })
      .thenRefused('dates-reversed')
    given()
      .when({ type: 'Add', closure: { ...dayOff, providerId: null } })
      .thenRefused('name-missing')
    given(added(holiday))
      .when(change({ name: null }))
      .thenRefused('name-missing')
    given(added(holiday))
      .when(change({ from: '2026-11-28' }))
      .thenRefused('dates-reversed')
  })

  it('records from and to of what changes', () => {
    given(added(holiday))
      .when(change({ until: '2026-11-30' }))
      .then({
        type: 'ClosureChanged',
        data: { closureId, from: { until: '2026-11-27' }, to: { until: '2026-11-30' } },
      })
    given(added(holiday)).when(change({})).thenNothing()
  })

  it('is unknown to another practice, and stays removed', () => {
    const other = PracticeId.parse(uuid(1, 2))
    given(added(holiday))
      .when(change({ name: 'Other' }, other))
      .thenRefused('not-found')
    given(added(holiday)).when({ type: 'Remove', practiceId: other }).thenRefused('not-found')
    given().when(remove).thenRefused('not-found')
    given(added(holiday)).when(remove).then(removed)
    given(added(holiday), removed).when(remove).thenNothing()
    given(added(holiday), removed)
      .when(change({ name: 'Other' }))
      .thenRefused('not-found')
    given(added(holiday), removed).when({ type: 'Add', closure: holiday }).thenNothing()
  })

  it('is never without dates in order, whatever is asked', () => {
    const date = fc.constantFrom('2026-11-25', '2026-11-26', '2026-11-27')
    const typed = fc.record({ name: fc.option(fc.constantFrom('A', 'B')), from: date, until: date })
    const command = fc.oneof(
      typed.map((each): ClosureCommand => ({ type: 'Add', closure: { ...holiday, ...each } })),
      typed.map((each): ClosureCommand => ({ type: 'Change', practiceId, fields: each })),
      fc.constant(remove),
    )
    fc.assert(
      fc.property(fc.array(command, { maxLength: 10 }), (commands) => {
        let state = closureDecider.initial
        let wasRemoved = false
        for (const each of commands) {
          const decision = closureDecider.decide(each, state)
          if (isRejection(decision)) continue
          for (const event of decision) state = closureDecider.evolve(state, closureDecider.events.parse(event))
          if (state.status === 'unknown') continue
          expect(state.closure.from <= state.closure.until).toBe(true)
          expect(state.closure.name).not.toBeNull()
          wasRemoved ||= state.status === 'removed'
          expect(state.status === 'removed').toBe(wasRemoved)
        }
      }),
    )
  })
})
