import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#web/app/shell-route.tsx'
import { importSearchOf } from './import/import-search.ts'
import { patientsSearchOf } from './list-search.ts'

/** The list of patients; order, page and search stand in the address. */
export const patientsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/patients',
  validateSearch: patientsSearchOf,
  component: lazyRouteComponent(() => import('./patients-screen.tsx'), 'PatientsScreen'),
})

/** One patient over the list: the list's screen draws it, so that it can slide in and out. */
export const patientRoute = createRoute({ getParentRoute: () => patientsRoute, path: '$patientId' })

/** From a file to patients, in five steps. */
export const importRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/patients/import',
  validateSearch: importSearchOf,
  component: lazyRouteComponent(() => import('./import/import-screen.tsx'), 'ImportScreen'),
})
