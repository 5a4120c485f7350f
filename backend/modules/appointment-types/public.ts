import type { AppointmentType } from '#contracts/values/appointments.ts'
import type { PracticeId } from '#contracts/values/ids.ts'
import type { Money } from '#contracts/values/money.ts'
import type { CommandBus } from '#eventstore/command-bus.ts'
import { appointmentTypeDecider } from './decider.ts'

/** Loads the current fee of each type of appointment. */
export async function loadFees(
  bus: CommandBus,
  practiceId: PracticeId,
): Promise<Readonly<Record<AppointmentType, Money>>> {
  const { state } = await bus.load(appointmentTypeDecider, practiceId)
  return Object.fromEntries(Object.entries(state).map(([type, { fee }]) => [type, fee])) as Record<
    AppointmentType,
    Money
  >
}
