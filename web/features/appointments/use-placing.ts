import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { timeOf } from './clock.ts'
import { type DayShape, minutesAt, type Span, snappedLength, snappedStart, yOf } from './day-geometry.ts'
import { slotBeside, spanOf } from './slots.ts'

/** Where a visit is while it is being moved or lengthened, before that is saved. */
export type Draft = Span & { id: string }

type Drag = { id: string; pointer: number; y: number; span: Span; how: 'move' | 'lengthen'; begun: boolean }

/** As far as a hand trembles, in px. */
const threshold = 4
/** Several presses of a key are one change, in milliseconds. */
const restful = 700
/** Minutes by which one press lengthens. */
const lengthStep = 15

/** Where a press of a key puts a visit; null when the key does nothing here. */
export function keyed(span: Span, { key, shiftKey }: { key: string; shiftKey: boolean }): Span | null {
  const direction = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : null
  if (direction === null) return null
  if (shiftKey)
    return { ...span, duration: Math.max(lengthStep, snappedLength(span.duration + direction * lengthStep)) }
  const [hours = 0, minutes = 0] = slotBeside(timeOf(span.start), direction).split(':').map(Number)
  return { ...span, start: hours * 60 + minutes }
}

/** Where a drag of so many px puts a visit. */
export function dragged(shape: DayShape, { span, how }: Pick<Drag, 'span' | 'how'>, dy: number): Span {
  if (how === 'move') return { ...span, start: snappedStart(minutesAt(shape, yOf(shape, span.start) + dy)) }
  const end = minutesAt(shape, yOf(shape, span.start + span.duration) + dy)
  return { ...span, duration: Math.max(lengthStep, snappedLength(end - span.start)) }
}

type Placing = {
  shape: DayShape
  /** Saves it; resolves when the lists show it, or when it was refused. */
  onPlace: (visit: Appointment, span: Span) => Promise<void>
  onEdit: (visit: Appointment) => void
}

/**
 * Moves and lengthens visits: by pointer, and by keys (arrows by slot, with Shift the length, Enter edits, Escape takes
 * back). What is drawn meanwhile is the draft; a finger scrolls the day instead and uses Edit.
 */
export function usePlacing({ shape, onPlace, onEdit }: Placing) {
  const [draft, setDraft] = useState<Draft | null>(null)
  const drag = useRef<Drag | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const swallow = useRef(false)
  useEffect(() => () => clearTimeout(timer.current), [])

  function drop(): void {
    clearTimeout(timer.current)
    timer.current = undefined
    drag.current = null
    setDraft(null)
  }

  async function save(visit: Appointment, span: Span): Promise<void> {
    clearTimeout(timer.current)
    timer.current = undefined
    const was = spanOf(visit)
    if (span.start !== was.start || span.duration !== was.duration) await onPlace(visit, span)
    setDraft((now) => (now?.id === visit.id && now.start === span.start && now.duration === span.duration ? null : now))
  }

  function onKeyDown(event: KeyboardEvent, visit: Appointment): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const own = draft?.id === visit.id ? draft : null
    if (event.key === 'Enter') {
      event.preventDefault()
      drop()
      onEdit(visit)
    } else if (event.key === 'Escape' && own) {
      drop()
    } else {
      const next = visit.status === 'cancelled' ? null : keyed(own ?? spanOf(visit), event)
      if (!next) return
      event.preventDefault()
      setDraft({ id: visit.id, ...next })
      clearTimeout(timer.current)
      timer.current = setTimeout(() => void save(visit, next), restful)
    }
  }

  function onPointerDown(event: PointerEvent, visit: Appointment, how: Drag['how']): void {
    if (event.button !== 0 || event.pointerType === 'touch' || visit.status === 'cancelled') return
    event.stopPropagation()
    drag.current = { id: visit.id, pointer: event.pointerId, y: event.clientY, span: spanOf(visit), how, begun: false }
  }

  function onPointerMove(event: PointerEvent): void {
    const held = drag.current
    if (!held || held.pointer !== event.pointerId) return
    const dy = event.clientY - held.y
    if (!held.begun && Math.abs(dy) < threshold) return
    if (!held.begun) event.currentTarget.setPointerCapture(event.pointerId)
    held.begun = true
    setDraft({ id: held.id, ...dragged(shape, held, dy) })
  }

  function onPointerUp(event: PointerEvent, visit: Appointment): void {
    const held = drag.current
    drag.current = null
    if (!held?.begun || held.id !== visit.id) return
    // The click that ends a drag opens nothing.
    swallow.current = true
    setTimeout(() => (swallow.current = false))
    void save(visit, dragged(shape, held, event.clientY - held.y))
  }

  return {
    draft,
    handlersOf: (visit: Appointment) => ({
      block: {
        onPointerDown: (event: PointerEvent) => onPointerDown(event, visit, 'move'),
        onPointerMove,
        onPointerUp: (event: PointerEvent) => onPointerUp(event, visit),
        onPointerCancel: drop,
        onClickCapture: (event: React.MouseEvent) => swallow.current && event.stopPropagation(),
      },
      edge: { onPointerDown: (event: PointerEvent) => onPointerDown(event, visit, 'lengthen') },
      name: {
        onKeyDown: (event: KeyboardEvent) => onKeyDown(event, visit),
        onBlur: () => {
          // Who goes on has decided.
          if (timer.current && draft?.id === visit.id) void save(visit, draft)
        },
      },
    }),
  }
}
