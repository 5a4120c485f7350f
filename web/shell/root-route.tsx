import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext } from '@tanstack/react-router'
import { NotFound } from './not-found.tsx'
import { ScreenError } from './screen-error.tsx'
import { SessionGuard } from './session-guard.tsx'

/** Root of all routes, which provides the query client to their loaders. */
export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: SessionGuard,
  notFoundComponent: NotFound,
  errorComponent: ScreenError,
})
