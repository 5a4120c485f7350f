import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { timeOf } from './clock.ts'
import { type DayShape, minutesAt, type Span, snappedLength, snappedStart, yOf } from './day-geometry.ts'
import { slotBeside, spanOf } from './slots.ts'

/** Where a visit is while it is being moved or lengthened, before that is saved. */
export type Draft = Span & { id: string }

type Drag = { y: number; span: Span; how: 'move' | 'lengthen' }

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
  const release = useRef<() => void>(undefined)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const swallow = useRef(false)
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      release.current?.()
    },
    [],
  )

  function drop(): void {
    clearTimeout(timer.current)
    timer.current = undefined
    release.current?.()
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
    const held: Drag = { y: event.clientY, span: spanOf(visit), how }
    const over = new AbortController()
    release.current = () => over.abort()
    let begun = false
    const own = (listen: (next: globalThis.PointerEvent) => void) => (next: globalThis.PointerEvent) =>
      next.pointerId === event.pointerId && listen(next)
    const options = { signal: over.signal }
    // On the window: a quick hand is over other visits, or beside the day, before the first move is told.
    addEventListener(
      'pointermove',
      own(({ clientY }) => {
        begun ||= Math.abs(clientY - held.y) >= threshold
        if (begun) setDraft({ id: visit.id, ...dragged(shape, held, clientY - held.y) })
      }),
      options,
    )
    addEventListener(
      'pointerup',
      own(({ clientY }) => {
        over.abort()
        if (!begun) return
        // The click that ends a drag opens nothing.
        swallow.current = true
        setTimeout(() => (swallow.current = false))
        void save(visit, dragged(shape, held, clientY - held.y))
      }),
      options,
    )
    addEventListener('pointercancel', own(drop), options)
  }

  return {
    draft,
    handlersOf: (visit: Appointment) => ({
      block: {
        onPointerDown: (event: PointerEvent) => onPointerDown(event, visit, 'move'),
        onDragStart: (event: React.DragEvent) => event.preventDefault(),
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
