import type { Access } from '#contracts/endpoint.ts'
import { may, type Permission } from '#contracts/values/roles.ts'
import { ProblemError } from './problems.ts'
import type { Caller, Member } from './session.ts'

/** Lets a caller through to an endpoint, or says why not: 401, 409 `practice-required`, 403. */
export function admit(access: Access, caller: Caller | undefined): Caller | undefined {
  if (access === 'public') return caller
  if (!caller) throw new ProblemError(401, 'signed-out', 'Please sign in first.')
  if (access === 'signed-in') return caller
  const member = memberOf(caller)
  if (access !== 'member') requirePermission(member, access.permission)
  return member
}

/** Refuses with 403 what a caller has no right to. For rights that depend on what was sent. */
export function requirePermission(caller: Member, permission: Permission, path?: string): void {
  if (may(caller, permission)) return
  const message = 'Your role does not allow this. Ask the owner of the practice.'
  throw new ProblemError(403, 'forbidden', message, { errors: path === undefined ? [] : [{ path, message }] })
}

function memberOf(caller: Caller): Member {
  if (caller.practiceId === null) throw new ProblemError(409, 'practice-required', 'Set up your practice first')
  return { ...caller, practiceId: caller.practiceId }
}
