import type { PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import type { Services } from '#modules/module.ts'
import { changeAndRelease } from './reservations.ts'
import { requireAppointment } from './require-records.ts'

/** Cancels an appointment and releases its slot. A repetition has no effect. Throws 404. */
export async function cancelAppointment(
  { bus }: Pick<Services, 'bus'>,
  practiceId: PracticeId,
  appointmentId: string,
  keepOnDayList: boolean,
  context: CommandContext,
): Promise<void> {
  const loaded = await requireAppointment(bus, practiceId, appointmentId)
  const command = { type: 'Cancel', practiceId, keepOnDayList, cause: 'requested' } as const
  await changeAndRelease({ bus }, command, loaded, context)
}
