import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Analytics, formatAnalyticsCsv } from '#contracts/analytics.ts'
import {
  computeScore,
  FigureKey,
  figureDefinitions,
  findPointDays,
  type PeriodCounts,
  scoredFigures,
} from '#contracts/values/analytics.ts'
import { addDays, toLocalDate } from '#contracts/values/calendar.ts'
import { defaultWeek, findDayOff, findHoliday, getDayHours, listPeriods } from '#contracts/values/working-hours.ts'
import { createPeriod } from '#modules/analytics/period.ts'
import { sumWorkingMinutes } from '#modules/analytics/working-minutes.ts'

const date = fc.integer({ min: 0, max: 20_000 }).map((day) => addDays('1990-01-01', day))
const days = fc.tuple(date, fc.integer({ min: 0, max: 800 })).map(([from, more]) => ({ from, to: addDays(from, more) }))
const zone = fc.constantFrom('UTC', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Apia')

const nothing: PeriodCounts = {
  scheduled: 0,
  due: 0,
  kept: 0,
  cancelled: 0,
  noShows: 0,
  bookedMinutes: 0,
  workingMinutes: 0,
  revenueCents: 0,
  paid: 0,
  newPatients: 0,
  patientsAtStart: 0,
  formsAssigned: 0,
  formsSubmitted: 0,
  verificationsRequested: 0,
  verificationsDecided: 0,
  answers: 0,
  scores: 0,
}

describe('a period', () => {
  it('is followed without a gap by its parts, and preceded by one of the same length, in any time zone', () => {
    fc.assert(
      fc.property(days, zone, ({ from, to }, inZone) => {
        const period = createPeriod({ from, to }, inZone)
        const first = period.parts[0]
        const last = period.parts.at(-1)
        expect([first?.from, last?.to]).toEqual([from, to])
        expect([first?.span.from, last?.span.until]).toEqual([period.span.from, period.span.until])
        expect(period.spanBefore.until).toBe(period.span.from)
        for (const [index, part] of period.parts.entries()) {
          const next = period.parts[index + 1]
          if (!next) continue
          expect(next.from).toBe(addDays(part.to, 1))
          expect(next.span.from).toBe(part.span.until)
          expect(next.spanBefore.from).toBe(part.spanBefore.until)
        }
        expect(period.parts.length).toBeLessThanOrEqual(31)
        expect(period.before.to).toBe(addDays(from, -1))
        expect(addDays(period.before.from, period.days)).toBe(from)
      }),
    )
  })

  it('contains exactly the instants of its local dates', () => {
    fc.assert(
      fc.property(days, zone, fc.integer({ min: -90_000_000, max: 90_000_000 }), ({ from, to }, inZone, near) => {
        const { span } = createPeriod({ from, to }, inZone)
        const at = new Date(Date.parse(span.from) + near).toISOString()
        const local = toLocalDate(at, inZone)
        expect(at >= span.from && at < span.until).toBe(local >= from && local <= to)
      }),
    )
  })

  it('has parts of a day, a week, a month or a quarter', () => {
    expect([1, 31, 32, 217, 218, 930, 931, 2_821].map(findPointDays)).toEqual([1, 1, 7, 7, 30, 30, 91, 91])
    expect(findPointDays(3_660)).toBe(119)
  })
})

const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

describe('working minutes', () => {
  const providers = [
    { id: 'a', since: '2026-01-01' },
    { id: 'b', since: '2026-03-18' },
  ]

  it('are those of each day of a period, added up', () => {
    const near = fc.integer({ min: -70, max: 70 }).map((day) => addDays('2026-03-01', day))
    const span = fc
      .tuple(near, fc.integer({ min: 0, max: 40 }))
      .map(([from, more]) => ({ from, until: addDays(from, more) }))
    const closure = fc
      .tuple(span, fc.constantFrom(null, 'a', 'b'))
      .map(([days, providerId]) => ({ ...days, providerId, name: null }))
    fc.assert(
      fc.property(span, fc.array(closure, { maxLength: 6 }), fc.boolean(), ({ from, until }, closures, isShort) => {
        const week = isShort
          ? { ...defaultWeek, friday: { opens: '08:00', closes: '12:30', breaks: [{ from: '10:00', until: '10:15' }] } }
          : null
        let sum = 0
        for (let day = from; day <= until; day = addDays(day, 1)) {
          const hours = getDayHours(week, day)
          if (!hours || findHoliday({ closures }, day)) continue
          const minutes = listPeriods(hours).map((each) => toMinutes(each.until) - toMinutes(each.from))
          const working = providers.filter(({ id, since }) => since <= day && !findDayOff({ closures }, id, day))
          sum += minutes.reduce((all, each) => all + each, 0) * working.length
        }
        expect(sumWorkingMinutes({ week, closures, providers }, from, until)).toBe(sum)
      }),
    )
  })

  it('leave out closed days, days off, and the time before a provider began', () => {
    const closures = [
      { providerId: null, name: 'Holiday', from: '2026-03-17', until: '2026-03-17' },
      { providerId: 'a', name: null, from: '2026-03-19', until: '2026-03-20' },
    ]
    const time = { week: defaultWeek, closures, providers }
    const perDay = 6.5 * 60
    const minutes = ['16', '17', '18', '19', '21'].map((day) =>
      sumWorkingMinutes(time, `2026-03-${day}`, `2026-03-${day}`),
    )
    expect(minutes).toEqual([perDay, 0, 2 * perDay, perDay, 0])
    expect(getDayHours(defaultWeek, '2026-03-16')).not.toBeNull()
  })
})

describe('figures', () => {
  const counts = fc.record(
    Object.fromEntries(Object.keys(nothing).map((name) => [name, fc.nat({ max: 5_000_000 })])),
  ) as fc.Arbitrary<PeriodCounts>

  it('are null without anything to divide by, and finite with one decimal otherwise', () => {
    expect(FigureKey.options.filter((key) => figureDefinitions[key].compute(nothing, nothing) !== null)).toEqual([])
    fc.assert(
      fc.property(counts, counts, fc.constantFrom(...FigureKey.options), (now, before, key) => {
        const value = figureDefinitions[key].compute(now, before)
        if (value === null) return
        expect(Number.isFinite(value)).toBe(true)
        expect(Math.round(value * 10) / 10).toBe(value)
      }),
    )
  })

  it('are what their formulas say', () => {
    const now: PeriodCounts = {
      scheduled: 12,
      due: 8,
      kept: 6,
      cancelled: 2,
      noShows: 1,
      bookedMinutes: 300,
      workingMinutes: 900,
      revenueCents: 345_00,
      paid: 6,
      newPatients: 3,
      patientsAtStart: 40,
      formsAssigned: 7,
      formsSubmitted: 3,
      verificationsRequested: 4,
      verificationsDecided: 1,
      answers: 3,
      scores: 13,
    }
    const before = { ...nothing, revenueCents: 300_00 }
    expect(
      Object.fromEntries(
        FigureKey.options.map((key) => {
          const { compute, count } = figureDefinitions[key]
          return [key, [compute(now, before), count(now)]]
        }),
      ),
    ).toEqual({
      'patient-growth': [7.5, 3],
      'appointment-rate': [75, 8],
      'revenue-growth': [15, 6],
      satisfaction: [86.7, 3],
      utilization: [33.3, 10],
      'insurance-processing': [25, 4],
      'form-completion': [42.9, 7],
      'no-show-rate': [12.5, 8],
    })
  })

  it('have an overall score: the mean of those with data, none above 100', () => {
    const count = 1
    const score = (...values: (number | null)[]) =>
      computeScore(scoredFigures.map((key, index) => ({ key, value: values[index] ?? null, count })))
    expect(score(96, 92, 87, 94)).toBe(92.3)
    expect(score(null, 250, 50)).toBe(75)
    expect(score(null, 0)).toBe(0)
    expect(score()).toBeNull()
    // Nothing was booked, asked or assigned: all hours are free, and patients may have come.
    const unused = { key: 'utilization', value: 0, count: 0 } as const
    expect(computeScore([{ key: 'patient-growth', value: 5, count: 1 }, unused])).toBeNull()
  })

  it('are exported with every cell as text', () => {
    const period = { from: '2026-11-01', to: '2026-11-30', days: 30 }
    const figure = {
      key: 'utilization',
      label: '=1+1',
      unit: 'percent',
      value: 12.5,
      previous: null,
      count: 3,
    } as const
    const analytics: Analytics = {
      period,
      before: period,
      figures: [{ ...figure, formula: 'One, "two"' }],
      score: null,
      revenueCents: null,
      revenueBeforeCents: null,
      points: [],
    }
    expect(formatAnalyticsCsv(analytics)).toBe(
      `\u{FEFF}figure,value,previous,records,from,to,formula\r\n'=1+1,12.5,,3,2026-11-01,2026-11-30,"One, ""two"""\r\n`,
    )
  })
})
