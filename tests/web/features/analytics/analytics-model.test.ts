import { describe, expect, it } from 'vitest'
import type { Analytics, AnalyticsFigure } from '#contracts/analytics.ts'
import { figureDefinitions, FigureKey } from '#contracts/values/analytics.ts'
import {
  formatFigure,
  formatOpenLabel,
  formatShortDollars,
  toAnalyticsModel,
  toBusyHours,
  toSharePanels,
} from '#web/features/analytics/analytics-model.ts'
import { describePoints, findDays, formatDays } from '#web/features/analytics/analytics-period.ts'
import { parseAnalyticsSearch } from '#web/features/analytics/analytics-search.ts'

const figure = (key: FigureKey, over: Partial<AnalyticsFigure> = {}): AnalyticsFigure => {
  const { label, unit, formula } = figureDefinitions[key]
  return { key, label, unit, formula, value: null, previous: null, count: 0, ...over }
}

const point = { from: '2026-11-01', to: '2026-11-07', scheduled: 4, completed: 3, cancelled: 1 }
const analytics: Analytics = {
  period: { from: '2026-11-01', to: '2026-11-07', days: 7 },
  before: { from: '2026-10-25', to: '2026-10-31' },
  figures: [
    figure('patient-growth', { value: 2.5, count: 1_200 }),
    figure('appointment-rate', { value: 75, previous: 80.5, count: 4 }),
    figure('revenue-growth', { value: -10, count: 1 }),
    figure('satisfaction'),
    figure('utilization', { value: 120, previous: 90, count: 3 }),
    figure('form-completion', { value: 50, count: 2 }),
  ],
  score: 75,
  revenueCents: 90_00,
  revenueBeforeCents: 100_00,
  points: [{ ...point, revenueCents: 90_00, revenueBeforeCents: 100_00 }],
}

describe('the figures on the screen', () => {
  it('say how they changed, and what is behind them', () => {
    const { cards, score, performance, missing } = toAnalyticsModel(analytics)
    expect(cards.map(({ value, note, direction, openLabel }) => [value, note, direction, openLabel])).toEqual([
      ['+2.5%', '1,200 new', 'up', 'Open the 1,200 patients'],
      ['75%', '-5.5 points vs the period before', 'down', 'Open the 4 appointments'],
      ['-10%', '$10 less than before', 'down', 'Open the appointment'],
      [null, null, 'none', null],
    ])
    expect(score).toEqual({ value: '75.0', label: 'Good', tone: 'success' })
    expect(performance.map(({ part, shown }) => [part, shown])).toEqual([
      [100, '120%'],
      [50, '50%'],
    ])
    expect(missing).toEqual(['Patient Satisfaction'])
  })

  it('have no revenue for users who may not see money', () => {
    const points = [{ ...point, revenueCents: null, revenueBeforeCents: null }]
    const figures = analytics.figures.filter(({ key }) => key !== 'revenue-growth')
    const model = toAnalyticsModel({ ...analytics, figures, points, revenueCents: null, revenueBeforeCents: null })
    expect(model.revenue).toBeNull()
    expect(model.cards.map(({ key }) => key)).toEqual(['patient-growth', 'appointment-rate', 'satisfaction'])
  })

  it('are formatted by their unit', () => {
    expect(formatFigure(96, 'score')).toBe('4.8/5')
    expect(formatFigure(0, 'change')).toBe('0%')
    expect(formatFigure(null, 'percent')).toBeNull()
    expect(formatOpenLabel('form-completion', 0)).toBeNull()
    expect([0, 850, 1_250, 16_300, 2_500_000].map(formatShortDollars)).toEqual([
      '$0',
      '$850',
      '$1.3k',
      '$16.3k',
      '$2.5M',
    ])
  })

  it('are divided into shares, ages in their order', () => {
    const share = (key: string, count: number, label: string | null = null) => ({ key, count, label })
    const panels = toSharePanels({
      types: [share('check-up', 2), share('procedure', 1), share('unknown', 1)],
      providers: [share('7', 4)],
      revenue: null,
      ages: [share('unknown', 1), share('under-18', 1)],
      noShows: [share('7', 2), share('1', 1)],
      analyses: [],
      leadTimes: [share('30-over', 1), share('same-day', 2)],
      genders: [share('female', 3), share('unknown', 1)],
      returning: [share('returning', 3), share('new', 1)],
      insurers: [share('none', 1), share('Summit Mutual', 1)],
      busyHours: [],
    })
    const read = (title: string) =>
      panels.find((panel) => panel.title === title)?.shares.map(({ label, shown }) => [label, shown])
    expect(panels.map(({ title }) => title)).not.toContain('Revenue sources')
    expect(read('Appointment types')).toEqual([
      ['Check-up', '50%'],
      ['Procedure', '25%'],
      ['Of erased patients', '25%'],
    ])
    expect(read('Demographics')).toEqual([
      ['Under 18', '50%'],
      ['No date of birth', '50%'],
    ])
    expect(read('No-shows by weekday')).toEqual([
      ['Monday', '1'],
      ['Sunday', '2'],
    ])
    expect(read('No-shows by lead time')).toEqual([
      ['Booked the same day', '2'],
      ['30 days ahead or more', '1'],
    ])
    expect(read('New and returning')).toEqual([
      ['Returning patients', '75%'],
      ['New patients', '25%'],
    ])
    expect(read('Insurers')).toEqual([
      ['No insurance on file', '50%'],
      ['Summit Mutual', '50%'],
    ])
    expect(read('Providers')).toEqual([['Removed provider', '100%']])
    expect(read('AI performance')).toEqual([])
  })
})

