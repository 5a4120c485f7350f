import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  breakEnd,
  assignLanes,
  getGridLines,
  overlaps,
  yToMinutes,
  breakStart,
  halfHourHeight,
  computeDayLayout,
  snapDuration,
  snapStart,
  minutesToY,
} from '#web/features/appointments/day/day-layout.ts'
import { parseMinutes } from '#web/features/appointments/local-time.ts'

const span = fc.record({ start: fc.integer({ min: 0, max: 1435 }), duration: fc.integer({ min: 5, max: 480 }) })

describe('the layout of a day', () => {
  it('lasts from nine to half past five, with the midday break collapsed', () => {
    const layout = computeDayLayout([])
    expect(layout).toEqual({ startMinutes: 540, endMinutes: 1050, isBreakCollapsed: true })
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
      fc.property(fc.array(span, { maxLength: 8 }), fc.integer({ min: 0, max: 1440 }), (spans, at) => {
        const layout = computeDayLayout(spans)
        for (const { start, duration } of spans) {
          expect(minutesToY(layout, start)).toBeGreaterThanOrEqual(0)
          expect(minutesToY(layout, Math.min(1440, start + duration))).toBeLessThanOrEqual(
            minutesToY(layout, layout.endMinutes),
          )
        }
        expect(minutesToY(layout, at + 1)).toBeGreaterThan(minutesToY(layout, at))
        expect(yToMinutes(layout, minutesToY(layout, at))).toBeCloseTo(at, 6)
      }),
    )
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
