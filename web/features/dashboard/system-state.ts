import type { Health } from '#contracts/health.ts'
import type { Measurement } from './api.ts'
import { notEnough, openWords } from './figures.ts'
import type { Service, SystemState } from './model.ts'
import { showTime, timeIn } from './words.ts'

const states: Record<Health['services']['database'], Service['status']> = {
  ok: 'operational',
  starting: 'unknown',
  down: 'error',
}

const worst = (...of: readonly Service['status'][]): Service['status'] =>
  of.find((status) => status === 'error') ?? of.find((status) => status === 'unknown') ?? 'operational'

/**
 * The four services of the dashboard as they really are. The database is whole when its record of events is; what is not
 * set up says so; `pays` is whether somebody takes this practice's money. The response time is that of the newest
 * measurement; `zone` is the practice's.
 */
export const systemStateOf = (
  { services, measured }: Pick<Health, 'services'> & { measured: readonly Measurement[] },
  zone: string,
  pays: boolean,
): SystemState => ({
  services: [
    { name: 'Database', status: worst(states[services.database], states[services.eventStore]) },
    { name: 'AI services', status: 'not-set-up' },
    { name: 'Payment processing', status: pays ? 'connected' : 'not-set-up' },
    { name: 'Email services', status: 'not-set-up' },
    { name: 'Background work', status: states[services.jobs] },
  ],
  uptime: notEnough,
  responseTime: tookOf(measured),
  behind: {
    label: openWords(measured.length, 'measurement', 'measurements'),
    explained: {
      title: 'Response time',
      value: tookOf(measured),
      about:
        'How long Everchart last took to answer this browser. Measured each time this screen asks how the system is.',
      records: measured.map(({ at, took }) => ({ when: showTime(timeIn(zone, new Date(at))), what: `${took}ms` })),
      none: { title: notEnough, hint: 'Nothing has been measured on this screen' },
    },
  },
})

const tookOf = ([newest]: readonly Measurement[]) => (newest ? `${newest.took}ms` : notEnough)
