import { type ConfirmationChannel, channelsOf } from '#contracts/values/confirmations.ts'
import type { Services } from '#modules/module.ts'
import type { ConfirmationSettings } from './decider.ts'
import { findContact } from './queries.ts'
import { hasStoppedTexts } from './text-numbers.ts'

/** Returns the way by which a patient is asked, as the settings say: by email when texts are not possible. Null without an address. */
export async function findChannel(
  services: Services,
  { reminderType }: ConfirmationSettings,
  patientId: string,
): Promise<ConfirmationChannel | null> {
  const contact = await findContact(services.db, patientId)
  const wantsText = channelsOf(reminderType).includes('sms')
  if (wantsText && contact?.phone && !(await hasStoppedTexts(services, contact.phone))) return 'sms'
  return contact?.email ? 'email' : null
}
