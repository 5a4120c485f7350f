import { toLocalDate, toLocalTime } from '#contracts/values/calendar.ts'
import type { IntegrationStatus } from '#contracts/integrations.ts'
import type { SystemService, Uptime } from '#contracts/system-status.ts'
import type { Measurement, MeasuredSystemStatus } from '../api.ts'
import { formatOpenLabel } from '../figures/figures.ts'
import type { Service, SystemMetric, SystemState } from '../dashboard-model.ts'
import { formatDate, formatTime } from '#web/ui/dates.ts'
import { formatNumber, notEnoughData } from '#web/ui/format.ts'

/** The names of the services, the first four as in the specification (page 1, section 2). */
const serviceNames: Record<SystemService, string> = {
  database: 'Database',
  ai: 'AI services',
  payments: 'Payment processing',
  email: 'Email services',
  jobs: 'Background work',
}

const statuses: Record<IntegrationStatus, Service['status']> = {
  connected: 'connected',
  operational: 'operational',
  rate_limited: 'rate-limited',
  error: 'error',
  unknown: 'unknown',
  stand_in: 'stand-in',
  not_configured: 'not-configured',
}

/** Builds the system status of a practice: only what is measured. `zone` is the practice's time zone. */
export const toSystemState = ({ services, uptime, measured }: MeasuredSystemStatus, zone: string): SystemState => ({
  services: services.map(({ name, status }) => ({ name: serviceNames[name], status: statuses[status] })),
  metrics: [describeUptime(uptime, zone), describeResponseTime(measured, zone)],
})

function describeUptime(uptime: Uptime | null, zone: string): SystemMetric {
  if (!uptime) return { label: 'Uptime', value: notEnoughData }
  const { since, isWholePeriod, percent, downMinutes, outages } = uptime
  const value = `${percent}%`
  const lost = downMinutes === 0 ? 'There was no outage.' : `Everchart was down for ${formatMinutes(downMinutes)}.`
  return {
    label: isWholePeriod ? 'Uptime, last 30 days' : `Uptime since ${formatDate(toLocalDate(new Date(since), zone))}`,
    value,
    drillDown: {
      label: outages.length === 0 ? 'How it is measured' : formatOpenLabel(outages.length, 'outage', 'outages'),
      explained: {
        title: 'Uptime',
        value,
        description: `Measured every minute since ${formatMoment(since, zone)}. While Everchart is stopped, it is down. ${lost}`,
        records: outages.map(({ from, minutes }) => ({ when: formatMoment(from, zone), what: formatMinutes(minutes) })),
        emptyState: { title: 'No outages', hint: 'Everchart has worked in every minute since then' },
      },
    },
  }
}

function describeResponseTime(measured: readonly Measurement[], zone: string): SystemMetric {
  const [newest] = measured
  const value = newest ? `${newest.durationMs}ms` : notEnoughData
  return {
    label: 'Response time',
    value,
    drillDown: {
      label: formatOpenLabel(measured.length, 'measurement', 'measurements'),
      explained: {
        title: 'Response time',
        value,
        description:
          'Time that the server last took to respond to this browser, measured whenever this screen loads the system status.',
        records: measured.map(({ at, durationMs }) => ({
          when: formatTime(toLocalTime(new Date(at), zone)),
          what: `${durationMs}ms`,
        })),
        emptyState: { title: notEnoughData, hint: 'No requests have been measured on this screen yet' },
      },
    },
  }
}

/** Formats an instant in the practice's time zone: "Nov 20, 2026, 1:15 PM". */
function formatMoment(instant: string, zone: string): string {
  const at = new Date(instant)
  return `${formatDate(toLocalDate(at, zone))}, ${formatTime(toLocalTime(at, zone))}`
}

const formatMinutes = (minutes: number) => `${formatNumber(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}`
