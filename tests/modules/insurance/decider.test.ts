import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isCoverageOver, VerificationStatus } from '#contracts/values/insurance.ts'
import { fold, isRejection } from '#eventstore/decider.ts'
import { findMove, type VerificationCommand, verificationDecider } from '#modules/insurance/decider.ts'
import type { InsuranceEvent } from '#modules/insurance/events.ts'
import { otherPracticeId, practiceId } from '#tests/modules/patients/patient-fixtures.ts'
import { deciderSpec } from '#tests/support/decider-spec.ts'
import {
  change,
  changed,
  create,
  denied,
  deny,
  expire,
  expired,
  policy,
  reopen,
  reopened,
  requested,
  today,
  verified,
  verifier,
  verify,
  yesterday,
} from './fixtures.ts'

const given = deciderSpec(verificationDecider)
const over = requested({ expiryDate: yesterday })

describe('a verification', () => {
  it('is requested once, and belongs to one practice', () => {
    given().when(create()).then(requested())
    given(requested()).when(create()).thenNothing()
    given().when(verify).thenRefused('not-found')
    given(requested())
      .when({ ...verify, practiceId: otherPracticeId } as VerificationCommand)
      .thenRefused('not-found')
  })

  it('records the fields that differ', () => {
    given(requested())
      .when(change({ groupNumber: 'G 1', notes: null }))
      .then(changed({ groupNumber: 'G 2210' }, { groupNumber: 'G 1' }))
    given(requested())
      .when(change({ groupNumber: 'G 2210' }))
      .thenNothing()
    given(requested(), changed({ notes: null }, { notes: 'Called' }))
      .when(change({ notes: null }))
      .then(changed({ notes: 'Called' }, { notes: null }))
  })

  it('is verified, denied and opened again by a person', () => {
    given(requested()).when(verify).then(verified)
    given(requested(), verified).when(verify).thenNothing()
    given(requested(), verified).when(deny).then(denied)
    given(requested(), denied).when(verify).then(verified)
    given(requested(), verified).when(reopen).then(reopened)
    given(requested()).when(reopen).thenNothing()
  })

  it('expires after the last day of its coverage, not on it', () => {
    given(requested(), verified).when(expire(today)).thenRefused('coverage-lasts')
    given(over).when(expire(yesterday)).then(expired(yesterday))
    given(over, verified).when(expire(yesterday)).then(expired(yesterday))
    given(over, expired(yesterday)).when(expire(yesterday)).thenNothing()
    given(requested({ expiryDate: null }))
      .when(expire(yesterday))
      .thenRefused('coverage-lasts')
    // Its date was changed since the job has read it.
    given(requested()).when(expire(yesterday)).thenRefused('coverage-lasts')
  })

  it('that was denied stays denied when its coverage is over', () => {
    given(over, denied).when(expire(yesterday)).thenRefused('wrong-status')
  })

  it('is neither verified nor pending when its coverage is over', () => {
    given(over).when(verify).thenRefused('coverage-over')
    given(over, expired(yesterday)).when(reopen).thenRefused('coverage-over')
    given(over, expired(yesterday)).when(deny).then(denied)
    given(over, expired(yesterday), changed({ expiryDate: yesterday }, { expiryDate: today }))
      .when(verify)
      .then(verified)
  })
})

