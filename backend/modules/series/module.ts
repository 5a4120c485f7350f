import type { Module } from '#modules/module.ts'
import { SeriesEvent } from './events.ts'
import { bookSeries } from './jobs.ts'
import { resumeSeries } from './process-manager.ts'
import { seriesRoutes } from './routes.ts'

/** Series of recurring appointments. */
export const series: Module = {
  name: 'series',
  events: [SeriesEvent],
  processManagers: [resumeSeries],
  jobs: [bookSeries],
  routes: seriesRoutes,
}
