import { toLocalDate, toLocalTime } from '#contracts/values/calendar.ts'
import { describe, expect, it } from 'vitest'
import { createSampleDashboard, createSampleDay } from '#web/features/dashboard/demo/sample-dashboard.ts'
import { toSystemState } from '#web/features/dashboard/panels/system-state.ts'
import { formatTimeAgo, formatLongDate, getDisplayStatus, formatDateRange } from '#web/features/dashboard/format.ts'

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

it('derives the services from the status for users who see nothing else', () => {
  const statuses = (status: 'ok' | 'degraded' | 'down' | 'starting') =>
    toSystemState({ status, measured: [] }, 'America/New_York').services.map((service) => service.status)
  expect(statuses('ok')).toEqual(['operational', 'operational'])
  expect(statuses('degraded')).toEqual(['operational', 'unknown'])
  expect(statuses('starting')).toEqual(['unknown', 'unknown'])
  expect(statuses('down')).toEqual(['error', 'unknown'])
})

it('shows only what is measured of the system', () => {
  const services = { database: 'ok', eventStore: 'down', jobs: 'starting' } as const
  const measured = [
    { at: '2026-11-20T18:16:00.000Z', durationMs: 12 },
    { at: '2026-11-20T18:15:00.000Z', durationMs: 1_040 },
  ]
  expect(toSystemState({ status: 'down', services, measured }, 'Asia/Kathmandu')).toMatchObject({
    services: [
      { name: 'Database', status: 'error' },
      { name: 'Background work', status: 'unknown' },
    ],
    uptime: null,
    responseTime: '12ms',
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
  })
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
