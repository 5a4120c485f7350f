import type { Appointment } from '#contracts/appointments.ts'
import { parseMinutes, toTimeString } from '../local-time.ts'
import { getAdjacentSlot, toSpan } from '../slots.ts'
import { type DayLayout, minutesToY, snapDuration, snapStart, type Span, yToMinutes } from './day-layout.ts'

/** Position of an appointment in the day: start, duration, and the provider whose column it is in. */
export type Placement = Span & { providerId: string }

/** `resize` changes the duration. */
export type DragKind = 'move' | 'resize'

/** Minutes by which one key press changes the duration; also the shortest duration. */
const durationStepMinutes = 15

/** Returns the current placement of an appointment. */
export const toPlacement = (appointment: Appointment): Placement => ({
  ...toSpan(appointment),
  providerId: appointment.providerId,
})

/** Returns the fields to send for an appointment that was placed elsewhere on its day. */
export function toPlacementChange(appointment: Appointment, to: Placement) {
  const from = toPlacement(appointment)
  return {
    ...(to.start === from.start ? {} : { appointmentDate: `${appointment.localDate}T${toTimeString(to.start)}` }),
    ...(to.duration === from.duration ? {} : { duration: to.duration }),
    ...(to.providerId === from.providerId ? {} : { providerId: to.providerId }),
  }
}

export const isSamePlacement = (a: Placement, b: Placement): boolean =>
  a.start === b.start && a.duration === b.duration && a.providerId === b.providerId

/** Returns the provider in the next or previous column; the same one at the edge of the day. */
export function getAdjacentProvider(providers: readonly string[], providerId: string, direction: 1 | -1): string {
  const index = providers.indexOf(providerId)
  return (index === -1 ? undefined : providers[index + direction]) ?? providerId
}

/** Returns the span after a key press; null when the key has no meaning here. */
export function moveByKey(
  span: Span,
  { key, shiftKey }: { key: string; shiftKey: boolean },
  slots?: readonly string[],
): Span | null {
  const direction = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : null
  if (direction === null) return null
  if (shiftKey) {
    const duration = snapDuration(span.duration + direction * durationStepMinutes)
    return { ...span, duration: Math.max(durationStepMinutes, duration) }
  }
  return { ...span, start: parseMinutes(getAdjacentSlot(toTimeString(span.start), direction, slots)) }
}

/** Returns the span after a drag by a vertical distance in px. */
export function moveByDrag(layout: DayLayout, { span, kind }: { span: Span; kind: DragKind }, dy: number): Span {
  if (kind === 'move') return { ...span, start: snapStart(yToMinutes(layout, minutesToY(layout, span.start) + dy)) }
  const end = yToMinutes(layout, minutesToY(layout, span.start + span.duration) + dy)
  return { ...span, duration: Math.max(durationStepMinutes, snapDuration(end - span.start)) }
}
