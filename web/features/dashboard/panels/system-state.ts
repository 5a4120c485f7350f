import type { Health } from '#contracts/health.ts'
import type { Measurement } from '../api.ts'
import { notEnoughData, formatOpenLabel } from '../figures/figures.ts'
import type { Service, SystemState } from '../dashboard-model.ts'
import { formatTime } from '#web/ui/dates.ts'
import { getLocalTime } from '../format.ts'

const statusByHealth: Record<Health['services']['database'], Service['status']> = {
  ok: 'operational',
  starting: 'unknown',
  down: 'error',
}

const worstStatus = (...of: readonly Service['status'][]): Service['status'] =>
  of.find((status) => status === 'error') ?? of.find((status) => status === 'unknown') ?? 'operational'

/**
 * The four services of the dashboard as they really are. The database is whole when its record of events is; what is not
 * set up says so; `pays` is whether somebody takes this practice's money. The response time is that of the newest
 * measurement; `zone` is the practice's.
 */
export const toSystemState = (
  { services, measured }: Pick<Health, 'services'> & { measured: readonly Measurement[] },
  zone: string,
  pays: boolean,
): SystemState => ({
  services: [
    { name: 'Database', status: worstStatus(statusByHealth[services.database], statusByHealth[services.eventStore]) },
    { name: 'AI services', status: 'not-set-up' },
    { name: 'Payment processing', status: pays ? 'connected' : 'not-set-up' },
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
        'How long Everchart last took to answer this browser. Measured each time this screen asks how the system is.',
      records: measured.map(({ at, durationMs: took }) => ({
        when: formatTime(getLocalTime(zone, new Date(at))),
        what: `${took}ms`,
      })),
      emptyState: { title: notEnoughData, hint: 'Nothing has been measured on this screen' },
    },
  },
})

const formatResponseTime = ([newest]: readonly Measurement[]) => (newest ? `${newest.durationMs}ms` : notEnoughData)
