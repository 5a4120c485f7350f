import { toLocalDateTime } from '#contracts/values/calendar.ts'
import { formatName } from '#web/ui/format.ts'
import type { Appointment, FreeSlot, SlotTaken } from '#contracts/appointments.ts'
import { findProviderName, type SchedulingContext } from '../scheduling-context.ts'
import { getLatestEnd } from '../slots.ts'
import type { AppointmentValues } from './appointment-form.ts'
import { SlotTakenNotice, type SlotTakenNoticeProps } from './slot-taken-notice.tsx'

type RequestedSlotNoticeProps = Pick<
  SlotTakenNoticeProps,
  'refusedText' | 'overlapLabel' | 'pending' | 'onChoose' | 'onOverlap'
> & {
  context: SchedulingContext
  values: AppointmentValues
  /** The server's refusal of the slot; null while the appointments of the day show the conflict. */
  refusedSlot: SlotTaken | null
  conflicts: readonly Appointment[]
  nearestSlots: readonly FreeSlot[]
}

/** Says that the slot in the form is taken: by the server's refusal, otherwise by the appointments of the day. */
export function RequestedSlotNotice({
  context,
  values,
  refusedSlot,
  conflicts,
  nearestSlots,
  ...actions
}: RequestedSlotNoticeProps) {
  const slot = refusedSlot
    ? {
        until: toLocalDateTime(refusedSlot.conflict.until, context.timeZone).time,
        provider: refusedSlot.conflict.providerName,
        patient: refusedSlot.conflict.patientName,
        freeSlots: refusedSlot.freeSlots,
      }
    : {
        until: getLatestEnd(conflicts),
        provider: findProviderName(context, values.providerId),
        patient: conflicts.map(({ patient }) => formatName(patient)).join(' and '),
        freeSlots: nearestSlots,
      }
  return (
    <SlotTakenNotice
      key={refusedSlot ? 'refused' : 'seen'}
      {...slot}
      {...actions}
      time={values.time}
      today={context.today}
      isRefused={refusedSlot !== null}
    />
  )
}
