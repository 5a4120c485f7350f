import type { Cancellations } from '#contracts/appointments.ts'
import type { AppointmentId, PracticeId } from '#contracts/values/ids.ts'
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

type SeveralCancellations = { practiceId: PracticeId; ids: readonly AppointmentId[]; keepOnDayList: boolean }

/** Cancels appointments in their order until one fails; a repetition cancels the rest. Throws when the first one fails. */
export async function cancelAppointments(
  { bus, logger }: Pick<Services, 'bus' | 'logger'>,
  { practiceId, ids, keepOnDayList }: SeveralCancellations,
  context: CommandContext,
): Promise<Cancellations> {
  for (const [index, id] of ids.entries()) {
    try {
      await cancelAppointment({ bus }, practiceId, id, keepOnDayList, context)
    } catch (error) {
      if (index === 0) throw error
      logger.error({ err: error, appointmentId: id }, 'only some appointments were cancelled')
      return { cancelled: ids.slice(0, index), notCancelled: ids.slice(index) }
    }
  }
  return { cancelled: [...ids], notCancelled: [] }
}
