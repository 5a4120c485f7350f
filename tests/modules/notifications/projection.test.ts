import { describe, expect, it } from 'vitest'
import type { DomainEvent } from '#eventstore/event.ts'
import { notificationsProjection } from '#modules/notifications/projection.ts'
import { applyEvent, type Rows } from '#projections/projection.ts'
import { recordedEvent } from '#tests/support/events.ts'
import { practiceId, userId } from './fixtures.ts'

const appointmentId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0041'
const patientId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0001'
const providerId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0030'
const importId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0060'
const byUser = { practiceId, actor: { kind: 'user', userId, role: 'nurse' } } as const
const byProcess = { practiceId }

const slot = (startsAt: string, over: object = {}) => ({
  reservationId: `reservation ${startsAt}`,
  providerId,
  startsAt,
  duration: 30,
  days: [startsAt.slice(0, 10)],
  overlaps: [],
  ...over,
})
const ten = slot('2026-11-20T15:00:00.000Z')
const eleven = slot('2026-11-20T16:00:00.000Z')

const event = (type: string, data: object): DomainEvent => ({ type, data: data as DomainEvent['data'] })
const booked = (type: string) =>
  event('AppointmentBooked', { appointmentId, practiceId, patientId, slot: ten, type, status: 'scheduled' })
const moved = (from: object, to: object) => event('AppointmentRescheduled', { appointmentId, patientId, from, to })
const cancelled = event('AppointmentCancelled', { appointmentId, patientId, slot: ten, from: 'scheduled' })
const payment = (type: string) =>
  event(type, { practiceId, invoice: { invoiceId: 'in_1', amount: { cents: 129_00, currency: 'USD' } } })
const subscription = (type: string) =>
  event(type, {
    practiceId,
    subscription: { subscriptionId: 'sub_1', currentPeriodEnd: '2026-12-01T00:00:00.000Z' },
  })

/** Returns the rows that remain after events, by key, and the ids of the events. */
function fold(events: readonly DomainEvent[], metadata: object = byUser) {
  const rows: Rows = new Map()
  const recorded = events.map((each, revision) => recordedEvent(each, { revision, metadata }))
  for (const each of recorded) applyEvent(notificationsProjection, rows, each)
  return {
    rows: new Map([...rows].filter(([, row]) => row !== null)),
    ids: recorded.map(({ id }) => id),
  }
}
const kinds = (events: readonly DomainEvent[], metadata?: object) =>
  [...fold(events, metadata).rows.values()].map((row) => row?.['kind'])

