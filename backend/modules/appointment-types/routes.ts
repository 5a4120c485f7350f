import { Router } from '@koa/router'
import { changeAppointmentTypes, getAppointmentTypes } from '#contracts/appointment-types.ts'
import type { RequestInput } from '#contracts/endpoint.ts'
import type {
  AppointmentTypeChanges,
  AppointmentTypes,
  AppointmentTypeSettings,
} from '#contracts/values/appointment-types.ts'
import { isConflict } from '#eventstore/command-errors.ts'
import { serve } from '#http/serve.ts'
import { throwFieldConflict } from '#modules/kit/field-conflict.ts'
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
      return await throwFieldConflict(db, {
        since: error.conflictingEvents,
        changedFields: ({ data }) => listPaths(data.to),
        now: toPaths(error.state),
        message: 'The appointment types were changed by someone else',
      })
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
