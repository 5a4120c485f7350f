import type Router from '@koa/router'
import {
  changeProfile as changeProfileEndpoint,
  getProfile,
  type Profile,
  type ProfileField,
  ProfileFields,
} from '#contracts/profile.ts'
import { isConflict } from '#eventstore/command-errors.ts'
import type { Recorded } from '#eventstore/event.ts'
import { ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Caller } from '#http/session.ts'
import { throwFieldConflict } from '#modules/kit/field-conflict.ts'
import type { Services } from '#modules/module.ts'
import { changeProfile } from './change-profile.ts'
import { userDecider, type UserState } from './decider.ts'
import type { UserEvent } from './events.ts'

/** Returns the profile fields that an event changed. */
const changedFields = ({ type, data }: Recorded<UserEvent>): ProfileField[] =>
  type === 'ProfileChanged' ? ProfileFields.keyof().options.filter((field) => field in data.to) : []

function toProfile(
  { role, isOwner }: Pick<Caller, 'role' | 'isOwner'>,
  { state, revision }: { state: UserState; revision: bigint | 'no-stream' },
): Profile {
  if (state.status !== 'registered') throw new ProblemError(401, 'signed-out', 'Please sign in first.')
  const { firstName, lastName, username, email } = state.user
  return { firstName, lastName, username, email, role, isOwner, revision: Number(revision) }
}

/** Adds the endpoints with which users read and change their own profile. */
export function addProfileRoutes(router: Router, services: Services): void {
  const { bus, db } = services

  serve(router, getProfile, async ({ caller }) => toProfile(caller, await bus.load(userDecider, caller.userId)))

  serve(router, changeProfileEndpoint, async ({ caller, body }, { commandContext }) => {
    const { userId } = caller
    const { revision, ...sent } = body
    const change = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
    const save = (expectedRevision: bigint | undefined) =>
      changeProfile(
        services,
        { userId, change },
        commandContext,
        expectedRevision === undefined ? {} : { expectedRevision },
      )
    try {
      return toProfile(caller, await save(revision === undefined ? undefined : BigInt(revision)))
    } catch (error) {
      if (!isConflict(error, userDecider)) throw error
      const { state, conflictingEvents: since } = error
      // Other events of the account are no conflict. The attempt itself may have added one: it gave a new username up.
      const { revision: newest, history } = await bus.load(userDecider, userId)
      const newer = history.filter((event) => revision === undefined || event.revision > BigInt(revision))
      if (newest !== 'no-stream' && newer.every((event) => changedFields(event).length === 0))
        return toProfile(caller, await save(newest))
      if (state.status !== 'registered') throw error
      return await throwFieldConflict(db, {
        since,
        changedFields,
        now: state.user,
        message: 'Your profile was changed in another window',
      })
    }
  })
}
