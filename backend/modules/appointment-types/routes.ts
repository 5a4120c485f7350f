import { Router } from '@koa/router'
import { changeAppointmentTypes, getAppointmentTypes } from '#contracts/appointment-types.ts'
import type { RequestInput } from '#contracts/endpoint.ts'
import type {
  AppointmentTypeChanges,
  AppointmentTypes,
  AppointmentTypeSettings,
} from '#contracts/values/appointment-types.ts'
import { isConflict } from '#eventstore/command-bus.ts'
import { collectFieldConflicts } from '#http/conflict.ts'
import { ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { appointmentTypeDecider } from './decider.ts'

/** Serves the appointment types of a practice. */
export function appointmentTypeRoutes({ bus, db }: Services): Router {
  const router = new Router()

  serve(router, getAppointmentTypes, async ({ caller }) =>
    toReply(await bus.load(appointmentTypeDecider, caller.practiceId)),
  )

  serve(router, changeAppointmentTypes, async ({ caller: { practiceId }, body }, { commandContext }) => {
    // A revision of null means the defaults: the stream must not exist yet.
    const options = body.revision === undefined ? {} : { expectedRevision: BigInt(body.revision ?? -1) }
    const command = { type: 'ChangeAppointmentTypes', practiceId, changes: toChanges(body.types) } as const
    try {
      return toReply(await bus.execute(appointmentTypeDecider, practiceId, command, commandContext, options))
    } catch (error) {
      if (!isConflict(error, appointmentTypeDecider)) throw error
      const changes = await collectFieldConflicts({
        since: error.conflictingEvents,
        changedFields: ({ data }) => listPaths(data.to),
        now: toPaths(error.state),
        findNames: (userIds) => findUserNames(db, userIds),
      })
      const message = 'Another user changed the appointment types. Look at the changes and save again.'
      throw new ProblemError(409, 'changed-meanwhile', message, { changes })
    }
  })

  return router
}

type SentTypes = RequestInput<typeof changeAppointmentTypes>['body']['types']

const toChanges = (types: SentTypes): AppointmentTypeChanges =>
  Object.fromEntries(
    Object.entries(types).map(([type, { fee: cents, ...others }]): [string, Partial<AppointmentTypeSettings>] => [
      type,
      { ...others, ...(cents === undefined ? {} : { fee: { cents, currency: 'USD' } }) },
    ]),
  )

/** Returns the paths of settings, such as `consultation.fee`. */
const listPaths = (types: object) =>
  Object.entries(types).flatMap(([type, settings]) => Object.keys(settings as object).map((name) => `${type}.${name}`))

/** Returns all settings by their paths. */
const toPaths = (types: AppointmentTypes): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(types).flatMap(([type, settings]) =>
      Object.entries(settings).map(([name, value]) => [`${type}.${name}`, value]),
    ),
  )

const toReply = ({ state: types, revision }: { state: AppointmentTypes; revision: bigint | 'no-stream' }) => ({
  types: { ...types },
  revision: revision === 'no-stream' ? null : Number(revision),
})
