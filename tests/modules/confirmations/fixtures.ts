import { ConfirmationId } from '#contracts/values/ids.ts'
import type { ConfirmationEvent } from '#modules/confirmations/events.ts'
import { appointment, patientId, practiceId, reservation, uuid } from '#tests/modules/appointments/fixtures.ts'

export const confirmationId = ConfirmationId.parse(uuid(8, 1))
export const about = { confirmationId, patientId }

/** A text message, due a day before the appointment. */
export const plan = {
  ...about,
  practiceId,
  appointmentId: appointment(1),
  reservationId: reservation(1),
  channel: 'sms',
  startsAt: '2026-11-20T14:00:00.000Z',
  dueAt: '2026-11-19T14:00:00.000Z',
} as const

/** Another instant at which the message can leave. */
export const later = '2026-11-19T16:00:00.000Z'

export const planned: ConfirmationEvent = { type: 'ConfirmationPlanned', data: plan }
export const sent = (attempt = 1): ConfirmationEvent => ({
  type: 'ConfirmationSent',
  data: { ...about, attempt, delivery: 'sent' },
})
export const failed = (attempt = 1): ConfirmationEvent => ({
  type: 'ConfirmationFailed',
  data: { ...about, attempt, reason: 'refused' },
})
export const withdrawn = (reason: 'cancelled' | 'channel-off' | 'switched-off'): ConfirmationEvent => ({
  type: 'ConfirmationWithdrawn',
  data: { ...about, reason },
})
export const closed = (reason: 'cancelled' | 'moved'): ConfirmationEvent => ({
  type: 'ConfirmationClosed',
  data: { ...about, reason },
})
export const resent = (attempt = 2): ConfirmationEvent => ({
  type: 'ConfirmationResendRequested',
  data: { ...about, attempt, dueAt: later, startsAt: plan.startsAt },
})
export const answered = (answer: 'confirmed' | 'declined'): ConfirmationEvent => ({
  type: 'ConfirmationAnswered',
  data: { ...about, answer },
})
export const replanned: ConfirmationEvent = {
  type: 'ConfirmationReplanned',
  data: { ...about, dueAt: later, startsAt: plan.startsAt },
}
