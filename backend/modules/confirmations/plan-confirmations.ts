import type { AppointmentId, ConfirmationId, PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { loadAppointment } from '#modules/appointments/public.ts'
import { isSwitchedOn } from '#modules/automation/switches/public.ts'
import { hasPlan } from '#modules/billing/public.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { choosePlans, toConfirmations } from './choose-plans.ts'
import { confirmationDecider, confirmationSettingsDecider } from './decider.ts'
import { findContact, findOpenConfirmations } from './queries.ts'
import { confirmationSettings } from './settings.ts'
import { hasStoppedTexts } from './text-numbers.ts'

/** The states of a confirmation whose message has arrived, as far as is known. */
const received: readonly string[] = ['sent', 'confirmed', 'declined']

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
  const load = async (confirmationId: ConfirmationId) => (await bus.load(confirmationDecider, confirmationId)).state
  const [{ state: settings }, zone, contact, ...states] = await Promise.all([
    bus.load(confirmationSettingsDecider, practiceId),
    findTimeZone(db, practiceId),
    findContact(db, patientId),
    ...toConfirmations(reservationId).map(({ confirmationId }) => load(confirmationId)),
  ])
  const current = new Map(states.flatMap((state) => (state.exists ? [[state.confirmationId, state.status]] : [])))
  const choices = choosePlans({
    appointment: { practiceId, appointmentId, patientId, status, reservationId, startsAt },
    settings,
    hasStoppedTexts: contact?.phone ? await hasStoppedTexts(services, contact.phone) : false,
    mayAsk,
    isSwitchedOn: isOn,
    zone,
    now: clock(),
    hasQuietHours: confirmationSettings.read(services).hasQuietHours,
    openIds,
    receivedIds: [...current].flatMap(([id, status]) => (received.includes(status) ? [id] : [])),
  })
  for (const { confirmationId, command } of choices) {
    // One of an earlier slot is open, so that it exists.
    const isKnown = command.type === 'Plan' || current.has(confirmationId) || openIds.includes(confirmationId)
    if (isKnown) await bus.execute(confirmationDecider, confirmationId, command, context)
  }
}
