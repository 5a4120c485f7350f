import {
  channelsOf,
  ConfirmationChannel,
  type ReminderTiming,
  type ReminderType,
} from '#contracts/values/confirmations.ts'
import type { AppointmentStatus } from '#contracts/values/appointments.ts'
import {
  type AppointmentId,
  ConfirmationId,
  type PatientId,
  type PracticeId,
  type ReservationId,
} from '#contracts/values/ids.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import type { ConfirmationCommand } from './decider.ts'
import { computeDue } from './due.ts'

/** An appointment, and by which channels and when its patient is asked. */
export type Question = {
  appointment: {
    practiceId: PracticeId
    appointmentId: AppointmentId
    patientId: PatientId
    status: AppointmentStatus
    reservationId: ReservationId
    /** An ISO instant. */
    startsAt: string
  }
  settings: { reminderType: ReminderType; reminderTiming: ReminderTiming }
  /** The owner of the patient's number wants no texts. */
  hasStoppedTexts: boolean
  /** The practice has a plan, and asks patients. */
  mayAsk: boolean
  isSwitchedOn: boolean
  zone: string
  now: Date
  hasQuietHours: boolean
  /** The confirmations of the appointment that are planned, or sent and not answered, of earlier slots too. */
  openIds: readonly ConfirmationId[]
  /** The confirmations of the appointment that its patient has received. */
  receivedIds: readonly ConfirmationId[]
}

/** A command for one confirmation. To withdraw one that was never planned changes nothing. */
export type Choice = {
  confirmationId: ConfirmationId
  command: Extract<ConfirmationCommand, { type: 'Plan' | 'Withdraw' }>
}

/** Returns the id of the confirmation of an appointment at one time: the same, however often it is planned. */
const toConfirmationId = (reservationId: string, channel: ConfirmationChannel) =>
  ConfirmationId.parse(deriveId(`confirmation ${channel} ${reservationId}`))

/** Returns the confirmations of an appointment at one time, one for each channel. */
export const toConfirmations = (reservationId: string) =>
  ConfirmationChannel.options.map((channel) => ({ channel, confirmationId: toConfirmationId(reservationId, channel) }))

/**
 * Chooses which questions about an appointment are planned, and which are withdrawn because they are not needed: it was cancelled or
 * moved, or the practice does not ask by this channel any more. A patient who was asked by that one is not asked again by another. Pure.
 */
export function choosePlans({
  appointment: { practiceId, appointmentId, patientId, status, reservationId, startsAt },
  settings: { reminderType, reminderTiming: timing },
  hasStoppedTexts,
  mayAsk,
  isSwitchedOn,
  zone,
  now,
  hasQuietHours,
  openIds,
  receivedIds,
}: Question): Choice[] {
  const asked = { practiceId, patientId, appointmentId, reservationId, startsAt }
  const channels = channelsOf(reminderType)
  const wanted = hasStoppedTexts && channels.includes('sms') ? ['email'] : channels
  const current = toConfirmations(reservationId)
  const wasAskedOtherwise = current.some(
    ({ channel, confirmationId }) => !wanted.includes(channel) && receivedIds.includes(confirmationId),
  )
  const isKnown = (id: ConfirmationId) => openIds.includes(id) || receivedIds.includes(id)
  const isCurrent = (id: ConfirmationId) => current.some(({ confirmationId }) => confirmationId === id)
  const dueAt = computeDue({ startsAt, timing, zone, now, hasQuietHours })
  const obstacle = isSwitchedOn ? 'channel-off' : 'switched-off'
  const reason = status === 'cancelled' ? 'cancelled' : status === 'scheduled' ? obstacle : 'answered'
  return [
    ...openIds
      .filter((id) => !isCurrent(id))
      .map((confirmationId): Choice => ({ confirmationId, command: { type: 'Withdraw', reason: 'moved' } })),
    ...current.map(({ channel, confirmationId }): Choice => {
      const isWanted = wanted.includes(channel) && (!wasAskedOtherwise || isKnown(confirmationId))
      const isAsked = status === 'scheduled' && mayAsk && isWanted
      return isAsked && dueAt !== null
        ? { confirmationId, command: { type: 'Plan', plan: { ...asked, confirmationId, channel, dueAt } } }
        : { confirmationId, command: { type: 'Withdraw', reason } }
    }),
  ]
}
