import { daySlots } from '#contracts/values/appointments.ts'
import { parseMinutes } from '../local-time.ts'

/** Something that takes time in a day: minutes after midnight, and minutes. */
export type Span = { start: number; duration: number }

/** What a day looks like: from when until when, and whether the midday break is drawn small. Minutes after midnight. */
export type DayLayout = { startMinutes: number; endMinutes: number; isBreakCollapsed: boolean }

/** Height of half an hour, and of the midday break while nobody is there, in px. */
export const halfHourHeight = 54
export const breakHeight = 34
/** The midday break between the slots of the morning and of the afternoon. */
export const breakStart = parseMinutes('12:00')
export const breakEnd = parseMinutes('14:00')

const firstSlot = parseMinutes(daySlots[0])
const lastEnd = parseMinutes(daySlots[daySlots.length - 1] ?? '17:00') + 30

/** The practice's day, made longer by appointments before nine and after half past five, whole by appointments at noon. */
export function computeDayLayout(spans: readonly Span[]): DayLayout {
  const starts = spans.map(({ start }) => start)
  const ends = spans.map(({ start, duration }) => start + duration)
  return {
    startMinutes: Math.max(0, Math.floor(Math.min(firstSlot, ...starts) / 30) * 30),
    endMinutes: Math.min(1440, Math.ceil(Math.max(lastEnd, ...ends) / 30) * 30),
    isBreakCollapsed: !spans.some(({ start, duration }) => start < breakEnd && start + duration > breakStart),
  }
}

/** How far down a moment of the day is, in px. */
export function minutesToY({ startMinutes: from, isBreakCollapsed: pause }: DayLayout, minutes: number): number {
  const before = ((pause ? Math.min(minutes, breakStart) : minutes) - from) / 30
  if (!pause || minutes <= breakStart) return before * halfHourHeight
  if (minutes < breakEnd)
    return before * halfHourHeight + ((minutes - breakStart) / (breakEnd - breakStart)) * breakHeight
  return before * halfHourHeight + breakHeight + ((minutes - breakEnd) / 30) * halfHourHeight
}

/** The moment that is so far down: the other way round. */
export function yToMinutes(shape: DayLayout, y: number): number {
  const { startMinutes: from, isBreakCollapsed: pause } = shape
  const straight = from + (y / halfHourHeight) * 30
  if (!pause || straight <= breakStart) return straight
  const below = y - minutesToY(shape, breakStart)
  if (below < breakHeight) return breakStart + (below / breakHeight) * (breakEnd - breakStart)
  return breakEnd + ((below - breakHeight) / halfHourHeight) * 30
}

/** The half hours at which a line is drawn. */
export function getGridLines({ startMinutes: from, endMinutes: until, isBreakCollapsed: pause }: DayLayout): number[] {
  const all = Array.from({ length: Math.floor((until - from) / 30) + 1 }, (_, n) => from + n * 30)
  return all.filter((at) => at < until && !(pause && at >= breakStart && at < breakEnd))
}

/** Whether two things take time at the same moment. */
export const overlaps = (a: Span, b: Span): boolean => a.start < b.start + b.duration && b.start < a.start + a.duration

/** Where something stands among what goes on at the same time: the how-manieth lane of how many. */
export type Lane = { index: number; count: number }

/** Side by side where things overlap; each gets the first lane that is free, in order of time. */
export function assignLanes<Each extends Span>(spans: readonly Each[]): Map<Each, Lane> {
  const result = new Map<Each, Lane>()
  let cluster: Each[] = []
  let ends: number[] = []
  const close = () => {
    for (const each of cluster) result.set(each, { index: result.get(each)?.index ?? 0, count: ends.length })
    cluster = []
    ends = []
  }
  for (const each of spans.toSorted((a, b) => a.start - b.start || b.duration - a.duration)) {
    if (ends.every((end) => end <= each.start)) close()
    const free = ends.findIndex((end) => end <= each.start)
    const lane = free === -1 ? ends.length : free
    ends[lane] = each.start + each.duration
    cluster.push(each)
    result.set(each, { index: lane, count: ends.length })
  }
  close()
  return result
}

const minDurationMinutes = 5
const maxDurationMinutes = 480

/** A start that was dragged, on the nearest quarter of an hour of that day. */
export const snapStart = (minutes: number): number => Math.min(1440 - 15, Math.max(0, Math.round(minutes / 15) * 15))

/** A length that was dragged: whole steps of five minutes, within what an appointment can last. */
export const snapDuration = (minutes: number): number =>
  Math.min(maxDurationMinutes, Math.max(minDurationMinutes, Math.round(minutes / 5) * 5))
