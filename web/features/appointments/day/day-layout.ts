import { daySlots } from '#contracts/values/appointments.ts'
import { parseMinutes } from '../local-time.ts'

/** A part of a day: start in minutes after midnight, duration in minutes. */
export type Span = { start: number; duration: number }

/** The hours of a day on screen, in minutes after midnight, and whether the midday break is drawn small. */
export type DayLayout = { startMinutes: number; endMinutes: number; isBreakCollapsed: boolean }

/** Height of half an hour and of the collapsed midday break, in px. */
export const halfHourHeight = 54
export const breakHeight = 34
/** The midday break between the morning and afternoon slots, in minutes after midnight. */
export const breakStart = parseMinutes('12:00')
export const breakEnd = parseMinutes('14:00')

const firstSlot = parseMinutes(daySlots[0])
const lastEnd = parseMinutes(daySlots[daySlots.length - 1] ?? '17:00') + 30

/** Computes the layout of a day: longer when appointments lie outside the slots, with the break when one lies in it. */
export function computeDayLayout(spans: readonly Span[]): DayLayout {
  const starts = spans.map(({ start }) => start)
  const ends = spans.map(({ start, duration }) => start + duration)
  return {
    startMinutes: Math.max(0, Math.floor(Math.min(firstSlot, ...starts) / 30) * 30),
    endMinutes: Math.min(1440, Math.ceil(Math.max(lastEnd, ...ends) / 30) * 30),
    isBreakCollapsed: !spans.some(({ start, duration }) => start < breakEnd && start + duration > breakStart),
  }
}

/** Converts minutes after midnight to a vertical position in px. */
export function minutesToY({ startMinutes: from, isBreakCollapsed }: DayLayout, minutes: number): number {
  const before = ((isBreakCollapsed ? Math.min(minutes, breakStart) : minutes) - from) / 30
  if (!isBreakCollapsed || minutes <= breakStart) return before * halfHourHeight
  if (minutes < breakEnd)
    return before * halfHourHeight + ((minutes - breakStart) / (breakEnd - breakStart)) * breakHeight
  return before * halfHourHeight + breakHeight + ((minutes - breakEnd) / 30) * halfHourHeight
}

/** Converts a vertical position in px to minutes after midnight. */
export function yToMinutes(layout: DayLayout, y: number): number {
  const { startMinutes: from, isBreakCollapsed } = layout
  const linear = from + (y / halfHourHeight) * 30
  if (!isBreakCollapsed || linear <= breakStart) return linear
  const below = y - minutesToY(layout, breakStart)
  if (below < breakHeight) return breakStart + (below / breakHeight) * (breakEnd - breakStart)
  return breakEnd + ((below - breakHeight) / halfHourHeight) * 30
}

/** Returns the half hours at which a line is drawn. */
export function getGridLines({ startMinutes: from, endMinutes: until, isBreakCollapsed }: DayLayout): number[] {
  const all = Array.from({ length: Math.floor((until - from) / 30) + 1 }, (_, n) => from + n * 30)
  return all.filter((at) => at < until && !(isBreakCollapsed && at >= breakStart && at < breakEnd))
}

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
