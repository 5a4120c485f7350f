import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PracticeDetails, PracticeFields } from '#contracts/practice-settings.ts'
import { PracticeId, UserId } from '#contracts/values/ids.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { type PracticeCommand, practiceDecider } from '#modules/practices/decider.ts'
import type { PracticeEvent } from '#modules/practices/events.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'

const practiceId = PracticeId.parse('0f6f7a52-1b2c-5d3e-8f4a-5b6c7d8e9f00')
const ownerId = UserId.parse('3f8f1d0e-52a4-4c8b-9a57-2d1f5c0e7b11')
const stranger = UserId.parse('91c2b9a4-6a3c-4f0b-8c43-5b8a0d7f6e22')
const details: PracticeDetails = {
  name: 'Harbor Clinic',
  address: '418 Harbor Street, Lakeside',
  phone: '(617) 555-0100',
  email: 'desk@example.test',
  website: null,
  specialties: ['Family Medicine', 'Pediatrics'],
  npi: null,
  taxId: null,
  timezone: 'America/New_York',
}
const defaults = { email: 'owner@example.test', timezone: 'America/Chicago' }
const choice = { newsletterOptIn: true, selectedPlan: 'professional' } as const

type SetUp = Extract<PracticeCommand, { type: 'SetUp' }>
const setUp = (over: Partial<PracticeDetails> = {}, completion: SetUp['completion'] = null) =>
  ({
    type: 'SetUp',
    practiceId,
    ownerId,
    details: { ...details, ...over },
    defaults,
    completion,
  }) satisfies PracticeCommand
const wasSetUp: PracticeEvent = { type: 'PracticeSetUp', data: { practiceId, ownerId, ...details } }
const completed: PracticeEvent = { type: 'PracticeSetupCompleted', data: { practiceId, ownerId, ...choice } }

describe('setting up a practice', () => {
  const given = deciderSpec(practiceDecider)

  it('creates it with its owner', () => {
    given().when(setUp()).then(wasSetUp)
  })
  it('can be completed by the same command', () => {
    given().when(setUp({}, choice)).then(wasSetUp, completed)
  })
  it('is completed later with the plan and the newsletter', () => {
    given(wasSetUp).when(setUp({}, choice)).then(completed)
  })
  it('happens once, however often it is requested', () => {
    given(wasSetUp).when(setUp()).thenNothing()
    given(wasSetUp, completed).when(setUp({}, choice)).thenNothing()
  })
  it('records only what changed', () => {
    given(wasSetUp)
      .when(setUp({ phone: '(617) 555-0199', specialties: ['Pediatrics'] }))
      .then({
        type: 'PracticeDetailsChanged',
        data: {
          practiceId,
          from: { phone: '(617) 555-0100', specialties: ['Family Medicine', 'Pediatrics'] },
          to: { phone: '(617) 555-0199', specialties: ['Pediatrics'] },
        },
      })
  })
  it('gives a new practice the defaults of what was left out', () => {
    const { email: _email, timezone: _timezone, ...rest } = details
    given()
      .when({ ...setUp(), details: rest })
      .then({ type: 'PracticeSetUp', data: { practiceId, ownerId, ...rest, ...defaults } })
  })
  it('keeps what an existing practice has and the command leaves out', () => {
    const { email: _email, timezone: _timezone, ...rest } = details
    given(wasSetUp)
      .when({ ...setUp(), details: rest })
      .thenNothing()
  })
  it('records that a field was cleared', () => {
    const withTaxId: PracticeEvent = {
      type: 'PracticeSetUp',
      data: { practiceId, ownerId, ...details, taxId: '12-345' },
    }
    given(withTaxId)
      .when(setUp())
      .then({ type: 'PracticeDetailsChanged', data: { practiceId, from: { taxId: '12-345' }, to: { taxId: null } } })
  })
  it('changes details and completes at once', () => {
    given(wasSetUp)
      .when(setUp({ name: 'Harbour' }, choice))
      .then(
        {
          type: 'PracticeDetailsChanged',
          data: { practiceId, from: { name: 'Harbor Clinic' }, to: { name: 'Harbour' } },
        },
        completed,
      )
  })
  it('stays complete when the details are sent alone', () => {
    given(wasSetUp, completed).when(setUp()).thenNothing()
  })
  it('accepts another choice of plan or newsletter', () => {
    const other = { newsletterOptIn: false, selectedPlan: 'starter' } as const
    given(wasSetUp, completed)
      .when(setUp({}, other))
      .then({ type: 'PracticeSetupCompleted', data: { practiceId, ownerId, ...other } })
  })
  it('is for the owner alone', () => {
    given(wasSetUp)
      .when({ ...setUp(), ownerId: stranger })
      .thenRefused('not-owner')
    given(wasSetUp)
      .when({ ...setUp({ name: 'Mine' }, choice), ownerId: stranger })
      .thenRefused('not-owner')
  })
})

