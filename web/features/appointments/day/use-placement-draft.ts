import { useEffect, useRef, useState } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { isSamePlacement, type Placement } from './placement.ts'

/** The placement of an appointment that is being moved or resized, before it is saved. */
export type PlacementDraft = Placement & { id: string }

/** Time without a key press after which a placement is saved, in milliseconds: several presses are one change. */
const keyboardSaveDelayMs = 700

/** Keeps the draft of one appointment and saves it, at once or after a pause. */
export function usePlacementDraft(onMove: (appointment: Appointment, to: Placement) => Promise<void>) {
  const [draft, setDraft] = useState<PlacementDraft | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  function clearTimer(): void {
    clearTimeout(timer.current)
    timer.current = undefined
  }

  async function save(appointment: Appointment, to: Placement): Promise<void> {
    clearTimer()
    const hadFocus = document.activeElement?.getAttribute('data-appointment') === appointment.id
    await onMove(appointment, to)
    setDraft((current) => (current?.id === appointment.id && isSamePlacement(current, to) ? null : current))
    // In another column the appointment is a new element, which gets the focus.
    if (hadFocus && to.providerId !== appointment.providerId) setTimeout(() => focusAppointment(appointment.id))
  }

  return {
    draft,
    show: (appointment: Appointment, to: Placement) => setDraft({ id: appointment.id, ...to }),
    save: (appointment: Appointment, to: Placement) => void save(appointment, to),
    saveLater: (appointment: Appointment, to: Placement) => {
      setDraft({ id: appointment.id, ...to })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void save(appointment, to), keyboardSaveDelayMs)
    },
    /** Saves a pending draft of this appointment without waiting for the pause. */
    flush: (appointment: Appointment) => {
      if (timer.current && draft?.id === appointment.id) void save(appointment, draft)
    },
    discard: () => {
      clearTimer()
      setDraft(null)
    },
  }
}

/** Focuses an appointment, unless the user has moved the focus elsewhere. */
function focusAppointment(id: string): void {
  if (document.activeElement !== null && document.activeElement !== document.body) return
  document.querySelector<HTMLElement>(`[data-appointment="${id}"]`)?.focus()
}
