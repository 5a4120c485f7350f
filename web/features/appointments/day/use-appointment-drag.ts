import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'
import type { Appointment } from '#contracts/appointments.ts'
import { toTimeString } from '../local-time.ts'
import { type DayLayout, yToMinutes, type Span, snapDuration, snapStart, minutesToY } from './day-layout.ts'
import { getAdjacentSlot, toSpan } from '../slots.ts'

/** Where an appointment stands in the day: when, how long, and in whose column. */
export type Placement = Span & { providerId: string }

/** Where an appointment is while it is being moved or lengthened, before that is saved. */
export type DragDraft = Placement & { id: string }

type Drag = { x: number; y: number; span: Span; how: 'move' | 'lengthen' }

/** An appointment where it is. */
export const toPlacement = (appointment: Appointment): Placement => ({
  ...toSpan(appointment),
  providerId: appointment.providerId,
})

/** What is sent for an appointment that was put somewhere else on its day. */
export function toPlacementChange(appointment: Appointment, to: Placement) {
  const was = toPlacement(appointment)
  return {
    ...(to.start === was.start ? {} : { appointmentDate: `${appointment.localDate}T${toTimeString(to.start)}` }),
    ...(to.duration === was.duration ? {} : { duration: to.duration }),
    ...(to.providerId === was.providerId ? {} : { providerId: to.providerId }),
  }
}

/** The provider beside another one; the same at the edge of the day. */
export function getAdjacentProvider(providers: readonly string[], providerId: string, direction: 1 | -1): string {
  const at = providers.indexOf(providerId)
  return (at === -1 ? undefined : providers[at + direction]) ?? providerId
}

/** Whose column is at that place of the window: the nearest one. */
function providerAt(day: Element | null, x: number): string | null {
  const away = (column: Element) => {
    const { left, right } = column.getBoundingClientRect()
    return Math.max(left - x, x - right, 0)
  }
  const [nearest] = [...(day?.querySelectorAll('[data-provider]') ?? [])].toSorted((a, b) => away(a) - away(b))
  return nearest?.getAttribute('data-provider') ?? null
}

const isSamePlacement = (a: Placement, b: Placement) =>
  a.start === b.start && a.duration === b.duration && a.providerId === b.providerId

/** As far as a hand trembles, in px. */
const dragThresholdPx = 4
/** Several presses of a key are one change, in milliseconds. */
const keyboardSaveDelayMs = 700
/** Minutes by which one press lengthens. */
const durationStepMinutes = 15

/** Where a press of a key puts an appointment; null when the key does nothing here. */
export function moveByKey(span: Span, { key, shiftKey }: { key: string; shiftKey: boolean }): Span | null {
  const direction = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : null
  if (direction === null) return null
  if (shiftKey)
    return {
      ...span,
      duration: Math.max(durationStepMinutes, snapDuration(span.duration + direction * durationStepMinutes)),
    }
  const [hours = 0, minutes = 0] = getAdjacentSlot(toTimeString(span.start), direction).split(':').map(Number)
  return { ...span, start: hours * 60 + minutes }
}

/** Where a drag of so many px puts an appointment. */
export function moveByDrag(shape: DayLayout, { span, how }: Pick<Drag, 'span' | 'how'>, dy: number): Span {
  if (how === 'move') return { ...span, start: snapStart(yToMinutes(shape, minutesToY(shape, span.start) + dy)) }
  const end = yToMinutes(shape, minutesToY(shape, span.start + span.duration) + dy)
  return { ...span, duration: Math.max(durationStepMinutes, snapDuration(end - span.start)) }
}

type Placing = {
  shape: DayLayout
  /** The providers who can be given an appointment, in the order of their columns. */
  providers: readonly string[]
  /** Saves it; resolves when the lists show it, or when it was refused. */
  onPlace: (appointment: Appointment, to: Placement) => Promise<void>
  onEdit: (appointment: Appointment) => void
}

/**
 * Moves and lengthens appointments: by pointer, and by keys (arrows by slot, with Shift the length, with Alt to the next provider,
 * Enter edits, Escape takes back). What is drawn meanwhile is the draft; a finger scrolls the day instead and uses Edit.
 */