describe('changing the details of a practice', () => {
  const given = deciderSpec(practiceDecider)
  const change = (what: Partial<PracticeFields>) =>
    ({ type: 'ChangeDetails', practiceId, change: what }) satisfies PracticeCommand

  it('records what differs, before and after', () => {
    given(wasSetUp)
      .when(change({ name: 'Harbour', phone: details.phone, npi: '1234567893' }))
      .then({
        type: 'PracticeDetailsChanged',
        data: { practiceId, from: { name: 'Harbor Clinic', npi: null }, to: { name: 'Harbour', npi: '1234567893' } },
      })
  })
  it('begins with a session timeout of an hour, and records another one', () => {
    given(wasSetUp)
      .when(change({ sessionTimeout: 30 }))
      .then({
        type: 'PracticeDetailsChanged',
        data: { practiceId, from: { sessionTimeout: 60 }, to: { sessionTimeout: 30 } },
      })
    given(wasSetUp)
      .when(change({ sessionTimeout: 60 }))
      .thenNothing()
  })
  it('requires two-factor sign-in when the one who asks has it, and no longer in any case', () => {
    const required: PracticeEvent = {
      type: 'PracticeDetailsChanged',
      data: { practiceId, from: { requireTwoFactor: false }, to: { requireTwoFactor: true } },
    }
    const ask = change({ requireTwoFactor: true })
    given(wasSetUp).when(ask).thenRefused('own-two-factor-missing')
    given(wasSetUp)
      .when({ ...ask, hasTwoFactor: true })
      .then(required)
    given(wasSetUp, required).when(ask).thenNothing()
    given(wasSetUp, required)
      .when(change({ requireTwoFactor: false }))
      .then({ ...required, data: { practiceId, from: { requireTwoFactor: true }, to: { requireTwoFactor: false } } })
  })
  it('records nothing when nothing differs', () => {
    given(wasSetUp).when(change({})).thenNothing()
    given(wasSetUp)
      .when(change({ name: details.name, website: null }))
      .thenNothing()
  })
  it('leaves the plan and the newsletter as they were chosen', () => {
    const described = change({ name: 'Harbour' })
    const decision = practiceDecider.decide(described, fold(practiceDecider, [wasSetUp, completed]))
    if (isRejection(decision)) throw new Error(decision.rejected)
    expect(fold(practiceDecider, [wasSetUp, completed, ...decision])).toMatchObject({
      details: { ...details, name: 'Harbour' },
      completion: choice,
    })
  })
  it('needs a practice', () => {
    given()
      .when(change({ name: 'Harbour' }))
      .thenRefused('not-found')
  })

  it('applies the change, keeps the rest, and happens once', () => {
    const asked = fc.record(
      {
        name: fc.constantFrom('Harbor Clinic', 'Harbour'),
        address: fc.constantFrom(details.address, '1 Pier Road'),
        npi: fc.constantFrom(null, '1234567893'),
        website: fc.constantFrom(null, 'https://harbor.example.com'),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(asked, { maxLength: 12 }), (changes) => {
        const history: PracticeEvent[] = [wasSetUp]
        let expected = details
        for (const each of changes) {
          const decision = practiceDecider.decide(change(each), fold(practiceDecider, history))
          if (isRejection(decision)) throw new Error(decision.rejected)
          history.push(...decision)
          expected = { ...expected, ...each }
          const after = fold(practiceDecider, history)
          expect(after).toMatchObject({ ownerId, details: expected })
          expect(practiceDecider.decide(change(each), after)).toEqual([])
        }
      }),
    )
  })
})

describe('any sequence of commands', () => {
  const command: fc.Arbitrary<SetUp> = fc.record({
    type: fc.constant('SetUp' as const),
    practiceId: fc.constant(practiceId),
    ownerId: fc.constantFrom(ownerId, ownerId, stranger),
    details: fc
      .record({
        name: fc.constantFrom('Harbor Clinic', 'Harbour'),
        website: fc.constantFrom(null, 'https://harbor.example.com'),
        specialties: fc.constantFrom<PracticeDetails['specialties'][]>(['Cardiology'], ['Cardiology', 'Other']),
      })
      .map((over) => ({ ...details, ...over })),
    defaults: fc.constant(defaults),
    completion: fc.option(
      fc.record({ newsletterOptIn: fc.boolean(), selectedPlan: fc.constantFrom('starter', 'enterprise') }),
    ),
  })

  it('lead to one practice with one owner and the details of the last command', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), (commands) => {
        const history: PracticeEvent[] = []
        for (const asked of commands) {
          const before = fold(practiceDecider, history)
          const decision = practiceDecider.decide(asked, before)
          if (before.status !== 'none' && before.ownerId !== asked.ownerId) {
            expect(isRejection(decision)).toBe(true)
            continue
          }
          if (isRejection(decision)) throw new Error(decision.rejected)
          for (const event of decision) expect(practiceDecider.events.parse(event)).toEqual(event)
          history.push(...decision)
          const after = fold(practiceDecider, history)
          expect(after).toMatchObject({ status: 'set-up', ownerId: asked.ownerId, details: asked.details })
          if (asked.completion) expect(after).toMatchObject({ completion: asked.completion })
          // Said again, nothing happens.
          expect(practiceDecider.decide(asked, after)).toEqual([])
        }
        expect(history.filter(({ type }) => type === 'PracticeSetUp').length).toBe(Math.min(1, commands.length))
        for (const event of history) {
          if (event.type !== 'PracticeDetailsChanged') continue
          expect(Object.keys(event.data.from)).toEqual(Object.keys(event.data.to))
          expect(event.data.from).not.toEqual(event.data.to)
        }
      }),
    )
  })
})
