import { ConfirmationId } from '#contracts/values/ids.ts'
import { channelsOf, ConfirmationChannel, type ReminderType } from '#contracts/values/confirmations.ts'
import type { AppointmentId, PracticeId } from '#contracts/values/ids.ts'
import { deriveId, type CommandContext } from '#eventstore/command-bus.ts'
import { loadAppointment } from '#modules/appointments/public.ts'
import { isSwitchedOn } from '#modules/automation/switches/public.ts'
import { hasPlan } from '#modules/billing/public.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { confirmationDecider, confirmationSettingsDecider } from './decider.ts'
import { computeDue } from './due.ts'
import { findContact, findOpenConfirmations } from './queries.ts'
import { confirmationSettings } from './settings.ts'
import type { WithdrawalReason } from './events.ts'
import { hasStoppedTexts } from './text-numbers.ts'

/** Returns the id of the confirmation of an appointment at one time: the same, however often it is planned. */
const toConfirmationId = (reservationId: string, channel: ConfirmationChannel) =>
  ConfirmationId.parse(deriveId(`confirmation ${channel} ${reservationId}`))

/**
 * Plans the questions about an appointment as the practice's settings say, and withdraws those that are not needed: the
 * appointment was cancelled or moved, or the practice does not ask by this channel any more. Practices ask no patients
 * without a plan, or while they have switched it off.
 */
export async function planConfirmations(
  services: Services,
  practiceId: PracticeId,
  appointmentId: AppointmentId,
  context: CommandContext,
): Promise<void> {
  const { bus, db, clock } = services
  const [hasPlanNow, isOn, openIds] = await Promise.all([
    hasPlan(db, practiceId, clock()),
    isSwitchedOn(services, practiceId, 'confirmations'),
    findOpenConfirmations(db, appointmentId),
  ])
  const mayAsk = hasPlanNow && isOn
  if (!mayAsk && openIds.length === 0) return
  const appointment = await loadAppointment(bus, practiceId, appointmentId)
  if (!appointment || appointment.isSample) return
  const { status, slot, patientId } = appointment
  const { reservationId, startsAt } = slot
  const isOpen = status === 'scheduled'
  const [{ state: settings }, zone] = await Promise.all([
    bus.load(confirmationSettingsDecider, practiceId),
    findTimeZone(db, practiceId),
  ])
  const { hasQuietHours } = confirmationSettings.read(services)
  const wanted = await findChannels(services, settings.reminderType, patientId)
  const withdraw = (confirmationId: ConfirmationId, reason: WithdrawalReason) =>
    bus.execute(confirmationDecider, confirmationId, { type: 'Withdraw', reason }, context)
  const current = ConfirmationChannel.options.map((channel) => toConfirmationId(reservationId, channel))
  for (const id of openIds) if (!current.includes(id)) await withdraw(id, 'moved')
  for (const channel of ConfirmationChannel.options) {
    const confirmationId = toConfirmationId(reservationId, channel)
    const dueAt = computeDue({ startsAt, timing: settings.reminderTiming, zone, now: clock(), hasQuietHours })
    if (isOpen && mayAsk && wanted.includes(channel) && dueAt !== null) {
      const plan = { confirmationId, practiceId, patientId, appointmentId, reservationId, channel, startsAt, dueAt }
      await bus.execute(confirmationDecider, confirmationId, { type: 'Plan', plan }, context)
    } else if ((await bus.load(confirmationDecider, confirmationId)).state.exists) {
      const obstacle = isOn ? 'channel-off' : 'switched-off'
      await withdraw(confirmationId, status === 'cancelled' ? 'cancelled' : isOpen ? obstacle : 'answered')
    }
  }
}

/** Returns the channels by which a patient is asked: by email instead of by text, if the owner of the number wants no texts. */
async function findChannels(services: Services, type: ReminderType, patientId: string) {
  const channels = channelsOf(type)
  if (!channels.includes('sms')) return channels
  const contact = await findContact(services.db, patientId)
  return contact?.phone && (await hasStoppedTexts(services, contact.phone)) ? (['email'] as const) : channels
}
