import { type PointerEvent, useEffect, useRef } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import type { DayLayout } from './day-layout.ts'
import { type DragKind, moveByDrag, type Placement } from './placement.ts'

/** Pointer movement that is not yet a drag, in px. */
const dragThresholdPx = 4

/** Returns the provider of the column nearest to a horizontal position in the window. */
function findNearestProvider(day: Element | null, x: number): string | null {
  const getDistance = (column: Element) => {
    const { left, right } = column.getBoundingClientRect()
    return Math.max(left - x, x - right, 0)
  }
  const columns = [...(day?.querySelectorAll('[data-provider]') ?? [])]
  const [nearest] = columns.toSorted((a, b) => getDistance(a) - getDistance(b))
  return nearest?.getAttribute('data-provider') ?? null
}

type PointerDrag = {
  layout: DayLayout
  /** Providers who can be given an appointment. */
  providers: readonly string[]
  onDrag: (appointment: Appointment, to: Placement) => void
  onDrop: (appointment: Appointment, to: Placement) => void
  onCancel: () => void
}

/** Moves and resizes appointments with a mouse or pen; a finger scrolls the day instead. */
export function usePointerDrag({ layout, providers, onDrag, onDrop, onCancel }: PointerDrag) {
  const listeners = useRef<AbortController>(undefined)
  const isClickSuppressed = useRef(false)
  useEffect(() => () => listeners.current?.abort(), [])

  /** Begins a drag. `from` is where the appointment is drawn, which may not be saved yet. */
  function onPointerDown(event: PointerEvent, appointment: Appointment, kind: DragKind, from: Placement): void {
    if (event.button !== 0 || event.pointerType === 'touch' || appointment.status === 'cancelled') return
    event.stopPropagation()
    const { clientX, clientY, pointerId } = event
    const day = event.currentTarget.closest('[data-day]')
    const getPlacement = (at: globalThis.PointerEvent): Placement => {
      const over = kind === 'move' ? findNearestProvider(day, at.clientX) : null
      const providerId = over !== null && providers.includes(over) ? over : from.providerId
      return { ...moveByDrag(layout, { span: from, kind }, at.clientY - clientY), providerId }
    }
    const controller = new AbortController()
    listeners.current = controller
    let isDragging = false
    // On the window: a fast pointer leaves the appointment before the first move event.
    const listen = (type: 'pointermove' | 'pointerup' | 'pointercancel', run: (at: globalThis.PointerEvent) => void) =>
      addEventListener(type, (at) => at.pointerId === pointerId && run(at), { signal: controller.signal })
    listen('pointermove', (at) => {
      isDragging ||= Math.hypot(at.clientX - clientX, at.clientY - clientY) >= dragThresholdPx
      if (isDragging) onDrag(appointment, getPlacement(at))
    })
    listen('pointerup', (at) => {
      controller.abort()
      if (!isDragging) return
      // The click that ends a drag must not open the appointment.
      isClickSuppressed.current = true
      setTimeout(() => (isClickSuppressed.current = false))
      onDrop(appointment, getPlacement(at))
    })
    listen('pointercancel', onCancel)
  }

  return {
    onPointerDown,
    onClickCapture: (event: React.MouseEvent) => isClickSuppressed.current && event.stopPropagation(),
    stop: () => listeners.current?.abort(),
  }
}
