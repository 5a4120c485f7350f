import { daySlots } from '#contracts/values/visits.ts'
import { minutesOf } from './clock.ts'

/** Something that takes time in a day: minutes after midnight, and minutes. */
export type Span = { start: number; duration: number }

/** What a day looks like: from when until when, and whether the midday break is drawn small. Minutes after midnight. */
export type DayShape = { from: number; until: number; pause: boolean }

/** Height of half an hour, and of the midday break while nobody is there, in px. */
export const rowHeight = 54
export const breakHeight = 34
/** The midday break between the slots of the morning and of the afternoon. */
export const noon = minutesOf('12:00')
export const afternoon = minutesOf('14:00')

const firstSlot = minutesOf(daySlots[0])
const lastEnd = minutesOf(daySlots[daySlots.length - 1] ?? '17:00') + 30

/** The practice's day, made longer by visits before nine and after half past five, whole by visits at noon. */
export function shapeOf(spans: readonly Span[]): DayShape {
  const starts = spans.map(({ start }) => start)
  const ends = spans.map(({ start, duration }) => start + duration)
  return {
    from: Math.max(0, Math.floor(Math.min(firstSlot, ...starts) / 30) * 30),
    until: Math.min(1440, Math.ceil(Math.max(lastEnd, ...ends) / 30) * 30),
    pause: !spans.some(({ start, duration }) => start < afternoon && start + duration > noon),
  }
}

/** How far down a moment of the day is, in px. */
export function yOf({ from, pause }: DayShape, minutes: number): number {
  const before = ((pause ? Math.min(minutes, noon) : minutes) - from) / 30
  if (!pause || minutes <= noon) return before * rowHeight
  if (minutes < afternoon) return before * rowHeight + ((minutes - noon) / (afternoon - noon)) * breakHeight
  return before * rowHeight + breakHeight + ((minutes - afternoon) / 30) * rowHeight
}

/** The moment that is so far down: the other way round. */
export function minutesAt(shape: DayShape, y: number): number {
  const { from, pause } = shape
  const straight = from + (y / rowHeight) * 30
  if (!pause || straight <= noon) return straight
  const below = y - yOf(shape, noon)
  if (below < breakHeight) return noon + (below / breakHeight) * (afternoon - noon)
  return afternoon + ((below - breakHeight) / rowHeight) * 30
}

/** The half hours at which a line is drawn. */
export function linesOf({ from, until, pause }: DayShape): number[] {
  const all = Array.from({ length: Math.floor((until - from) / 30) + 1 }, (_, n) => from + n * 30)
  return all.filter((at) => at < until && !(pause && at >= noon && at < afternoon))
}

/** Whether two things take time at the same moment. */
export const meet = (a: Span, b: Span): boolean => a.start < b.start + b.duration && b.start < a.start + a.duration

/** Where something stands among what goes on at the same time: the how-manieth lane of how many. */
export type Lane = { lane: number; lanes: number }

/** Side by side where things overlap; each gets the first lane that is free, in order of time. */
export function lanesOf<Each extends Span>(spans: readonly Each[]): Map<Each, Lane> {
  const result = new Map<Each, Lane>()
  let cluster: Each[] = []
  let ends: number[] = []
  const close = () => {
    for (const each of cluster) result.set(each, { lane: result.get(each)?.lane ?? 0, lanes: ends.length })
    cluster = []
    ends = []
  }
  for (const each of spans.toSorted((a, b) => a.start - b.start || b.duration - a.duration)) {
    if (ends.every((end) => end <= each.start)) close()
    const free = ends.findIndex((end) => end <= each.start)
    const lane = free === -1 ? ends.length : free
    ends[lane] = each.start + each.duration
    cluster.push(each)
    result.set(each, { lane, lanes: ends.length })
  }
  close()
  return result
}

const shortest = 5
const longest = 480

/** A start that was dragged, on the nearest quarter of an hour of that day. */
export const snappedStart = (minutes: number): number => Math.min(1440 - 15, Math.max(0, Math.round(minutes / 15) * 15))

/** A length that was dragged: whole steps of five minutes, within what a visit can last. */
export const snappedLength = (minutes: number): number =>
  Math.min(longest, Math.max(shortest, Math.round(minutes / 5) * 5))
