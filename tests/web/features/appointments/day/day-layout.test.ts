import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  assignLanes,
  getGridLines,
  getLabelledLines,
  overlaps,
  yToMinutes,
  halfHourHeight,
  computeDayLayout,
  snapDuration,
  snapStart,
  minutesToY,
} from '#web/features/appointments/day/day-layout.ts'
import { daySlots } from '#contracts/values/appointments.ts'
import { parseMinutes } from '#web/features/appointments/local-time.ts'

const [breakStart, breakEnd] = [parseMinutes('12:00'), parseMinutes('14:00')]
const span = fc.record({ start: fc.integer({ min: 0, max: 1435 }), duration: fc.integer({ min: 5, max: 480 }) })

const pause = (from: string, until: string) => ({ from, until })
const hours = { opens: '07:15', closes: '12:00', breaks: [pause('08:00', '08:30'), pause('09:15', '10:30')] }
const allDay = { opens: '00:00', closes: '24:00', breaks: [] }
const days = [
  undefined,
  { hours, isClosed: false, slots: ['07:15'] },
  { hours: allDay, isClosed: false, slots: [] },
  { hours: null, isClosed: true, slots: [] },
]

describe('the layout of a day', () => {
  it('lasts from nine to half past five, with the midday break collapsed', () => {
    const layout = computeDayLayout([])
    const times = { startMinutes: 540, endMinutes: 1050, breakStart, breakEnd }
    expect(layout).toEqual({ ...times, isBreakCollapsed: true, closed: [], slots: daySlots })
    expect(minutesToY(layout, 540)).toBe(0)
    expect(minutesToY(layout, 570)).toBe(halfHourHeight)
    expect(minutesToY(layout, breakStart)).toBe(6 * halfHourHeight)
    expect(getGridLines(layout)).toHaveLength(13)
  })

  it('is longer with early and late appointments, and expands the break for an appointment at noon', () => {
    expect(computeDayLayout([{ start: parseMinutes('07:45'), duration: 30 }]).startMinutes).toBe(parseMinutes('07:30'))
    expect(computeDayLayout([{ start: parseMinutes('18:00'), duration: 45 }]).endMinutes).toBe(parseMinutes('19:00'))
    expect(computeDayLayout([{ start: parseMinutes('11:45'), duration: 30 }]).isBreakCollapsed).toBe(false)
    expect(computeDayLayout([{ start: parseMinutes('11:30'), duration: 30 }]).isBreakCollapsed).toBe(true)
    expect(computeDayLayout([{ start: breakEnd, duration: 30 }]).isBreakCollapsed).toBe(true)
  })

  it('contains every appointment, in order of time, and converts a position back to its time', () => {
    fc.assert(
      fc.property(
        fc.array(span, { maxLength: 8 }),
        fc.integer({ min: 0, max: 1440 }),
        fc.constantFrom(...days),
        (spans, at, day) => {
          const layout = computeDayLayout(spans, day)
          for (const { start, duration } of spans) {
            expect(minutesToY(layout, start)).toBeGreaterThanOrEqual(0)
            expect(minutesToY(layout, Math.min(1440, start + duration))).toBeLessThanOrEqual(
              minutesToY(layout, layout.endMinutes),
            )
          }
          expect(minutesToY(layout, at + 1)).toBeGreaterThan(minutesToY(layout, at))
          expect(yToMinutes(layout, minutesToY(layout, at))).toBeCloseTo(at, 6)
        },
      ),
    )
  })

  it('lasts as long as the working hours, with the longest break collapsed and the rest drawn as closed', () => {
    const layout = computeDayLayout([], days[1])
    const times = { startMinutes: 420, endMinutes: 720, breakStart: 555, breakEnd: 630, isBreakCollapsed: true }
    const closed = [
      { start: 420, duration: 15, isBreak: false },
      { start: 480, duration: 30, isBreak: true },
    ]
    expect(layout).toEqual({ ...times, closed, slots: ['07:15'] })
    const late = [{ start: parseMinutes('10:00'), duration: 180 }]
    expect(computeDayLayout(late, days[1])).toMatchObject({
      endMinutes: 780,
      isBreakCollapsed: false,
      closed: [...closed, { start: 555, duration: 75, isBreak: true }, { start: 720, duration: 60, isBreak: false }],
    })
  })

  it('is closed on a holiday, and has no break when none is long', () => {
    expect(computeDayLayout([], days[3]).closed).toEqual([{ start: 540, duration: 510, isBreak: false }])
    const weekend = { hours: null, isClosed: true, slots: daySlots }
    expect(computeDayLayout([], weekend).closed).toEqual([])
    expect(computeDayLayout([], days[2])).toMatchObject({ isBreakCollapsed: false, endMinutes: 1440, closed: [] })
  })

  it('labels no line whose label the current time would cover', () => {
    const layout = computeDayLayout([])
    const lines = getGridLines(layout)
    expect(getLabelledLines(layout, null)).toEqual(lines)
    expect(getLabelledLines(layout, parseMinutes('10:17'))).toEqual(lines)
    expect(getLabelledLines(layout, parseMinutes('10:05'))).toEqual(lines.filter((line) => line !== 600))
    expect(getLabelledLines(layout, parseMinutes('09:58'))).toEqual(lines.filter((line) => line !== 600))
    expect(getLabelledLines(layout, parseMinutes('13:55'))).toEqual(lines.filter((line) => line !== breakEnd))
  })

  it('puts overlapping spans side by side', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), (spans) => {
        const lanes = assignLanes(spans)
        for (const a of spans) {
          const lane = lanes.get(a)
          expect(lane && lane.index < lane.count).toBe(true)
          for (const b of spans)
            if (a !== b && overlaps(a, b)) {
              expect(lanes.get(b)?.index).not.toBe(lane?.index)
              expect(lanes.get(b)?.count).toBe(lane?.count)
            }
          if (!spans.some((b) => a !== b && overlaps(a, b))) expect(lane).toEqual({ index: 0, count: 1 })
        }
      }),
    )
  })

  it('rounds what is dragged', () => {
    expect(snapStart(608)).toBe(615)
    expect(snapStart(-20)).toBe(0)
    expect(snapStart(2000)).toBe(1425)
    expect(snapDuration(33)).toBe(35)
    expect(snapDuration(-5)).toBe(5)
    expect(snapDuration(900)).toBe(480)
  })
})
