import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { FormsSearch } from '#web/features/forms/list/forms-search.ts'
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
