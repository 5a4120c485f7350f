import { toLocalDate, toLocalTime } from '#contracts/values/calendar.ts'
import { describe, expect, it } from 'vitest'
import { createSampleDashboard, createSampleDay } from '#web/features/dashboard/demo/sample-dashboard.ts'
import { toSystemState } from '#web/features/dashboard/panels/system-state.ts'
import { formatLongDate, getDisplayStatus, formatDateRange } from '#web/features/dashboard/format.ts'
import { formatTimeAgo } from '#web/ui/dates.ts'

describe('the formats of the dashboard', () => {
  it.each([
    [0, 'just now'],
    [60, '1 minute ago'],
    [14 * 60 + 59, '14 minutes ago'],
    [3_600, '1 hour ago'],
    [2 * 86_400, '2 days ago'],
    [-30, 'just now'],
  ])('show %i seconds ago as "%s"', (seconds, text) => {
    const now = new Date('2026-11-20T10:00:00Z')
    expect(formatTimeAgo(new Date(now.getTime() - seconds * 1_000).toISOString(), now)).toBe(text)
  })

  it('show days, weeks, and the local time of other time zones', () => {
    expect(formatLongDate('2026-11-05')).toBe('November 5, 2026')
    expect(formatDateRange('2026-11-20', '2026-11-20')).toBe('Fri, Nov 20')
    expect(formatDateRange('2026-11-14', '2026-11-20')).toBe('Nov 14 to Nov 20')
    const moment = new Date('2026-11-20T18:15:00Z')
    expect([toLocalDate(moment, 'Asia/Kathmandu'), toLocalTime(moment, 'Asia/Kathmandu')]).toEqual([
      '2026-11-21',
      '00:00',
    ])
    expect([toLocalDate(moment, 'America/New_York'), toLocalTime(moment, 'America/New_York')]).toEqual([
      '2026-11-20',
      '13:15',
    ])
  })

  it('show an open emergency as urgent', () => {
    expect(getDisplayStatus('emergency', 'waiting')).toBe('urgent')
    expect(getDisplayStatus('emergency', 'scheduled')).toBe('urgent')
    expect(getDisplayStatus('emergency', 'completed')).toBe('completed')
    expect(getDisplayStatus('emergency', 'no-show')).toBe('no-show')
    expect(getDisplayStatus('check-up', 'waiting')).toBe('waiting')
  })
})

const measured = [
  { at: '2026-11-20T18:16:00.000Z', durationMs: 12 },
  { at: '2026-11-20T18:15:00.000Z', durationMs: 1_040 },
]

it('shows the services as they are, and what is measured of the system', () => {
  const services = [
    { name: 'database', status: 'operational' },
    { name: 'ai', status: 'not_configured' },
    { name: 'payments', status: 'stand_in' },
    { name: 'email', status: 'rate_limited' },
    { name: 'jobs', status: 'error' },
  ] as const
  const uptime = {
    since: '2026-10-21T18:16:00.000Z',
    isWholePeriod: true,
    percent: 99.96,
    downMinutes: 15,
    outages: [
      { from: '2026-11-20T18:00:00.000Z', minutes: 14 },
      { from: '2026-11-01T09:30:00.000Z', minutes: 1 },
    ],
  }
  const state = toSystemState({ services: [...services], uptime, measured }, 'Asia/Kathmandu')
  expect(state).toMatchObject({
    services: [
      { name: 'Database', status: 'operational' },
      { name: 'AI services', status: 'not-configured' },
      { name: 'Payment processing', status: 'stand-in' },
      { name: 'Email services', status: 'rate-limited' },
      { name: 'Background work', status: 'error' },
    ],
    metrics: [
      {
        label: 'Uptime, last 30 days',
        value: '99.96%',
        drillDown: {
          label: 'Open the 2 outages',
          explained: {
            records: [
              { when: 'Nov 20, 2026, 11:45 PM', what: '14 minutes' },
              { when: 'Nov 1, 2026, 3:15 PM', what: '1 minute' },
            ],
          },
        },
      },
      {
        label: 'Response time',
        value: '12ms',
        drillDown: {
          label: 'Open the 2 measurements',
          explained: {
            value: '12ms',
            records: [
              { when: '12:01 AM', what: '12ms' },
              { when: '12:00 AM', what: '1040ms' },
            ],
          },
        },
      },
    ],
  })
  expect(state.metrics[0]?.drillDown?.explained.description).toContain('Everchart was down for 15 minutes.')
})

it('says since when the uptime is measured, and invents none', () => {
  const since = '2026-11-20T02:30:00.000Z'
  const uptime = { since, isWholePeriod: false, percent: 100, downMinutes: 0, outages: [] }
  const describe = (known: typeof uptime | null) =>
    toSystemState({ services: [], uptime: known, measured }, 'America/New_York').metrics[0]
  expect(describe(uptime)).toMatchObject({
    label: 'Uptime since Nov 19, 2026',
    value: '100%',
    drillDown: { label: 'How it is measured', explained: { records: [], emptyState: { title: 'No outages' } } },
  })
  expect(describe(null)).toEqual({ label: 'Uptime', value: 'Not enough data yet' })
})

it('creates a complete sample practice for any time of day', () => {
  for (const time of ['00:00', '10:42', '23:59']) {
    const { appointments, patients, forms } = createSampleDashboard(
      new Date('2026-11-20T15:42:00Z'),
      '2026-11-20',
      time,
    )
    expect([appointments.data?.length, patients.data?.length, forms.data?.length]).toEqual([12, 5, 5])
    expect([...(appointments.data ?? []), ...(patients.data ?? [])].every(({ name }) => /^\w+ \w+/.test(name))).toBe(
      true,
    )
  }
  expect(createSampleDay('2026-11-20', '10:42')).toEqual(createSampleDay('2026-11-20', '10:42'))
})
