import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { FormsSearch } from '#web/features/forms/list/forms-search.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { rootRoute } from '#web/shell/root-route.tsx'
import { shellRoute } from '#web/shell/shell-route.tsx'

/** `/forms`: the list of forms; filters, search and page are in the URL. */
export const formsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/forms',
  // The screen parses it: a parser here would be loaded with the sign-in screen.
  validateSearch: (raw: Record<string, unknown>) => raw as FormsSearch,
  component: lazyRouteComponent(() => import('#web/features/forms/list/forms-screen.tsx'), 'FormsScreen'),
})

/** `/forms/$formId`: the review of one form, with its analysis. */
export const formRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/forms/$formId',
  component: lazyRouteComponent(() => import('#web/features/forms/review/review-screen.tsx'), 'ReviewScreen'),
})

/** `/forms/$formId/fill`: fills in one form, step by step. */
export const fillFormRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/forms/$formId/fill',
  component: lazyRouteComponent(() => import('#web/features/forms/fill/fill-screen.tsx'), 'FillScreen'),
})

/** `/f/$token`: the page on which a patient fills in a form. Public. */
export const patientFormRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/f/$token',
  pendingComponent: LoadingScreen,
  component: lazyRouteComponent(
    () => import('#web/features/forms/patient/patient-form-screen.tsx'),
    'PatientFormScreen',
  ),
})