describe('an appointment', () => {
  it('is nothing to be notified of when it is booked, except as an emergency', () => {
    expect(kinds([booked('check-up')])).toEqual([])
    expect(kinds([booked('emergency')])).toEqual(['emergency-booked'])
  })

  it('is known by its ids and its earlier slot when it is cancelled or moved', () => {
    const row = {
      practice_id: practiceId,
      at: '2026-11-20T08:00:00.000Z',
      actor_id: userId,
      record_id: appointmentId,
      patient_id: patientId,
      provider_id: providerId,
      starts_at: ten.startsAt,
      duration: 30,
    }
    expect(fold([cancelled]).rows.get(`released:${ten.reservationId}`)).toMatchObject({
      ...row,
      kind: 'appointment-cancelled',
      until: null,
    })
    expect(fold([moved(ten, eleven)]).rows.get(`released:${ten.reservationId}`)).toMatchObject({
      ...row,
      kind: 'appointment-moved',
      until: eleven.startsAt,
    })
  })

  it('has no actor that is left out when a process changed it', () => {
    expect(fold([cancelled], byProcess).rows.get(`released:${ten.reservationId}`)).toMatchObject({ actor_id: null })
  })

  it('releases a slot with every move, but not when only its length changes', () => {
    const later = slot('2026-11-20T17:00:00.000Z')
    const again = fold([moved(ten, eleven), moved(eleven, later)])
    expect([...again.rows.values()]).toMatchObject([
      { id: again.ids[0], starts_at: ten.startsAt, until: eleven.startsAt },
      { id: again.ids[1], starts_at: eleven.startsAt, until: later.startsAt },
    ])
    const longer = { ...eleven, reservationId: 'longer', duration: 60 }
    expect([...fold([moved(ten, eleven), moved(eleven, longer)]).rows.values()]).toMatchObject([
      { starts_at: ten.startsAt },
    ])
    expect(kinds([moved(ten, { ...ten, providerId: importId })])).toEqual(['appointment-moved'])
  })

  it('keeps its earlier move when it is cancelled, but not its emergency', () => {
    const cancelledLater = event('AppointmentCancelled', { appointmentId, patientId, slot: eleven, from: 'scheduled' })
    expect(kinds([booked('emergency'), moved(ten, eleven), cancelledLater])).toEqual([
      'appointment-moved',
      'appointment-cancelled',
    ])
  })

  it('is no emergency any more when it gets another type', () => {
    const changed = (to: object) => event('AppointmentDetailsChanged', { appointmentId, patientId, from: {}, to })
    expect(kinds([booked('emergency'), changed({ type: 'check-up' })])).toEqual([])
    expect(kinds([booked('emergency'), changed({ type: 'emergency' })])).toEqual(['emergency-booked'])
    expect(kinds([booked('emergency'), changed({})])).toEqual(['emergency-booked'])
  })

  it('becomes an emergency at its slot', () => {
    const becomes = event('AppointmentDetailsChanged', {
      appointmentId,
      patientId,
      from: { type: 'check-up' },
      to: { type: 'emergency' },
      slot: eleven,
    })
    const { rows, ids } = fold([booked('check-up'), becomes])
    const row = { kind: 'emergency-booked', id: ids[1], starts_at: eleven.startsAt, actor_id: userId }
    expect(rows.get(`emergency:${appointmentId}`)).toMatchObject(row)
    expect(kinds([booked('check-up'), becomes], { ...byUser, sample: true })).toEqual([])
  })

  it('keeps an emergency at its new time', () => {
    const { rows } = fold([booked('emergency'), moved(ten, eleven)])
    expect(rows.get(`emergency:${appointmentId}`)).toMatchObject({ starts_at: eleven.startsAt })
  })

  it('is nothing to be notified of as sample data, nor after it was removed', () => {
    expect(kinds([booked('emergency'), moved(ten, eleven), cancelled], { ...byUser, sample: true })).toEqual([])
    const removed = event('AppointmentRemoved', { appointmentId, patientId, slot: ten, reason: 'sample-removed' })
    expect(kinds([booked('emergency'), cancelled, removed])).toEqual([])
  })
})

describe('a form', () => {
  const formId = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0081'
  const form = { formId, practiceId, patientId, version: 1 }
  const submitted = event('FormSubmitted', form)
  const analyzed = (urgentCount: number) => event('FormAnalyzed', { ...form, urgentCount })
  const reviewed = event('FormReviewed', { ...form, reviewedBy: userId })

  it('that was handed in is one matter, an urgent finding another, until it is reviewed', () => {
    expect(kinds([submitted, analyzed(0)])).toEqual(['form-submitted'])
    expect(fold([submitted, analyzed(2)]).rows.get(`urgent:${formId}`)).toMatchObject({
      kind: 'form-urgent',
      record_id: formId,
      patient_id: patientId,
    })
    expect(kinds([submitted, analyzed(2), reviewed])).toEqual([])
  })

  it('is not urgent any more when a later analysis finds nothing, and stays read when it finds it again', () => {
    expect(kinds([analyzed(1), analyzed(0)])).toEqual([])
    const { rows, ids } = fold([analyzed(1), analyzed(1)])
    expect(rows.get(`urgent:${formId}`)).toMatchObject({ id: ids[0] })
  })

  it('of the sample data is nothing to be notified of', () => {
    expect(kinds([submitted, analyzed(1)], { ...byUser, sample: true })).toEqual([])
  })
})

describe('a coverage', () => {
  const change = (type: string) => event(type, { verificationId: importId, patientId })

  it('that was denied or has expired is shown until it is verified or asked for again', () => {
    expect(kinds([change('InsuranceDenied')])).toEqual(['coverage-denied'])
    expect(kinds([change('InsuranceExpired')], byProcess)).toEqual(['coverage-expired'])
    expect(kinds([change('InsuranceDenied'), change('InsuranceVerified')])).toEqual([])
    expect(kinds([change('InsuranceExpired'), change('InsuranceVerificationReopened')])).toEqual([])
  })
})

it('a confirmation is shown when the patient declines, whatever was answered before', () => {
  const answered = (answer: string) => event('ConfirmationAnswered', { confirmationId: importId, patientId, answer })
  expect(kinds([answered('confirmed')])).toEqual([])
  expect(fold([answered('confirmed'), answered('declined')], byProcess).rows.get(`declined:${importId}`)).toMatchObject(
    {
      kind: 'confirmation-declined',
      record_id: importId,
      actor_id: null,
    },
  )
})

