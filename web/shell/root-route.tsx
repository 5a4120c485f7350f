import type { QueryClient } from '@tanstack/react-query'
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router'
import { NotFound } from './not-found.tsx'
import { ScreenError } from './screen-error.tsx'

/** Root of all routes, which provides the query client to their loaders. */
export const rootRoute = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Outlet,
  notFoundComponent: NotFound,
  errorComponent: ScreenError,
})
