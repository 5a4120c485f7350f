import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AppointmentTypeChanges,
  defaultAppointmentTypes,
  mergeAppointmentTypes,
} from '#contracts/values/appointment-types.ts'
import { AppointmentType } from '#contracts/values/appointments.ts'
import { Colour } from '#contracts/values/colours.ts'
import type { Money } from '#contracts/values/money.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { appointmentTypeDecider } from '#modules/appointment-types/decider.ts'
import { type AppointmentTypeEvent, appointmentTypeUpcasters } from '#modules/appointment-types/events.ts'
import { practiceId } from '#tests/modules/appointments/fixtures.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import { cases } from '#tests/support/long.ts'

const given = deciderSpec(appointmentTypeDecider)
const usd = (cents: number): Money => ({ cents, currency: 'USD' })
const change = (changes: AppointmentTypeChanges) => ({ type: 'ChangeAppointmentTypes', practiceId, changes }) as const
const changed: AppointmentTypeEvent = {
  type: 'AppointmentTypesChanged',
  data: {
    practiceId,
    from: { procedure: { duration: 30, fee: usd(450_00) }, 'follow-up': { colour: null } },
    to: { procedure: { duration: 60, fee: usd(500_00) }, 'follow-up': { colour: 'gold' } },
  },
}

const changesArbitrary = fc
  .array(
    fc.record(
      {
        type: fc.constantFrom(...AppointmentType.options),
        duration: fc.integer({ min: 5, max: 480 }),
        fee: fc.integer({ min: 0, max: 3 }).map(usd),
        colour: fc.constantFrom(null, ...Colour.options),
      },
      { requiredKeys: ['type'] },
    ),
    { maxLength: 3 },
  )
  .map((all) => Object.fromEntries(all.map(({ type, ...settings }) => [type, settings])) as AppointmentTypeChanges)

describe('the appointment types of a practice', () => {
  it('are the defaults of the specification until they are changed', () => {
    expect(fold(appointmentTypeDecider, [])).toEqual(defaultAppointmentTypes)
    expect(defaultAppointmentTypes.consultation).toEqual({ duration: 30, fee: usd(150_00), colour: null })
    expect(fold(appointmentTypeDecider, [changed])).toEqual({
      ...defaultAppointmentTypes,
      procedure: { duration: 60, fee: usd(500_00), colour: null },
      'follow-up': { ...defaultAppointmentTypes['follow-up'], colour: 'gold' },
    })
  })

  it('record only what is different, with the values before and after', () => {
    const changes: AppointmentTypeChanges = {
      procedure: { duration: 60, fee: usd(500_00), colour: null },
      consultation: { duration: 30, fee: usd(150_00) },
      'follow-up': { colour: 'gold' },
    }
    given().when(change(changes)).then(changed)
    given(changed).when(change(changes)).thenNothing()
    given()
      .when(change({ procedure: {} }))
      .thenNothing()
  })

  it('can lose their color again', () => {
    given(changed)
      .when(change({ 'follow-up': { colour: null } }))
      .then({
        type: 'AppointmentTypesChanged',
        data: { practiceId, from: { 'follow-up': { colour: 'gold' } }, to: { 'follow-up': { colour: null } } },
      })
  })

  it('include the fees that were stored before there was more to set', () => {
    const [toCurrent] = appointmentTypeUpcasters
    const fees = { practiceId, from: { procedure: usd(450_00) }, to: { procedure: usd(500_00) } }
    expect(toCurrent?.upcast(fees, {} as never)).toEqual({
      practiceId,
      from: { procedure: { fee: usd(450_00) } },
      to: { procedure: { fee: usd(500_00) } },
    })
  })

  it('are what was asked for last; every event leads back to where it began, and a repeated change to none', () => {
    fc.assert(
      fc.property(fc.array(changesArbitrary, { maxLength: 8 }), (all) => {
        const { decide, evolve } = appointmentTypeDecider
        let state = defaultAppointmentTypes
        for (const changes of all) {
          const events = decide(change(changes), state)
          if (isRejection(events)) throw new Error('Never refused')
          const next = (events as AppointmentTypeEvent[]).reduce(evolve, state)
          expect(next).toEqual(mergeAppointmentTypes(state, changes))
          for (const { data } of events as AppointmentTypeEvent[])
            expect(mergeAppointmentTypes(next, data.from as AppointmentTypeChanges)).toEqual(state)
          expect(events.length).toBe(JSON.stringify(next) === JSON.stringify(state) ? 0 : 1)
          expect(decide(change(changes), next)).toEqual([])
          state = next
        }
      }),
      { numRuns: cases(200, 5_000) },
    )
  })
})
