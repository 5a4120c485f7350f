import type { KeyboardEvent, PointerEvent } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import type { DayLayout } from './day-layout.ts'
import { getAdjacentProvider, moveByKey, type Placement, toPlacement } from './placement.ts'
import { usePlacementDraft } from './use-placement-draft.ts'
import { usePointerDrag } from './use-pointer-drag.ts'

type AppointmentDrag = {
  layout: DayLayout
  /** Providers who can be given an appointment, in the order of their columns. */
  providers: readonly string[]
  /** Saves a move; resolves when the lists show it or it was refused. */
  onMove: (appointment: Appointment, to: Placement) => Promise<void>
  onEdit: (appointment: Appointment) => void
}

/**
 * Moves and resizes appointments with the pointer and the keyboard: arrows move by slot, with Shift they resize, with Alt
 * they move to the next provider; Enter edits, Escape discards. The draft is drawn until the move is saved.
 */
export function useAppointmentDrag({ layout, providers, onMove, onEdit }: AppointmentDrag) {
  const { draft, show, save, saveLater, flush, discard } = usePlacementDraft(onMove)
  const pointer = usePointerDrag({ layout, providers, onDrag: show, onDrop: save, onCancel: cancel })

  const findDraft = ({ id }: Appointment) => (draft?.id === id ? draft : null)
  /** Returns where the appointment is drawn. */
  const getPlacement = (appointment: Appointment): Placement => findDraft(appointment) ?? toPlacement(appointment)

  function cancel(): void {
    pointer.stop()
    discard()
  }

  function moveToAdjacentProvider(event: KeyboardEvent, appointment: Appointment, from: Placement): void {
    const direction = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : null
    if (direction === null || providers.length < 2) return
    // Alt with an arrow is the browser's back and forward.
    event.preventDefault()
    if (appointment.status !== 'cancelled')
      saveLater(appointment, { ...from, providerId: getAdjacentProvider(providers, from.providerId, direction) })
  }

  function onKeyDown(event: KeyboardEvent, appointment: Appointment): void {
    if (event.ctrlKey || event.metaKey) return
    const ownDraft = findDraft(appointment)
    const from = getPlacement(appointment)
    if (event.altKey) return moveToAdjacentProvider(event, appointment, from)
    if (event.key === 'Enter') {
      event.preventDefault()
      cancel()
      onEdit(appointment)
    } else if (event.key === 'Escape' && ownDraft) {
      cancel()
    } else {
      const next = appointment.status === 'cancelled' ? null : moveByKey(from, event, layout.slots)
      if (!next) return
      event.preventDefault()
      saveLater(appointment, { ...next, providerId: from.providerId })
    }
  }

  return {
    draft,
    getHandlers: (appointment: Appointment) => ({
      block: {
        onPointerDown: (event: PointerEvent) =>
          pointer.onPointerDown(event, appointment, 'move', getPlacement(appointment)),
        onDragStart: (event: React.DragEvent) => event.preventDefault(),
        onClickCapture: pointer.onClickCapture,
      },
      edge: {
        onPointerDown: (event: PointerEvent) =>
          pointer.onPointerDown(event, appointment, 'resize', getPlacement(appointment)),
      },
      name: {
        onKeyDown: (event: KeyboardEvent) => onKeyDown(event, appointment),
        // Moving the focus on confirms the draft.
        onBlur: () => flush(appointment),
      },
    }),
  }
}
