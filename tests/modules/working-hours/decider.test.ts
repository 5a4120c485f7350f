import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type DayHours, defaultWeek, Weekday, type WeekHours } from '#contracts/values/working-hours.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { workingHoursDecider } from '#modules/working-hours/decider.ts'
import type { WorkingHoursEvent } from '#modules/working-hours/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { practiceId } from '#tests/modules/appointments/fixtures.ts'

const given = deciderSpec(workingHoursDecider)
const change = (days: Partial<WeekHours>) => ({ type: 'ChangeWorkingHours', practiceId, days }) as const
const changed = (from: Partial<WeekHours>, to: Partial<WeekHours>) =>
  ({ type: 'WorkingHoursChanged', data: { practiceId, from, to } }) as WorkingHoursEvent
const short: DayHours = { opens: '08:00', closes: '12:00', breaks: [] }

describe('the working hours of a practice', () => {
  it('are not its own until it sets them', () => {
    expect(fold(workingHoursDecider, [])).toBeNull()
    const { friday } = defaultWeek
    given()
      .when(change({ friday: short }))
      .then(changed({ friday }, { friday: short }))
    expect(fold(workingHoursDecider, [changed({ friday }, { friday: short })])).toEqual({
      ...defaultWeek,
      friday: short,
    })
    // Even the defaults can be chosen.
    given().when(change({ friday })).then(changed({ friday }, { friday }))
  })

  it('record only the weekdays that are different', () => {
    const history = changed({ friday: defaultWeek.friday }, { friday: short })
    given(history)
      .when(change({ friday: null, saturday: null, monday: defaultWeek.monday }))
      .then(changed({ friday: short }, { friday: null }))
    given(history)
      .when(change({ friday: { ...short } }))
      .thenNothing()
    given(history).when(change({})).thenNothing()
    given().when(change({})).thenNothing()
  })

  it('are refused when a day is impossible', () => {
    given()
      .when(change({ monday: { ...short, closes: '07:00' } }))
      .thenRefused('invalid-hours')
    const breaks = [{ from: '11:00', until: '13:00' }]
    given()
      .when(change({ monday: { ...short, breaks } }))
      .thenRefused('invalid-hours')
  })

  it('are what the commands set last, and every event leads from one state to the next', () => {
    const time = fc.constantFrom('06:00', '08:00', '12:00', '12:30', '17:00', '24:00')
    const day = fc.record({
      opens: time,
      closes: time,
      breaks: fc.array(fc.record({ from: time, until: time }), { maxLength: 2 }),
    })
    const days = fc.dictionary(fc.constantFrom(...Weekday.options), fc.option(day), { maxKeys: 3 })
    fc.assert(
      fc.property(fc.array(days, { maxLength: 8 }), (commands) => {
        let state = workingHoursDecider.initial
        let expected: WeekHours | null = null
        for (const command of commands as Partial<WeekHours>[]) {
          const decision = workingHoursDecider.decide(change(command), state)
          if (isRejection(decision)) continue
          expect(decision.length).toBeLessThanOrEqual(1)
          for (const event of decision) {
            const before: WeekHours = state ?? defaultWeek
            for (const weekday of Object.keys(event.data.from) as Weekday[])
              expect(event.data.from[weekday]).toEqual(before[weekday])
            state = workingHoursDecider.evolve(state, event)
          }
          if (Object.keys(command).length > 0) expected = { ...(expected ?? defaultWeek), ...command }
          expect(state).toEqual(expected)
          expect(workingHoursDecider.decide(change(command), state)).toEqual([])
        }
      }),
    )
  })
})
