import { describe, expect, it } from 'vitest'
import { fold, isRejection } from '#eventstore/decider.ts'
import type { DomainEvent } from '#eventstore/event.ts'
import { patientId, practiceId } from '#tests/modules/patients/patient-fixtures.ts'
import { type Noun, nouns } from './nouns.ts'

const id = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0c02'

/** Returns what happens to a record after steps of its way: the code of a refusal, or the types of the new events. */
function decideAfter(name: string, steps: number, command: object, today = '2026-11-26') {
  const noun = nouns.find((each) => each.noun === name) as Noun
  const { decider, definition, fields, way } = noun
  const edit = { practiceId, today: '2026-11-26' }
  const about = definition.patient === 'none' ? null : patientId
  const commands = [
    { type: 'Create', id, practiceId, patientId: about, fields },
    ...way.slice(0, steps).map(({ event, data = {} }) => ({ type: 'Move', ...edit, event, data })),
  ]
  const events = commands.reduce<DomainEvent[]>(
    (all, each) => [...all, ...(decider.decide(each, fold(decider, all)) as DomainEvent[])],
    [],
  )
  const decision = decider.decide({ practiceId, today, ...command }, fold(decider, events))
  return isRejection(decision) ? decision.rejected : (decision as DomainEvent[]).map(({ type }) => type)
}
const change = (fields: object) => ({ type: 'Change', change: fields })
const move = (event: string, data: object = {}) => ({ type: 'Move', event, data })

describe('a prior authorization', () => {
  const name = 'prior authorization'
  it('keeps the codes that were submitted', () => {
    expect(decideAfter(name, 0, change({ procedureCodes: ['73722'] }))).toEqual(['PriorAuthorizationChanged'])
    expect(decideAfter(name, 1, change({ procedureCodes: ['73722'] }))).toBe('already-submitted')
    expect(decideAfter(name, 1, change({ notes: 'Called', procedureCodes: ['73721'] }))).toEqual([
      'PriorAuthorizationChanged',
    ])
  })
  it('has a number and a last day from its approval on', () => {
    expect(decideAfter(name, 1, change({ authorizationNumber: 'PA-1' }))).toBe('not-approved')
    expect(decideAfter(name, 4, change({ authorizationNumber: 'PA-1' }))).toEqual(['PriorAuthorizationChanged'])
    expect(decideAfter(name, 4, change({ expiresAt: null }))).toBe('not-approved')
    const approve = (expiresAt: string) =>
      move('PriorAuthorizationApproved', { authorizationNumber: 'PA-1', expiresAt, approvedAt: '2026-11-26T10:00:00Z' })
    expect(decideAfter(name, 1, approve('2026-11-25'))).toBe('already-over')
    expect(decideAfter(name, 1, approve('2026-11-26'))).toEqual(['PriorAuthorizationApproved'])
    expect(decideAfter(name, 0, approve('2026-11-26'))).toBe('wrong-status')
  })
  it('expires after its last day, not on it, and not by another date', () => {
    const expire = (expiresAt: string) => move('PriorAuthorizationExpired', { expiresAt })
    expect(decideAfter(name, 4, expire('2099-12-31'), '2099-12-31')).toBe('still-valid')
    expect(decideAfter(name, 4, expire('2099-12-31'), '2100-01-01')).toEqual(['PriorAuthorizationExpired'])
    expect(decideAfter(name, 4, expire('2099-12-30'), '2100-01-01')).toBe('still-valid')
    expect(decideAfter(name, 2, expire('2099-12-31'), '2100-01-01')).toBe('wrong-status')
  })
})

describe('a clinical document', () => {
  it('changes as a draft only', () => {
    expect(decideAfter('document', 0, change({ icdCodes: [] }))).toEqual(['ClinicalDocumentChanged'])
    expect(decideAfter('document', 1, change({ icdCodes: [] }))).toBe('in-review')
    expect(decideAfter('document', 4, change({ icdCodes: [] }))).toBe('already-approved')
    expect(decideAfter('document', 4, move('ClinicalDocumentReturned'))).toBe('wrong-status')
  })
  it('is not approved before a review', () => {
    const approve = move('ClinicalDocumentApproved', { approvedBy: 'x', approvedAt: 'y' })
    expect(decideAfter('document', 0, approve)).toBe('wrong-status')
  })
})

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
  })
})

describe('a referral', () => {
  it('keeps the reason that was sent', () => {
    expect(decideAfter('referral', 0, change({ reasonForReferral: 'Other' }))).toEqual(['ReferralChanged'])
    expect(decideAfter('referral', 1, change({ reasonForReferral: 'Other' }))).toBe('already-sent')
    expect(decideAfter('referral', 1, change({ notes: 'Called' }))).toEqual(['ReferralChanged'])
  })
})

describe('an order', () => {
  const items = (quantity: number, receivedQuantity: number) =>
    change({ orderItems: [{ name: 'Gloves, size M', quantity, unitPriceCents: 8_99, receivedQuantity }] })
  it('changes once it is placed only in what has arrived', () => {
    expect(decideAfter('order', 0, items(12, 0))).toEqual(['SupplyOrderChanged'])
    expect(decideAfter('order', 1, items(12, 0))).toBe('already-ordered')
    expect(decideAfter('order', 1, items(10, 4))).toEqual(['SupplyOrderChanged'])
    expect(decideAfter('order', 1, change({ supplierName: 'Other' }))).toBe('already-ordered')
  })
})

describe('a message', () => {
  it('keeps its text', () => {
    expect(decideAfter('message', 0, change({ messageContent: 'Other' }))).toBe('already-sent')
    expect(decideAfter('message', 0, change({ priority: 'low' }))).toEqual(['PatientCommunicationChanged'])
  })
})
