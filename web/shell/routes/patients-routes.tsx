import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { loadFirstData } from '#web/shell/first-data.ts'
import { shellRoute } from '#web/shell/shell-route.tsx'
import { parseImportSearch } from '#web/features/patients/import/import-search.ts'
import { parsePatientsSearch } from '#web/features/patients/list/patients-search.ts'

const importPatients = () => import('#web/shell/patients-page.tsx')

/** `/patients`: the list of patients; sort order, page and search are in the URL. */
export const patientsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/patients',
  validateSearch: parsePatientsSearch,
  loader: ({ context: { queryClient } }) =>
    loadFirstData(queryClient, async () => (await importPatients()).loadPatients),
  component: lazyRouteComponent(importPatients, 'PatientsPage'),
})

/** One patient, rendered over the list by the list's screen, so that the drawer can slide in and out. */
export const patientRoute = createRoute({ getParentRoute: () => patientsRoute, path: '$patientId' })

/** `/patients/import`: imports patients from a file in five steps. */
export const importRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/patients/import',
  validateSearch: parseImportSearch,
  component: lazyRouteComponent(() => import('#web/features/patients/import/import-screen.tsx'), 'ImportScreen'),
})
