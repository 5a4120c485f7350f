import type { Health } from '#contracts/health.ts'
import { notEnough } from './figures.ts'
import type { Service, SystemState } from './model.ts'

const states: Record<Health['services']['database'], Service['status']> = {
  ok: 'operational',
  starting: 'unknown',
  down: 'error',
}

const worst = (...of: readonly Service['status'][]): Service['status'] =>
  of.find((status) => status === 'error') ?? of.find((status) => status === 'unknown') ?? 'operational'

/**
 * The four services of the dashboard as they really are. The database is whole when its record of events is; what is not
 * set up says so. `took` is how long the answer was on its way, in milliseconds.
 */
export const systemStateOf = ({ services, took }: Pick<Health, 'services'> & { took: number }): SystemState => ({
  services: [
    { name: 'Database', status: worst(states[services.database], states[services.eventStore]) },
    { name: 'AI services', status: 'not-set-up' },
    { name: 'Payment processing', status: 'not-set-up' },
    { name: 'Email services', status: 'not-set-up' },
    { name: 'Background work', status: states[services.jobs] },
  ],
  uptime: notEnough,
  responseTime: `${took}ms`,
})
