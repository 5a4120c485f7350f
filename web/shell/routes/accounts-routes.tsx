import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { z } from 'zod'
import { mayBeSignedIn } from '#web/api/last-input.ts'
import { currentUserQuery } from '#web/entities/accounts/current-user.ts'
import { LoadingScreen } from '#web/ui/loading-screen.tsx'
import { rootRoute } from '#web/shell/root-route.tsx'
import { toLocalPath } from '#web/features/accounts/local-path.ts'

/** `/auth`: sign in and sign up. Redirects users who are already signed in to their destination. */
export const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth',
  validateSearch: z.object({
    tab: z.enum(['login', 'register']).optional().catch(undefined),
    redirect: z.string().optional().catch(undefined),
    /** Reason for which the user was signed out; undefined after signing out by choice. */
    reason: z.literal('password-changed').optional().catch(undefined),
  }),
  beforeLoad: async ({ context: { queryClient }, search }) => {
    // Visitors send no request, which would only be refused.
    if (!mayBeSignedIn()) return
    if (await queryClient.ensureQueryData(currentUserQuery)) throw redirect({ href: toLocalPath(search.redirect) })
  },
  loaderDeps: ({ search: { tab } }) => ({ tab }),
  // Together with the screen, so that the form appears with it.
  loader: async ({ deps: { tab } }) => {
    await (tab === 'register'
      ? import('#web/features/accounts/register-form.tsx')
      : import('#web/features/accounts/passkey-sign-in.tsx'))
  },
  pendingComponent: LoadingScreen,
  component: lazyRouteComponent(() => import('#web/features/accounts/auth-screen.tsx'), 'AuthScreen'),
})

/** `/forgot`: requests a link to choose a new password. */
export const forgotRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/forgot',
  validateSearch: z.object({ email: z.string().optional().catch(undefined) }),
  component: lazyRouteComponent(() => import('#web/features/accounts/password/forgot-screen.tsx'), 'ForgotScreen'),
})

/** `/reset/{token}`: the page behind that link. */
export const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/reset/$token',
  component: lazyRouteComponent(() => import('#web/features/accounts/password/reset-screen.tsx'), 'ResetScreen'),
})

/** `/email/{token}`: confirms a new address. */
export const emailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/email/$token',
  component: lazyRouteComponent(() => import('#web/features/accounts/email/email-screen.tsx'), 'EmailScreen'),
})

/** `/confirm-email/{token}`: confirms the address of a registration. */
export const emailProofRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/confirm-email/$token',
  component: lazyRouteComponent(
    () => import('#web/features/accounts/email-proof/prove-email-screen.tsx'),
    'ProveEmailScreen',
  ),
})

/** `/two-factor`: the set-up for members whose practice requires it; its screen leads everyone else on. */
export const twoFactorRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/two-factor',
  validateSearch: ({ redirect: to }: { redirect?: string }) => ({ redirect: toLocalPath(to) }),
  component: lazyRouteComponent(
    () => import('#web/features/settings/security/required-two-factor-screen.tsx'),
    'RequiredTwoFactorScreen',
  ),
})

/** `/welcome`: the first page after registering. */
export const welcomeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/welcome',
  beforeLoad: async ({ context: { queryClient } }) => {
    if (!(await queryClient.ensureQueryData(currentUserQuery))) throw redirect({ to: '/auth' })
  },
  pendingComponent: LoadingScreen,
  component: lazyRouteComponent(() => import('#web/features/accounts/welcome-screen.tsx'), 'WelcomeScreen'),
})