export function useAppointmentDrag({ shape, providers, onPlace, onEdit }: Placing) {
  const [draft, setDraft] = useState<DragDraft | null>(null)
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

  async function save(appointment: Appointment, to: Placement): Promise<void> {
    clearTimeout(timer.current)
    timer.current = undefined
    const had = document.activeElement?.getAttribute('data-appointment') === appointment.id
    if (Object.keys(toPlacementChange(appointment, to)).length > 0) await onPlace(appointment, to)
    setDraft((now) => (now?.id === appointment.id && isSamePlacement(now, to) ? null : now))
    // In another column it is another element: the focus goes with the appointment.
    if (had && to.providerId !== appointment.providerId)
      setTimeout(() => {
        if (document.activeElement !== null && document.activeElement !== document.body) return
        document.querySelector<HTMLElement>(`[data-appointment="${appointment.id}"]`)?.focus()
      })
  }

  function keep(appointment: Appointment, next: Placement): void {
    setDraft({ id: appointment.id, ...next })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => void save(appointment, next), keyboardSaveDelayMs)
  }

  function onKeyDown(event: KeyboardEvent, appointment: Appointment): void {
    if (event.ctrlKey || event.metaKey) return
    const own = draft?.id === appointment.id ? draft : null
    const now: Placement = own ?? toPlacement(appointment)
    if (event.altKey) {
      const direction = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : null
      if (direction === null || providers.length < 2) return
      // Elsewhere this key leads back to the last page.
      event.preventDefault()
      if (appointment.status !== 'cancelled')
        keep(appointment, { ...now, providerId: getAdjacentProvider(providers, now.providerId, direction) })
      return
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      drop()
      onEdit(appointment)
    } else if (event.key === 'Escape' && own) {
      drop()
    } else {
      const next = appointment.status === 'cancelled' ? null : moveByKey(now, event)
      if (!next) return
      event.preventDefault()
      keep(appointment, { ...next, providerId: now.providerId })
    }
  }

  function onPointerDown(event: PointerEvent, appointment: Appointment, how: Drag['how']): void {
    if (event.button !== 0 || event.pointerType === 'touch' || appointment.status === 'cancelled') return
    event.stopPropagation()
    const held: Drag = { x: event.clientX, y: event.clientY, span: toSpan(appointment), how }
    const day = event.currentTarget.closest('[data-day]')
    const to = ({ clientX, clientY }: { clientX: number; clientY: number }): Placement => {
      const over = how === 'move' ? providerAt(day, clientX) : null
      const providerId = over !== null && providers.includes(over) ? over : appointment.providerId
      return { ...moveByDrag(shape, held, clientY - held.y), providerId }
    }
    const over = new AbortController()
    release.current = () => over.abort()
    let begun = false
    const own = (listen: (next: globalThis.PointerEvent) => void) => (next: globalThis.PointerEvent) =>
      next.pointerId === event.pointerId && listen(next)
    const options = { signal: over.signal }
    // On the window: a quick hand is over other appointments, or beside the day, before the first move is told.
    addEventListener(
      'pointermove',
      own((next) => {
        begun ||= Math.hypot(next.clientX - held.x, next.clientY - held.y) >= dragThresholdPx
        if (begun) setDraft({ id: appointment.id, ...to(next) })
      }),
      options,
    )
    addEventListener(
      'pointerup',
      own((next) => {
        over.abort()
        if (!begun) return
        // The click that ends a drag opens nothing.
        swallow.current = true
        setTimeout(() => (swallow.current = false))
        void save(appointment, to(next))
      }),
      options,
    )
    addEventListener('pointercancel', own(drop), options)
  }

  return {
    draft,
    handlersOf: (appointment: Appointment) => ({
      block: {
        onPointerDown: (event: PointerEvent) => onPointerDown(event, appointment, 'move'),
        onDragStart: (event: React.DragEvent) => event.preventDefault(),
        onClickCapture: (event: React.MouseEvent) => swallow.current && event.stopPropagation(),
      },
      edge: { onPointerDown: (event: PointerEvent) => onPointerDown(event, appointment, 'lengthen') },
      name: {
        onKeyDown: (event: KeyboardEvent) => onKeyDown(event, appointment),
        onBlur: () => {
          // Who goes on has decided.
          if (timer.current && draft?.id === appointment.id) void save(appointment, draft)
        },
      },
    }),
  }
}