describe('the busy hours', () => {
  it('are a table of the week, from the first hour to the last', () => {
    const busy = toBusyHours({
      busyHours: [
        { weekday: 1, hour: 9, count: 4 },
        { weekday: 6, hour: 12, count: 1 },
      ],
    })
    expect(busy?.hours.map(({ label }) => label)).toEqual(['9 AM', '10 AM', '11 AM', '12 PM'])
    expect(busy?.days.map(({ label }) => label)).toEqual([
      'Monday',
      'Tuesday',
      'Wednesday',
      'Thursday',
      'Friday',
      'Saturday',
    ])
    expect(busy?.days[0]?.cells[0]).toEqual({ hour: 9, count: 4, share: 1 })
    expect(busy?.days[5]?.cells.map(({ count, share }) => [count, share])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 0.25],
    ])
    expect(toBusyHours({ busyHours: [] })).toBeNull()
  })
})

describe('the periods', () => {
  it('end today, and begin after the same day some months ago', () => {
    expect(findDays('7days', '2026-03-02')).toEqual({ from: '2026-02-24', to: '2026-03-02' })
    expect(findDays('3months', '2026-11-20')).toEqual({ from: '2026-08-21', to: '2026-11-20' })
    expect(findDays('3months', '2026-05-31')).toEqual({ from: '2026-03-01', to: '2026-05-31' })
    expect(findDays('today', '2026-05-31')).toEqual({ from: '2026-05-31', to: '2026-05-31' })
    expect(findDays('month', '2026-05-31')).toEqual({ from: '2026-05-01', to: '2026-05-31' })
    expect(findDays('quarter', '2026-05-31')).toEqual({ from: '2026-04-01', to: '2026-05-31' })
    expect(findDays('quarter', '2026-12-01')).toEqual({ from: '2026-10-01', to: '2026-12-01' })
    expect(findDays('year', '2026-05-31')).toEqual({ from: '2026-01-01', to: '2026-05-31' })
    expect(findDays('12months', '2028-02-29')).toEqual({ from: '2027-03-01', to: '2028-02-29' })
  })

  it('are written with the years that differ', () => {
    expect(formatDays({ from: '2026-08-21', to: '2026-11-20' })).toBe('August 21 to November 20, 2026')
    expect(formatDays({ from: '2025-12-31', to: '2026-01-01' })).toBe('December 31, 2025 to January 1, 2026')
    expect(formatDays({ from: '2026-01-01', to: '2026-01-01' })).toBe('January 1, 2026')
    expect(describePoints([{ from: '2026-01-01', to: '2026-01-07' }])).toBe('per week')
    expect(describePoints([])).toBe('per day')
  })

  it('come from the address, which may hold anything', () => {
    const provider = '018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0003'
    expect(parseAnalyticsSearch({ period: '7days', provider, records: 'utilization', other: 1 })).toEqual({
      period: '7days',
      provider,
      records: 'utilization',
    })
    const custom = { period: 'custom', from: '2026-01-01', to: '2026-01-31' }
    expect(parseAnalyticsSearch(custom)).toEqual(custom)
    expect(parseAnalyticsSearch({ ...custom, to: '2025-01-31' })).toEqual({})
    expect(parseAnalyticsSearch({ period: 'toString', provider: 7, records: {}, type: 'surgery' })).toEqual({})
  })
})
