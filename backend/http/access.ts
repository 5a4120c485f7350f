import type { Endpoint } from '#contracts/endpoint.ts'
import { getPlan } from '#contracts/values/plans.ts'
import { hasPermission, type Permission } from '#contracts/values/roles.ts'
import { type Feature, features, checkFeatureAccess, type AccessStatus } from '#contracts/values/tiers.ts'
import { ProblemError } from './problems.ts'
import type { Caller, Member } from './session.ts'

/**
 * Returns the caller if the endpoint is open to them. Throws 401, 403 `two-factor-setup-required`, 409 `practice-required` or
 * another 403, checked in this order.
 */
export function authorize(
  { access, isTwoFactorSetUp }: Pick<Endpoint, 'access' | 'isTwoFactorSetUp'>,
  caller: Caller | undefined,
): Caller | undefined {
  if (access === 'public') return caller
  if (!caller) throw new ProblemError(401, 'signed-out', 'Please sign in first.')
  if (caller.mustSetUpTwoFactor && !isTwoFactorSetUp)
    throw new ProblemError(
      403,
      'two-factor-setup-required',
      'Your practice requires two-factor authentication. Set it up first.',
    )
  if (access === 'signed-in') return caller
  const member = requireMember(caller)
  if (access === 'member') return member
  requirePermission(member, access.permission)
  if (access.feature) requireFeature(member, access.feature)
  return member
}

/** Throws 403 `subscription-required` or `upgrade-required` (with the required `tier`) if the plan does not include the feature. */
function requireFeature(status: AccessStatus, feature: Feature): void {
  const gate = checkFeatureAccess(status, feature)
  if (gate === 'open') return
  const { name, tier } = features[feature]
  const details = { feature, tier }
  if (gate === 'no-subscription')
    throw new ProblemError(
      403,
      'subscription-required',
      `Please activate your subscription to access ${name}.`,
      details,
    )
  throw new ProblemError(403, 'upgrade-required', `${name} needs the ${getPlan(tier).name} plan or higher.`, details)
}

/** Throws 403 if the caller lacks a permission. Handlers call it for permissions that depend on the request body. */
export function requirePermission(caller: Member, permission: Permission, path?: string): void {
  if (hasPermission(caller, permission)) return
  const message = 'Your role does not allow this. Ask the owner of the practice.'
  throw new ProblemError(403, 'forbidden', message, { errors: path === undefined ? [] : [{ path, message }] })
}

function requireMember(caller: Caller): Member {
  if (caller.practiceId === null) throw new ProblemError(409, 'practice-required', 'Set up your practice first')
  return { ...caller, practiceId: caller.practiceId }
}
