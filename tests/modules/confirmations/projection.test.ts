import { expect, it } from 'vitest'
import type { DomainEvent } from '#eventstore/event.ts'
import { confirmationPatientsProjection, confirmationsProjection } from '#modules/confirmations/projection.ts'
import { type AnyProjection, applyEvent, type Rows } from '#projections/projection.ts'
import { patientId, registered, removed } from '#tests/modules/patients/patient-fixtures.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { answered, closed, confirmationId, failed, later, plan, planned, resent, sent, withdrawn } from './fixtures.ts'

const at = (minute: number) => `2026-11-19T14:0${minute}:00.000Z`

function fold(projection: AnyProjection, key: string, ...events: DomainEvent[]) {
  const rows: Rows = new Map()
  for (const [index, event] of events.entries())
    applyEvent(projection, rows, recordedEvent(event, { revision: index, metadata: { at: at(index) } }))
  return rows.get(key)
}
const follow = (...events: DomainEvent[]) => fold(confirmationsProjection, confirmationId, ...events)

it('follows a confirmation through its events', () => {
  expect(follow(planned)).toMatchObject({
    id: confirmationId,
    status: 'pending',
    due_at: plan.dueAt,
    attempts: 0,
    sent_at: null,
  })
  expect(follow(planned, failed())).toMatchObject({ status: 'failed', failure: 'refused', attempts: 1 })
  expect(follow(planned, failed(), resent())).toMatchObject({ status: 'pending', due_at: later })
  const answeredRow = follow(planned, failed(), resent(), sent(2), answered('confirmed'))
  expect(answeredRow).toMatchObject({
    status: 'confirmed',
    failure: null,
    attempts: 2,
    sent_at: at(3),
    answered_at: at(4),
  })
  expect(follow(planned, withdrawn('cancelled'))).toMatchObject({ status: 'withdrawn', closed: null })
  expect(follow(planned, sent(), closed('moved'))).toMatchObject({ status: 'sent', closed: 'moved' })
})

it('forgets how a removed patient was reached', () => {
  const row = fold(confirmationPatientsProjection, patientId, registered())
  expect(row).toMatchObject({ removed: false })
  expect(fold(confirmationPatientsProjection, patientId, registered(), removed())).toMatchObject({
    removed: true,
    phone: null,
    email: null,
  })
})
