import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { shellRoute } from '#web/shell/shell-route.tsx'
import { parseImportSearch } from '#web/features/patients/import/import-search.ts'
import { parsePatientsSearch } from '#web/features/patients/list/patients-search.ts'

/** The list of patients; order, page and search stand in the address. */
export const patientsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/patients',
  validateSearch: parsePatientsSearch,
  component: lazyRouteComponent(() => import('#web/features/patients/list/patients-screen.tsx'), 'PatientsScreen'),
})

/** One patient over the list: the list's screen draws it, so that it can slide in and out. */
export const patientRoute = createRoute({ getParentRoute: () => patientsRoute, path: '$patientId' })

/** From a file to patients, in five steps. */
export const importRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/patients/import',
  validateSearch: parseImportSearch,
  component: lazyRouteComponent(() => import('#web/features/patients/import/import-screen.tsx'), 'ImportScreen'),
})
