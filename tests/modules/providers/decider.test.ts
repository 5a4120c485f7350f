import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PracticeId, ProviderId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type ProviderCommand, providerDecider } from '#modules/providers/decider.ts'
import type { ProviderEvent } from '#modules/providers/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'

const given = deciderSpec(providerDecider)
const providerId = ProviderId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001')
const practiceId = PracticeId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0002')
const details = { name: 'Amara Chen', title: 'MD', colour: 'teal' } as const
const added: ProviderEvent = {
  type: 'ProviderAdded',
  data: { providerId, practiceId, userId: null, ...details, timezone: 'America/New_York' },
}
const deactivated: ProviderEvent = { type: 'ProviderDeactivated', data: { providerId } }
const reactivated: ProviderEvent = { type: 'ProviderReactivated', data: { providerId } }
const add: ProviderCommand = {
  type: 'Add',
  providerId,
  practiceId,
  userId: null,
  details,
  timezone: 'America/New_York',
}
const change = (
  wanted: Extract<ProviderCommand, { type: 'Change' }>['change'],
  over: Partial<Extract<ProviderCommand, { type: 'Change' }>> = {},
): ProviderCommand => ({
  type: 'Change',
  practiceId,
  change: wanted,
  upcomingAppointmentCount: 0,
  hasOtherActiveProviders: true,
  ...over,
})

describe('a provider', () => {
  it('is added once', () => {
    given().when(add).then(added)
    given(added).when(add).thenNothing()
  })

  it('records what differs', () => {
    given(added)
      .when(change({ name: 'Amara Chen', title: null }))
      .then({ type: 'ProviderDetailsChanged', data: { providerId, from: { title: 'MD' }, to: { title: null } } })
    given(added)
      .when(change({ ...details }))
      .thenNothing()
  })

  it('is deactivated and reactivated', () => {
    given(added)
      .when(change({ active: false }))
      .then(deactivated)
    given(added, deactivated)
      .when(change({ active: false }))
      .thenNothing()
    given(added, deactivated)
      .when(change({ active: true }))
      .then(reactivated)
    given(added)
      .when(change({ active: true }))
      .thenNothing()
  })

  it('is not deactivated with upcoming appointments, nor as the last one', () => {
    given(added)
      .when(change({ active: false }, { upcomingAppointmentCount: 1 }))
      .thenRefused('upcoming-appointments')
    given(added)
      .when(change({ active: false }, { hasOtherActiveProviders: false }))
      .thenRefused('last-provider')
    given(added, deactivated)
      .when(change({ active: true }, { upcomingAppointmentCount: 1 }))
      .then(reactivated)
  })

  it('is nothing to another practice', () => {
    const other = PracticeId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0009')
    given(added)
      .when(change({ name: 'x' }, { practiceId: other }))
      .thenRefused('not-found')
    given()
      .when(change({ name: 'x' }))
      .thenRefused('not-found')
  })

  it('has the requested details after any change', () => {
    const wanted = fc.record(
      {
        name: fc.string({ minLength: 1 }),
        title: fc.option(fc.string({ minLength: 1 })),
        colour: fc.constantFrom('teal' as const, 'blue' as const, 'pink' as const),
        active: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(wanted, { maxLength: 10 }), (all) => {
        const history: ProviderEvent[] = [added]
        for (const one of all) {
          const decision = providerDecider.decide(change(one), fold(providerDecider, history))
          if (isRejection(decision)) throw new Error(decision.rejected)
          for (const event of decision) expect(providerDecider.events.parse(event)).toEqual(event)
          history.push(...decision)
          const { active, ...words } = one
          expect(fold(providerDecider, history)).toMatchObject({
            details: words,
            ...(active === undefined ? {} : { isActive: active }),
          })
        }
      }),
    )
  })
})