describe('the status after a change', () => {
  type Found = { status?: VerificationStatus; after?: object; chosen?: 'pending' | 'verified' | 'denied' }
  const find = ({ status = 'pending', after = {}, chosen }: Found) =>
    findMove({
      before: { status, fields: policy },
      after: { ...policy, ...after },
      chosen,
      practiceId,
      userId: verifier,
      today,
    })?.event ?? null

  it('is the one that the user chose', () => {
    expect(find({ chosen: 'verified' })).toBe('InsuranceVerified')
    expect(find({ chosen: 'denied' })).toBe('InsuranceDenied')
    expect(find({ status: 'verified', chosen: 'pending' })).toBe('InsuranceVerificationReopened')
    expect(find({ chosen: 'pending' })).toBeNull()
    expect(find({ status: 'verified', after: { policyNumber: 'X-1' }, chosen: 'verified' })).toBe('InsuranceVerified')
  })

  it('says who decided, and on which day', () => {
    const circumstances = { before: { status: 'pending', fields: policy }, after: policy, practiceId, today } as const
    const decide = (chosen: 'verified' | 'denied', userId: typeof verifier | null) =>
      findMove({ ...circumstances, chosen, userId })
    expect(decide('verified', verifier)).toMatchObject({ data: { verifiedBy: verifier, verifiedOn: today } })
    // The clearinghouse.
    expect(decide('denied', null)).toMatchObject({ data: { verifiedBy: null, verifiedOn: today } })
    const over = findMove({
      ...circumstances,
      after: { ...policy, expiryDate: yesterday },
      chosen: undefined,
      userId: null,
    })
    expect(over).toMatchObject({ event: 'InsuranceExpired', data: { expiryDate: yesterday } })
  })

  it('is pending again for another policy', () => {
    expect(find({ status: 'verified', after: { policyNumber: 'X-1' } })).toBe('InsuranceVerificationReopened')
    expect(find({ status: 'denied', after: { memberName: 'Ada' } })).toBe('InsuranceVerificationReopened')
    expect(find({ status: 'verified', after: { notes: 'Called' } })).toBeNull()
    expect(find({ after: { policyNumber: 'X-1' } })).toBeNull()
  })

  it('follows the last day of the coverage', () => {
    expect(find({ status: 'verified', after: { expiryDate: yesterday } })).toBe('InsuranceExpired')
    expect(find({ status: 'denied', after: { expiryDate: yesterday } })).toBeNull()
    expect(find({ status: 'expired', after: { expiryDate: yesterday } })).toBeNull()
    expect(find({ status: 'expired', after: { expiryDate: '2027-01-31' } })).toBe('InsuranceVerificationReopened')
    expect(find({ status: 'expired', after: { expiryDate: null } })).toBe('InsuranceVerificationReopened')
  })
})

describe('whatever the commands', () => {
  const dates = [null, '2026-11-20', yesterday, today, '2026-12-31']
  const command = fc.oneof(
    fc.constantFrom(verify, deny, reopen, change({ notes: 'Called' }), change({ policyNumber: 'X-1' })),
    fc.constantFrom(...dates).map((expiryDate) => change({ expiryDate })),
    fc.constantFrom('2026-11-20', yesterday, today).map(expire),
  )
  const decideAll = (commands: readonly VerificationCommand[]) =>
    commands.reduce<InsuranceEvent[]>(
      (events, each) => {
        const decision = verificationDecider.decide(each, fold(verificationDecider, events))
        return isRejection(decision) ? events : [...events, ...decision]
      },
      [requested()],
    )

  it('the status changes with every move, and none expires or is verified against its last day', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 20 }), (commands) => {
        const events = decideAll(commands)
        for (const [index, { type }] of events.entries()) {
          const before = fold(verificationDecider, events.slice(0, index))
          const after = fold(verificationDecider, events.slice(0, index + 1))
          if (!before.exists || !after.exists) continue
          expect(VerificationStatus.options).toContain(after.status)
          if (type === 'InsuranceVerificationChanged') expect(after.status).toBe(before.status)
          else expect(after.status).not.toBe(before.status)
          const isOver = isCoverageOver(after.fields.expiryDate, today)
          if (type === 'InsuranceExpired') expect(isOver).toBe(true)
          if (type === 'InsuranceVerified' || type === 'InsuranceVerificationReopened') expect(isOver).toBe(false)
        }
      }),
    )
  })

  it('a repeated command decides nothing', () => {
    fc.assert(
      fc.property(fc.array(command, { maxLength: 12 }), command, (commands, last) => {
        const events = decideAll([...commands, last])
        const again = verificationDecider.decide(last, fold(verificationDecider, events))
        expect(isRejection(again) ? [] : again).toEqual([])
      }),
    )
  })

  it('the status after a change is one that the rules accept, unless the coverage is over', () => {
    const change = fc.record({
      expiryDate: fc.constantFrom(...dates),
      policyNumber: fc.constantFrom('SM-7741-0093', 'X-1'),
    })
    const chosen = fc.constantFrom('pending', 'verified', 'denied', undefined)
    fc.assert(
      fc.property(fc.array(command, { maxLength: 8 }), change, chosen, (commands, fields, status) => {
        const events = decideAll(commands)
        const state = fold(verificationDecider, events)
        if (!state.exists) throw new Error('It was requested')
        const after = { ...state.fields, ...fields }
        const move = findMove({ before: state, after, chosen: status, practiceId, userId: verifier, today })
        const changes = verificationDecider.decide({ type: 'Change', practiceId, today, change: fields }, state)
        const changedState = fold(verificationDecider, [...events, ...(isRejection(changes) ? [] : changes)])
        const decision = move ? verificationDecider.decide(move, changedState) : []
        if (isRejection(decision)) {
          expect(decision.rejected).toBe('coverage-over')
          expect(status === 'verified' || status === 'pending').toBe(true)
        }
      }),
    )
  })
})
