import { describe, expect, it } from 'vitest'
import type { DashboardStats } from '#contracts/dashboard.ts'
import {
  createDemoFigures,
  formatChange,
  formatMoney,
  createPracticeFigures,
} from '#web/features/dashboard/figures/figures.ts'

const usd = (cents: number) => ({ cents, currency: 'USD' as const })
const stats: DashboardStats = {
  today: '2026-11-20',
  todaysAppointments: 9,
  totalPatients: 1_300,
  aiInsights: 2,
  revenue: 1_234.5,
  revenueCents: 1_234_50,
  compared: { yesterdaysAppointments: 8, newPatientsThisWeek: 3, lastMonthsRevenue: usd(2_000_00) },
  histories: { appointments: [1, 2, 3, 4, 5, 8, 9], patients: [1, 1, 1, 1, 1, 1, 1], revenue: [0, 0, 0, 0, 0, 0, 1] },
}

const insight = { priority: 'high' as const, title: 'Two are not confirmed' }

describe('a change', () => {
  it.each([
    [12, 10, '+20% from yesterday', 'up'],
    [7, 10, '-30% from yesterday', 'down'],
    [10, 10, '0% from yesterday', 'none'],
    [1_000, 1_001, '0% from yesterday', 'none'],
    [0, 4, '-100% from yesterday', 'down'],
    [5, 0, 'Not enough data yet', 'none'],
    [0, 0, 'Not enough data yet', 'none'],
  ])('from %i after %i is formatted in percent where possible', (current, previous, trend, direction) => {
    expect(formatChange(current, previous, 'from yesterday')).toEqual({ trend, direction })
  })
})

it('formats money with separators, and cents only where they are not zero', () => {
  expect([formatMoney(4_892_000), formatMoney(1_234_50), formatMoney(5), formatMoney(0)]).toEqual([
    '$48,920',
    '$1,234.50',
    '$0.05',
    '$0',
  ])
})

it('shows demo users their own counts with the fixed trends of the spec, without drill-downs', () => {
  const figures = createDemoFigures(stats)
  expect(figures.map(({ value }) => value)).toEqual(['9', '1,300', '89', '$1,234.50'])
  expect(figures.map(({ trend }) => trend)).toEqual([
    '+12% from yesterday',
    '+8 new this week',
    '+23% this month',
    '+15% vs last month',
  ])
  expect(figures.every(({ drillDown }) => drillDown === undefined)).toBe(true)
})

it('shows subscribers computed figures, each with a drill-down', () => {
  const figures = createPracticeFigures(stats, { data: [insight], error: null })
  expect(figures.map(({ label, value, trend }) => [label, value, trend])).toEqual([
    ["Today's Appointments", '9', '+13% from yesterday'],
    ['Total Patients', '1,300', '+3 new this week'],
    ['AI Insights', '2', 'Not enough data yet'],
    ['Revenue', '$1,234.50', '-38% vs last month'],
  ])
  expect(figures[0]?.drillDown).toMatchObject({
    label: 'Open the 9 appointments',
    appointments: { total: '9 appointments', from: '2026-11-20', to: '2026-11-20', by: 'start', counted: 'kept' },
  })
  expect(figures[2]?.drillDown).toMatchObject({
    label: 'Open the AI insights',
    explained: { value: '2', records: [{ when: 'High priority', what: 'Two are not confirmed' }] },
  })
  const withoutAccess = createPracticeFigures(stats, null)[2]
  expect(withoutAccess?.drillDown).toMatchObject({
    explained: { records: [], emptyState: { title: 'Only counted here' } },
  })
  const withoutInsights = createPracticeFigures({ ...stats, aiInsights: 0 }, { data: [], error: null })[2]
  expect(withoutInsights?.drillDown).toMatchObject({ explained: { emptyState: { title: 'No AI insights available' } } })
  expect(figures.every(({ drillDown }) => drillDown !== undefined)).toBe(true)
  expect(figures[3]?.drillDown).toMatchObject({
    appointments: { total: '$1,234.50', from: '2026-11-01', to: '2026-11-20', by: 'completion', counted: 'completed' },
  })
})

it.each([
  ['are not allowed', null, 'Only counted here', /role and the plan/],
  [
    'could not be loaded',
    { data: undefined, error: new Error('503') },
    'AI insights temporarily unavailable',
    /^Service is currently experiencing high demand\. Please try again later\.$/,
  ],
  ['are loading', { data: undefined, error: null }, 'Loading the AI insights', /appear here/],
  ['are none any more', { data: [], error: null }, 'No AI insights available', /^AI insights will appear/],
])('explains a count of AI insights that %s', (_, insights, title, hint) => {
  expect(createPracticeFigures(stats, insights)[2]?.drillDown).toMatchObject({
    explained: { value: '2', records: [], emptyState: { title, hint: expect.stringMatching(hint) } },
  })
})

it('shows another true figure instead of the revenue to users who may not see it', () => {
  const withheld: DashboardStats = {
    ...stats,
    revenue: null,
    revenueCents: null,
    compared: { ...stats.compared, lastMonthsRevenue: null },
    histories: { ...stats.histories, revenue: null },
  }
  expect(createPracticeFigures(withheld, null).map(({ label, value }) => [label, value])).toEqual([
    ["Today's Appointments", '9'],
    ['Total Patients', '1,300'],
    ['AI Insights', '2'],
    ['New Patients', '3'],
  ])
  expect(createDemoFigures(withheld).map(({ key }) => key)).toEqual([
    'todaysAppointments',
    'totalPatients',
    'aiInsights',
  ])
})