it('an offer to the waitlist is shown when a patient has taken it', () => {
  const about = { slotOfferId: importId, patientId }
  expect(kinds([event('SlotOfferDeclined', about)])).toEqual([])
  const accepted = event('SlotOfferAccepted', { ...about, appointmentId: patientId })
  expect(fold([accepted], byProcess).rows.get(`offer:${importId}`)).toMatchObject({
    kind: 'offer-accepted',
    record_id: patientId,
    patient_id: patientId,
    actor_id: null,
  })
})

describe('a message of a patient', () => {
  const about = { communicationId: importId, patientId }
  const noted = (over: object = {}) =>
    event('PatientCommunicationNoted', { ...about, direction: 'inbound', sentBy: null, ...over })

  it('is shown until it is read, answered or called failed', () => {
    expect(fold([noted()], byProcess).rows.get(`message:${importId}`)).toMatchObject({
      kind: 'message-received',
      record_id: importId,
      patient_id: patientId,
      actor_id: null,
    })
    for (const type of ['PatientCommunicationRead', 'PatientCommunicationAnswered', 'PatientCommunicationFailed'])
      expect(kinds([noted(), event(type, about)])).toEqual([])
  })

  it('is not shown when a user has noted it, nor one of the practice', () => {
    expect(kinds([noted({ sentBy: patientId })])).toEqual([])
    expect(kinds([noted({ direction: 'outbound' })])).toEqual([])
  })

  it('may be of an unknown person', () => {
    expect(kinds([noted({ patientId: null })])).toEqual(['message-received'])
  })
})

describe('an import', () => {
  const finished = event('ImportFinished', { importId })
  const givenUp = event('ImportGivenUp', { importId, reason: 'file-gone' })

  it('is one matter, whose last outcome counts', () => {
    expect(kinds([finished])).toEqual(['import-finished'])
    expect(kinds([givenUp])).toEqual(['import-failed'])
    expect(kinds([givenUp, event('ImportResumed', { importId })])).toEqual([])
    expect(kinds([givenUp, event('ImportResumed', { importId }), finished])).toEqual(['import-finished'])
    expect(kinds([finished, event('ImportUndoRequested', { importId })])).toEqual([])
  })

  it('is shown to the user who requested it, too', () => {
    expect(fold([finished]).rows.get(`import:${importId}`)).toMatchObject({ actor_id: null, record_id: importId })
  })
})

describe('a subscription', () => {
  it('has a failed payment until it is paid or void', () => {
    expect(fold([payment('PaymentFailed')]).rows.get('payment:in_1')).toMatchObject({
      kind: 'payment-failed',
      amount_cents: 129_00,
      currency: 'USD',
    })
    expect(kinds([payment('PaymentFailed'), payment('PaymentSucceeded')])).toEqual([])
    expect(kinds([payment('PaymentFailed'), payment('InvoiceVoided')])).toEqual([])
  })

  it('is unread again with every attempt that fails', () => {
    const { rows, ids } = fold([payment('PaymentFailed'), payment('PaymentFailed')])
    expect(rows.get('payment:in_1')).toMatchObject({ id: ids[1] })
  })

  it('ends, unless it is reactivated', () => {
    expect(fold([subscription('CancellationScheduled')]).rows.get(`subscription:${practiceId}`)).toMatchObject({
      kind: 'subscription-ending',
      until: '2026-12-01T00:00:00.000Z',
    })
    expect(kinds([subscription('CancellationScheduled'), subscription('SubscriptionReactivated')])).toEqual([])
    expect(kinds([subscription('CancellationScheduled'), subscription('SubscriptionCanceled')])).toEqual([
      'subscription-canceled',
    ])
  })

  it('has not ended once another plan was chosen', () => {
    const canceled = subscription('SubscriptionCanceled')
    expect(kinds([canceled, subscription('SubscriptionActivated')])).toEqual([])
    expect(kinds([canceled, subscription('TrialStarted')])).toEqual([])
    // Paying an open invoice does not withdraw a cancellation.
    const scheduled = [subscription('CancellationScheduled'), subscription('SubscriptionActivated')]
    expect(kinds(scheduled)).toEqual(['subscription-ending'])
  })
})

it('needs the practice of an event', () => {
  expect(kinds([event('ImportFinished', { importId })], { practiceId: null })).toEqual([])
})
