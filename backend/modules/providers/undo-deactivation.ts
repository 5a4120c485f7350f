import type { PracticeId, ProviderId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { countBookedAppointments } from '#modules/appointments/public.ts'
import type { Services } from '#modules/module.ts'
import type { RecordScope } from '#modules/samples/public.ts'
import { providerDecider } from './decider.ts'

type Needs = Pick<Services, 'bus' | 'db' | 'store' | 'waitUntilCaughtUp' | 'clock'>
type Target = { providerId: ProviderId; practiceId: PracticeId; scope: RecordScope }

/**
 * Reactivates a provider who was deactivated while an appointment was being booked: the number of appointments on which it was
 * decided was too old. Returns the appointments; null when there are none. An appointment that is still being booked counts,
 * because the deactivation is refused in the same reply. Throws ReadModelsBehind.
 */
export async function undoDeactivationIfBooked(
  services: Needs,
  target: Target,
  context: CommandContext,
): Promise<{ appointments: number; next: string | null } | null> {
  const { booked, pending } = await countBookedAppointments(services, target.scope, target.providerId, services.clock())
  const found = booked.appointments > 0 ? booked : pending
  if (found.appointments === 0) return null
  await reactivate(services, target, found.appointments, context)
  return found
}

/**
 * Reactivates a provider who was deactivated while an appointment was being booked, after the reply to the deactivation. Throws
 * while an appointment is being booked: it may be refused because its provider was deactivated. Throws ReadModelsBehind.
 */
export async function reviewDeactivationOf(services: Needs, target: Target, context: CommandContext): Promise<void> {
  const { booked, pending } = await countBookedAppointments(services, target.scope, target.providerId, services.clock())
  if (booked.appointments > 0) return await reactivate(services, target, booked.appointments, context)
  if (pending.appointments > 0) throw new Error('An appointment with this provider is still being booked')
}

async function reactivate(
  { bus }: Needs,
  { providerId, practiceId }: Target,
  upcomingAppointmentCount: number,
  context: CommandContext,
): Promise<void> {
  const circumstances = { upcomingAppointmentCount, hasOtherActiveProviders: true }
  const command = { type: 'Change', practiceId, change: { active: true }, ...circumstances } as const
  await bus.execute(providerDecider, providerId, command, context)
}
