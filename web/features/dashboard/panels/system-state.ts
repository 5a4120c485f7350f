import { toLocalTime } from '#contracts/values/calendar.ts'
import type { Health } from '#contracts/health.ts'
import type { Measurement } from '../api.ts'
import { notEnoughData, formatOpenLabel } from '../figures/figures.ts'
import type { Service, SystemState } from '../dashboard-model.ts'
import { formatTime } from '#web/ui/dates.ts'

const statusByHealth: Record<Health['services']['database'], Service['status']> = {
  ok: 'operational',
  starting: 'unknown',
  down: 'error',
}

const worstStatus = (...statuses: readonly Service['status'][]): Service['status'] =>
  statuses.find((status) => status === 'error') ?? statuses.find((status) => status === 'unknown') ?? 'operational'

/**
 * Builds the system status from the health endpoint. The database counts as working only if the event store does too.
 * `hasPayments` is whether the practice has a subscription; `zone` is its time zone.
 */
export const toSystemState = (
  { services, measured }: Pick<Health, 'services'> & { measured: readonly Measurement[] },
  zone: string,
  hasPayments: boolean,
): SystemState => ({
  services: [
    { name: 'Database', status: worstStatus(statusByHealth[services.database], statusByHealth[services.eventStore]) },
    { name: 'AI services', status: 'not-set-up' },
    { name: 'Payment processing', status: hasPayments ? 'connected' : 'not-set-up' },
    { name: 'Email services', status: 'not-set-up' },
    { name: 'Background work', status: statusByHealth[services.jobs] },
  ],
  uptime: notEnoughData,
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
