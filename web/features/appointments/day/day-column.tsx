import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import type { Appointment } from '#contracts/appointments.ts'
import type { MenuAction } from '#web/ui/menu-action.ts'
import { parseMinutes } from '../local-time.ts'
import { findFreeSlots, toSpan } from '../slots.ts'
import { AppointmentBlock } from './appointment-block.tsx'
import { assignLanes, type DayLayout, overlaps } from './day-layout.ts'
import { FreeSlotButton } from './free-slot-button.tsx'
import type { useAppointmentDrag } from './use-appointment-drag.ts'

const narrow = '@media (max-width: 639px)'

const useStyles = makeStyles({
  column: { position: 'relative', minWidth: 0 },
  off: { backgroundColor: tokens.colorNeutralBackground3 },
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  // Width of a free slot beside a cancelled appointment.
  freeSlotBesideColumn: { '--free-slot-width': '148px', [narrow]: { '--free-slot-width': '76px' } },
  freeSlotBesideManyColumns: { '--free-slot-width': '36px' },
})

/** One provider's column of the day. A former provider keeps the booked appointments and gets no new ones. */
export type ProviderColumn = {
  providerId: string
  name: string
  colour: string
  active: boolean
  /** The provider has the day off: free slots are not offered. */
  isOff: boolean
  appointments: readonly Appointment[]
}

/** Returns the index of a provider's column. */
export const findColumn = (columns: readonly ProviderColumn[], id: string) =>
  columns.findIndex(({ providerId }) => providerId === id)

export type DayColumnProps = {
  columns: readonly ProviderColumn[]
  /** Local time of the practice, HH:mm, when the day is today. */
  now?: string | undefined
  /** Offers the free slots that are still to come. */
  isBookable: boolean
  getActions: (appointment: Appointment) => readonly MenuAction[]
  onOpen: (appointment: Appointment) => void
  onBook: (slot: string, providerId: string) => void
  column: ProviderColumn
  index: number
  layout: DayLayout
  drag: ReturnType<typeof useAppointmentDrag>
}

/** The appointments and free slots of one provider. */
export function DayColumn({ columns, column, index, layout, drag, ...props }: DayColumnProps) {
  const { now, isBookable, getActions, onOpen, onBook } = props
  const styles = useStyles()
  const { providerId, name, appointments } = column
  const { draft, getHandlers } = drag
  const hasSeveral = columns.length > 1
  const spans = appointments.map((appointment) => ({ appointment, ...toSpan(appointment) }))
  const lanes = assignLanes(spans)
  const freeSlots =
    isBookable && !column.isOff
      ? findFreeSlots(appointments, layout.slots)
          .filter((slot) => now === undefined || slot >= now)
          .map((slot) => ({ slot, start: parseMinutes(slot), duration: 30 }))
      : []
  return (
    <div
      className={mergeClasses(
        styles.column,
        column.isOff && styles.off,
        hasSeveral ? styles.freeSlotBesideManyColumns : styles.freeSlotBesideColumn,
      )}
      data-provider={providerId}
    >
      <ol className={styles.list} aria-label={hasSeveral ? `Appointments of ${name}` : 'Appointments'}>
        {spans.map((span) => {
          const { appointment } = span
          const ownDraft = draft?.id === appointment.id ? draft : null
          const lane = lanes.get(span) ?? { index: 0, count: 1 }
          return (
            <AppointmentBlock
              key={appointment.id}
              appointment={appointment}
              layout={layout}
              span={ownDraft ?? span}
              lane={lane}
              hasFreeSlotBeside={freeSlots.some((slot) => overlaps(slot, span))}
              isDragged={ownDraft !== null}
              columnOffset={ownDraft ? findColumn(columns, ownDraft.providerId) - index : 0}
              isTight={lane.count * columns.length > 2}
              actions={getActions(appointment)}
              onOpen={() => onOpen(appointment)}
              handlers={getHandlers(appointment)}
            />
          )
        })}
      </ol>
      {freeSlots.map((free) => (
        <FreeSlotButton
          key={free.slot}
          slot={free.slot}
          span={free}
          layout={layout}
          hasAppointmentBeside={spans.some((span) => overlaps(span, free))}
          provider={hasSeveral ? name : undefined}
          onBook={() => onBook(free.slot, providerId)}
        />
      ))}
    </div>
  )
}
