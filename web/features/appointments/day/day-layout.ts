import { daySlots } from '#contracts/values/appointments.ts'
import type { DayHours } from '#contracts/values/working-hours.ts'
import { parseMinutes } from '../local-time.ts'
import type { WorkingDay } from '../working-day.ts'

/** A part of a day: start in minutes after midnight, duration in minutes. */
export type Span = { start: number; duration: number }

/** The hours of a day on screen, in minutes after midnight. */
export type DayLayout = {
  startMinutes: number
  endMinutes: number
  /** The longest break, from one hour on, and whether it is drawn small. Without one, both are 0. */
  breakStart: number
  breakEnd: number
  isBreakCollapsed: boolean
  /** Times without work that are drawn at full height. */
  closed: readonly ClosedSpan[]
  /** The start times that are offered, HH:mm, to which the arrow keys move. */
  slots: readonly string[]
}

/** A time without work. */
export type ClosedSpan = Span & { isBreak: boolean }

/** Height of half an hour and of the collapsed midday break, in px. */
export const halfHourHeight = 54
export const breakHeight = 34
/** Height of the label of a line, in px. */
export const labelHeight = 16

/** The hours that are drawn until a practice sets its own: those of the slots of the specification. */
const defaultHours: DayHours = { opens: '09:00', closes: '17:30', breaks: [{ from: '12:00', until: '14:00' }] }

/** The shortest break that is drawn small, in minutes. */
const minCollapsedMinutes = 60

/** The working time that a layout needs. */
type DrawnDay = Pick<WorkingDay, 'hours' | 'isClosed' | 'slots'>
const defaultDay: DrawnDay = { hours: null, isClosed: false, slots: daySlots }

/** Computes the layout of a day: longer when appointments lie outside the hours, with the break when one lies in it. */
export function computeDayLayout(spans: readonly Span[], day: DrawnDay = defaultDay): DayLayout {
  const { opens, closes, breaks } = day.hours ?? defaultHours
  const [open, close] = [parseMinutes(opens), parseMinutes(closes)]
  const pauses = breaks.map(({ from, until }) => toClosedSpan(parseMinutes(from), parseMinutes(until), true))
  const longest = pauses
    .filter(({ duration }) => duration >= minCollapsedMinutes)
    .toSorted((a, b) => b.duration - a.duration)[0]
  const startMinutes = Math.max(0, Math.floor(Math.min(open, ...spans.map(({ start }) => start)) / 30) * 30)
  const ends = spans.map(({ start, duration }) => start + duration)
  const endMinutes = Math.min(1440, Math.ceil(Math.max(close, ...ends) / 30) * 30)
  const isBreakCollapsed = longest !== undefined && !spans.some((span) => overlaps(span, longest))
  const atFullHeight = [
    toClosedSpan(startMinutes, open, false),
    ...pauses.filter((pause) => !(isBreakCollapsed && pause === longest)),
    toClosedSpan(close, endMinutes, false),
  ].filter(({ duration }) => duration > 0)
  return {
    startMinutes,
    endMinutes,
    breakStart: longest?.start ?? 0,
    breakEnd: longest ? longest.start + longest.duration : 0,
    isBreakCollapsed,
    closed: findClosed(day, atFullHeight, toClosedSpan(startMinutes, endMinutes, false)),
    slots: day.slots,
  }
}

const toClosedSpan = (from: number, until: number, isBreak: boolean): ClosedSpan => ({
  start: from,
  duration: until - from,
  isBreak,
})

/** Returns what is drawn as closed: the whole day, or the times outside the hours that the practice has set. */
function findClosed({ hours, isClosed, slots }: DrawnDay, outside: ClosedSpan[], whole: ClosedSpan): ClosedSpan[] {
  // The weekend of a practice that has set no hours has slots.
  if (isClosed && slots.length === 0) return [whole]
  return hours === null ? [] : outside
}

/** Converts minutes after midnight to a vertical position in px. */
export function minutesToY(layout: DayLayout, minutes: number): number {
  const { startMinutes: from, breakStart, breakEnd, isBreakCollapsed } = layout
  const before = ((isBreakCollapsed ? Math.min(minutes, breakStart) : minutes) - from) / 30
  if (!isBreakCollapsed || minutes <= breakStart) return before * halfHourHeight
  if (minutes < breakEnd)
    return before * halfHourHeight + ((minutes - breakStart) / (breakEnd - breakStart)) * breakHeight
  return before * halfHourHeight + breakHeight + ((minutes - breakEnd) / 30) * halfHourHeight
}

/** Converts a vertical position in px to minutes after midnight. */
export function yToMinutes(layout: DayLayout, y: number): number {
  const { startMinutes: from, breakStart, breakEnd, isBreakCollapsed } = layout
  const linear = from + (y / halfHourHeight) * 30
  if (!isBreakCollapsed || linear <= breakStart) return linear
  const below = y - minutesToY(layout, breakStart)
  if (below < breakHeight) return breakStart + (below / breakHeight) * (breakEnd - breakStart)
  return breakEnd + ((below - breakHeight) / halfHourHeight) * 30
}

/** Returns the half hours at which a line is drawn. */
export function getGridLines(layout: DayLayout): number[] {
  const { startMinutes: from, endMinutes: until, breakStart, breakEnd, isBreakCollapsed } = layout
  const all = Array.from({ length: Math.floor((until - from) / 30) + 1 }, (_, n) => from + n * 30)
  return all.filter((at) => at < until && !(isBreakCollapsed && at >= breakStart && at < breakEnd))
}

/** Returns the lines whose label has room beside that of the current time. */
export const getLabelledLines = (layout: DayLayout, nowMinutes: number | null): number[] =>
  getGridLines(layout).filter(
    (line) => nowMinutes === null || Math.abs(minutesToY(layout, line) - minutesToY(layout, nowMinutes)) >= labelHeight,
  )

/** Returns whether two spans overlap. */
export const overlaps = (a: Span, b: Span): boolean => a.start < b.start + b.duration && b.start < a.start + a.duration

/** Position of a span among those that overlap it: the lane's index and the number of lanes. */
export type Lane = { index: number; count: number }

/** Assigns lanes to overlapping spans: each gets the first free lane, in order of time. */
export function assignLanes<Each extends Span>(spans: readonly Each[]): Map<Each, Lane> {
  const result = new Map<Each, Lane>()
  let cluster: Each[] = []
  let ends: number[] = []
  const close = () => {
    for (const span of cluster) result.set(span, { index: result.get(span)?.index ?? 0, count: ends.length })
    cluster = []
    ends = []
  }
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.duration - a.duration)) {
    if (ends.every((end) => end <= span.start)) close()
    const free = ends.findIndex((end) => end <= span.start)
    const lane = free === -1 ? ends.length : free
    ends[lane] = span.start + span.duration
    cluster.push(span)
    result.set(span, { index: lane, count: ends.length })
  }
  close()
  return result
}

const minDurationMinutes = 5
const maxDurationMinutes = 480

/** Rounds a dragged start to the nearest quarter of an hour within the day. */
export const snapStart = (minutes: number): number => Math.min(1440 - 15, Math.max(0, Math.round(minutes / 15) * 15))

/** Rounds a dragged duration to steps of five minutes within the limits of an appointment. */
export const snapDuration = (minutes: number): number =>
  Math.min(maxDurationMinutes, Math.max(minDurationMinutes, Math.round(minutes / 5) * 5))
