import { expect, it } from 'vitest'
import { EligibilityOutcome } from '#contracts/values/eligibility.ts'
import type { DomainEvent } from '#eventstore/event.ts'
import { automationActionsProjection } from '#modules/automation/projection.ts'
import { type AnyProjection, applyEvent, type Rows } from '#projections/projection.ts'
import {
  answered,
  confirmationId,
  failed,
  plan,
  planned,
  resent,
  sent,
  withdrawn,
} from '#tests/modules/confirmations/fixtures.ts'
import * as offers from '#tests/modules/confirmations/offers/fixtures.ts'
import { practiceId } from '#tests/modules/patients/patient-fixtures.ts'
import { recordedEvent } from '#tests/support/events.ts'

const at = '2026-11-19T14:00:00.000Z'

function fold(events: readonly DomainEvent[], metadata: object) {
  const rows: Rows = new Map()
  for (const [revision, event] of events.entries())
    applyEvent(
      automationActionsProjection as AnyProjection,
      rows,
      recordedEvent(event, { revision, metadata: { at, ...metadata } }),
    )
  return [...rows.values()]
}

it('has a row for each action, and none for what a user did', () => {
  const events = [planned, failed(), resent(), sent(2), answered('confirmed'), withdrawn('cancelled')]
  const about = { practice_id: practiceId, patient_id: plan.patientId, record_id: confirmationId, at, sample: false }
  expect(fold(events, { practiceId })).toMatchObject([
    { ...about, kind: 'message', outcome: 'failed' },
    { ...about, kind: 'message', outcome: 'sent' },
    { ...about, kind: 'answer', outcome: 'confirmed' },
  ])
})

it('has a row for each message of an offer to the waitlist, and for its answer', () => {
  expect(fold([offers.offered, offers.sent, offers.accepted], { practiceId })).toMatchObject([
    { kind: 'offer', outcome: 'sent', record_id: offers.slotOfferId },
    { kind: 'offer', outcome: 'confirmed', record_id: offers.slotOfferId },
  ])
  expect(fold([offers.offered, offers.failed, offers.withdrawn('expired')], { practiceId })).toMatchObject([
    { kind: 'offer', outcome: 'failed' },
  ])
  expect(fold([offers.declined], { practiceId })).toMatchObject([{ kind: 'offer', outcome: 'declined' }])
})

it('has a row for each answer of an insurer, unless it is asked again', () => {
  const inquiry = { verificationId: confirmationId, practiceId, patientId: plan.patientId }
  const answer = (outcome: EligibilityOutcome) => ({ type: 'EligibilityAnswered', data: { ...inquiry, outcome } })
  const rows = fold([{ type: 'EligibilityAsked', data: inquiry }, ...EligibilityOutcome.options.map(answer)], {
    practiceId,
  })
  expect(rows.flatMap((row) => (row ? [[row['kind'], row['outcome']]] : []))).toEqual([
    ['coverage', 'confirmed'],
    ['coverage', 'declined'],
    ['coverage', 'declined'],
    ...Array.from({ length: 3 }, () => ['coverage', 'failed']),
  ])
})

it('has no row for what belongs to no practice', () => {
  expect(fold([sent(1)], { practiceId: null })).toEqual([])
})
