import { describe, expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import type { DomainEvent } from '#eventstore/event.ts'
import { practiceId } from '#tests/modules/patients/patient-fixtures.ts'
import { change, decideAfter, move } from '#tests/modules/records/nouns/decide-after.ts'
import { type Noun, nouns } from '#tests/modules/records/nouns/nouns.ts'

const id = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0c02'

describe('a call', () => {
  it('has a follow-up to finish only where one is required', () => {
    const noun = nouns.find((each) => each.noun === 'call') as Noun
    const [created] = noun.decider.decide(
      { type: 'Create', id, practiceId, patientId: null, fields: { ...noun.fields, followUpRequired: false } },
      { exists: false },
    ) as DomainEvent[]
    // Without a patient, its own key encrypts it.
    expect(created?.data).toMatchObject({ patientId: null, subjectId: id })
    const finish = { ...move('CallFollowUpFinished'), practiceId, today: '2026-11-26' }
    const decision = noun.decider.decide(finish, fold(noun.decider, created ? [created] : []))
    expect(isRejection(decision) && decision.rejected).toBe('no-follow-up')

    const [needed, needless] = [true, false].map((followUpRequired) => ({ over: { followUpRequired } }))
    expect(decideAfter('call', 0, move('CallFollowUpFinished'), needed)).toEqual(['CallFollowUpFinished'])
    expect(decideAfter('call', 0, change({ callNotes: 'Called back' }), needless)).toEqual(['CallLogChanged'])
  })
})
