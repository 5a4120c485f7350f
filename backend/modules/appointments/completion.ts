import type { AppointmentType } from '#contracts/values/appointments.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import { loadFees } from '#modules/appointment-types/public.ts'
import type { Services } from '#modules/module.ts'
import type { AppointmentCompletion } from './decider.ts'

/** Returns today's fee and the completion time when the new status is `completed`; null otherwise. */
export async function createCompletion(
  { bus, clock }: Pick<Services, 'bus' | 'clock'>,
  practiceId: PracticeId,
  type: AppointmentType,
  status: string | undefined,
): Promise<AppointmentCompletion | null> {
  if (status !== 'completed') return null
  return { fee: (await loadFees(bus, practiceId))[type], completedAt: clock().toISOString() }
}
