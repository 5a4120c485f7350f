import { toLocalTime } from '#contracts/values/calendar.ts'
import type { Health } from '#contracts/health.ts'
import type { Measurement } from '../api.ts'
import { notEnoughData, formatOpenLabel } from '../figures/figures.ts'
import type { Service, SystemState } from '../dashboard-model.ts'
import { formatTime } from '#web/ui/dates.ts'

const statusByHealth: Record<'ok' | 'starting' | 'down', Service['status']> = {
  ok: 'operational',
  starting: 'unknown',
  down: 'error',
}

const worstStatus = (...statuses: readonly Service['status'][]): Service['status'] =>
  statuses.find((status) => status === 'error') ?? statuses.find((status) => status === 'unknown') ?? 'operational'

/** Statuses of the services as far as the overall status reveals them; only administrators receive more. */
const statusesByOverallHealth: Record<Health['status'], { database: Service['status']; jobs: Service['status'] }> = {
  ok: { database: 'operational', jobs: 'operational' },
  degraded: { database: 'operational', jobs: 'unknown' },
  starting: { database: 'unknown', jobs: 'unknown' },
  down: { database: 'error', jobs: 'unknown' },
}

const findStatuses = ({ status, services }: Pick<Health, 'status' | 'services'>) =>
  services
    ? {
        database: worstStatus(statusByHealth[services.database], statusByHealth[services.eventStore]),
        jobs: statusByHealth[services.jobs],
      }
    : statusesByOverallHealth[status]

/**
 * Builds the system status from the health endpoint: only what is measured. The database counts as working only if the event
 * store does too. `zone` is the practice's time zone.
 */
export const toSystemState = (
  { measured, ...health }: Pick<Health, 'status' | 'services'> & { measured: readonly Measurement[] },
  zone: string,
): SystemState => ({
  services: [
    { name: 'Database', status: findStatuses(health).database },
    { name: 'Background work', status: findStatuses(health).jobs },
  ],
  uptime: null,
  responseTime: formatResponseTime(measured),
  drillDown: {
    label: formatOpenLabel(measured.length, 'measurement', 'measurements'),
    explained: {
      title: 'Response time',
      value: formatResponseTime(measured),
      description:
        'Time that the server last took to respond to this browser, measured whenever this screen loads the system status.',
      records: measured.map(({ at, durationMs }) => ({
        when: formatTime(toLocalTime(new Date(at), zone)),
        what: `${durationMs}ms`,
      })),
      emptyState: { title: notEnoughData, hint: 'No requests have been measured on this screen yet' },
    },
  },
})

const formatResponseTime = ([newest]: readonly Measurement[]) => (newest ? `${newest.durationMs}ms` : notEnoughData)
