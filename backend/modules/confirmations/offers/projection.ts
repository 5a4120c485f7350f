import { defineProjection } from '#projections/projection.ts'
import type { SlotOfferEvent } from './events.ts'

type OfferRow = {
  id: string
  practice_id: string
  patient_id: string
  provider_id: string
  reservation_id: string
  starts_at: string
  duration: number
  channel: string
  status: string
  reason: string | null
  due_at: string
  expires_at: string
  sent_at: string | null
  delivery: string | null
  ended_at: string | null
  appointment_id: string | null
}

/** The offers of freed slots of all practices, one row each. */
export const slotOffersProjection = defineProjection<SlotOfferEvent, OfferRow>({
  name: 'slot_offers',
  version: 1,
  columns: {
    id: 'uuid',
    practice_id: 'uuid',
    patient_id: 'uuid',
    provider_id: 'uuid',
    reservation_id: 'uuid',
    starts_at: 'timestamptz',
    duration: 'int4',
    channel: 'text',
    status: 'text',
    reason: 'text',
    due_at: 'timestamptz',
    expires_at: 'timestamptz',
    sent_at: 'timestamptz',
    delivery: 'text',
    ended_at: 'timestamptz',
    appointment_id: 'uuid',
  },
  key: 'id',
  indexes: ['(practice_id, due_at, id)'],
  rowOf: ({ data }) => data.slotOfferId,
  on: {
    SlotOffered: (_, { data }) => ({
      id: data.slotOfferId,
      practice_id: data.practiceId,
      patient_id: data.patientId,
      provider_id: data.providerId,
      reservation_id: data.reservationId,
      starts_at: data.startsAt,
      duration: data.neededMinutes,
      channel: data.channel,
      status: 'pending',
      reason: null,
      due_at: data.dueAt,
      expires_at: data.expiresAt,
      sent_at: null,
      delivery: null,
      ended_at: null,
      appointment_id: null,
    }),
    SlotOfferSent: (row, { data, metadata }) =>
      row && { ...row, status: 'sent', sent_at: metadata.at, delivery: data.delivery },
    SlotOfferFailed: (row, { data, metadata }) =>
      row && { ...row, status: 'failed', reason: data.reason, ended_at: metadata.at },
    SlotOfferAccepted: (row, { data, metadata }) =>
      row && { ...row, status: 'accepted', appointment_id: data.appointmentId, ended_at: metadata.at },
    SlotOfferDeclined: (row, { metadata }) => row && { ...row, status: 'declined', ended_at: metadata.at },
    SlotOfferWithdrawn: (row, { data, metadata }) =>
      row && { ...row, status: 'withdrawn', reason: data.reason, ended_at: metadata.at },
  },
})
