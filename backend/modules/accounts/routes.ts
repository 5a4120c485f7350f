import Router from '@koa/router'
import { currentUser } from '#contracts/accounts.ts'
import { liveUpdatesFrom } from '#contracts/changes.ts'
import { ProblemError } from '#http/problems.ts'
import { createRateLimiter } from '#http/rate-limiter.ts'
import { serve } from '#http/serve.ts'
import { createResumePoints } from '#modules/changes/public.ts'
import type { Services } from '#modules/module.ts'
import { accountSettings } from './settings.ts'
import { addEmailProofRoutes } from './email-proof/routes.ts'
import { addEmailRoutes } from './email-change/routes.ts'
import { addPasskeyLogin } from './passkeys/login.ts'
import { createPasskeyStore } from './passkeys/passkey-store.ts'
import { addPasskeyRoutes } from './passkeys/routes.ts'
import { createPasswordStore } from './passwords/password-store.ts'
import { addProfileRoutes } from './profile-routes.ts'
import { findUser } from './queries.ts'
import { addRegistrationRoute } from './registration-routes.ts'
import { createPasswordCheck } from './passwords/require-password.ts'
import { addSecurityRoutes } from './security-routes.ts'
import { createSignInGuard } from './sessions/sign-in-guard.ts'
import { addSignInRoutes } from './sessions/sign-in-routes.ts'
import { createFactorStore } from './two-factor/factor-store.ts'
import { addTwoFactorRoutes } from './two-factor/routes.ts'
import { signInUnavailable } from './unavailable.ts'

/** The HTTP endpoints for registration, sign-in, sign-out, the current user, passwords and sessions. */
export function accountRoutes(services: Services): Router {
  const { pool, relaxedPool, clock, keyedHash, timeouts } = services
  const router = new Router()
  const rateLimiter = createRateLimiter({ pool: relaxedPool, clock, keyedHash, createUnavailable: signInUnavailable })
  const passwords = createPasswordStore(pool, {
    maxWaitMs: timeouts.passwordMs,
    cost: accountSettings.read(services).passwordCost,
  })
  const factors = createFactorStore(services)
  const passkeys = createPasskeyStore(pool)
  const requirePassword = createPasswordCheck({ ...services, passwords, rateLimiter })
  const guard = createSignInGuard(services, rateLimiter)
  const points = createResumePoints(keyedHash)

  addRegistrationRoute(router, services, { passwords, rateLimiter })
  addSignInRoutes(router, services, { passwords, factors, rateLimiter, guard })
  serve(router, currentUser, async ({ caller }, { setHeader }) => {
    const position = services.getReadPosition()
    if (caller.practiceId !== null && position !== null)
      setHeader(liveUpdatesFrom, points.format(caller.practiceId, position))
    const user = await findUser(services, caller.userId)
    if (!user) throw new ProblemError(401, 'signed-out', 'Please sign in first.')
    return user
  })
  addEmailProofRoutes(router, services, rateLimiter)
  addEmailRoutes(router, services, { rateLimiter, requirePassword })
  addSecurityRoutes(router, services, { passwords, requirePassword, rateLimiter, guard })
  addProfileRoutes(router, services)
  addTwoFactorRoutes(router, services, { factors, rateLimiter, requirePassword })
  addPasskeyRoutes(router, services, { factors, passkeys, rateLimiter, requirePassword })
  addPasskeyLogin(router, services, { passkeys, rateLimiter, findPasswordVersion: passwords.findVersion, guard })
  return router
}
