import type { CommandContext } from '#eventstore/command.ts'
import { confirmForPatient, declineForPatient } from '#modules/appointments/public.ts'
import type { Services } from '#modules/module.ts'
import { confirmationDecider, type KnownConfirmation } from './decider.ts'

/** Applies the answer that a confirmation has to its appointment. A repetition has no effect. */
export async function applyAnswer(
  services: Services,
  confirmation: KnownConfirmation,
  context: CommandContext,
): Promise<void> {
  if (confirmation.status === 'confirmed') await confirmForPatient(services, confirmation, context)
  if (confirmation.status === 'declined') await declineForPatient(services, confirmation, context)
}

/**
 * Records the answer of a patient and applies it to the appointment; the job `apply-answer` does that when the process stops in
 * between. Throws `CommandRejected` with `declined` or `withdrawn`.
 */
export async function answerConfirmation(
  services: Services,
  { confirmationId, practiceId }: KnownConfirmation,
  answer: 'confirmed' | 'declined',
  visitor: CommandContext,
): Promise<void> {
  const context = { ...visitor, practiceId }
  const { state } = await services.bus.execute(confirmationDecider, confirmationId, { type: 'Answer', answer }, context)
  if (state.exists) await applyAnswer(services, state, context)
}
