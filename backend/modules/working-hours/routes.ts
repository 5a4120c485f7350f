import { Router } from '@koa/router'
import * as contract from '#contracts/working-hours.ts'
import type { Closure } from '#contracts/working-hours.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { ClosureId } from '#contracts/values/ids.ts'
import { defaultWeek, type Weekday } from '#contracts/values/working-hours.ts'
import { CommandRejected, isConflict } from '#eventstore/command-errors.ts'
import { fieldError, notFound, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Member } from '#http/session.ts'
import { countAppointmentsOnDays } from '#modules/appointments/public.ts'
import { throwFieldConflict } from '#modules/kit/field-conflict.ts'
import type { Services } from '#modules/module.ts'
import { findTimeZone } from '#modules/practices/public.ts'
import { requireProvider } from '#modules/providers/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { closureDecider, type ClosureFields, type ClosureState } from './closures/decider.ts'
import { workingHoursDecider, type WorkingHoursState } from './decider.ts'
import { findClosures, findWorkCalendar } from './queries.ts'

/** Serves the working hours, the holidays and the days off of a practice. */
export function workingHoursRoutes(services: Services): Router {
  const { bus, clock, db, newId } = services
  const router = new Router()

  serve(router, contract.getWorkingHours, async ({ caller, query }) => {
    const { week, revision, closures } = await findWorkCalendar(db, caller.practiceId, query)
    return { hours: { ...(week ?? defaultWeek) } as contract.WorkingHours['hours'], revision, closures: [...closures] }
  })

  serve(router, contract.getWeekHours, async ({ caller }) =>
    toReply(await bus.load(workingHoursDecider, caller.practiceId)),
  )

  serve(router, contract.changeWorkingHours, async ({ caller: { practiceId }, body }, { commandContext }) => {
    // A revision of null means that no hours were set: the stream must not exist yet.
    const options = body.revision === undefined ? {} : { expectedRevision: BigInt(body.revision ?? -1) }
    const command = { type: 'ChangeWorkingHours', practiceId, days: body.hours } as const
    try {
      return toReply(await bus.execute(workingHoursDecider, practiceId, command, commandContext, options))
    } catch (error) {
      if (!isConflict(error, workingHoursDecider)) throw error
      return await throwFieldConflict(db, {
        since: error.conflictingEvents,
        changedFields: ({ data }) => Object.keys(data.to) as Weekday[],
        now: error.state ?? defaultWeek,
        message: 'The working hours were changed by someone else',
      })
    }
  })

  serve(router, contract.listClosures, async ({ caller }) => {
    const zone = caller.timezone
    const closures = await findClosures(db, caller.practiceId, toLocalDate(clock(), zone))
    return await withAppointments(services, caller, zone, closures)
  })

  serve(router, contract.addClosure, async ({ caller, body }, { commandContext }) => {
    const { practiceId } = caller
    // Also a provider who sees no patients at the moment may have days off.
    if (body.providerId) await requireProvider(services, caller, body.providerId, commandContext, body.providerId)
    await refusePastDays(services, practiceId, body)
    const closureId = ClosureId.parse(newId('closure'))
    const closure = { closureId, practiceId, ...body }
    const result = await bus.execute(closureDecider, closureId, { type: 'Add', closure }, commandContext)
    return await replyWithClosure(services, caller, result)
  })

  serve(router, contract.changeClosure, async ({ caller, params: { closureId }, body }, { commandContext }) => {
    const { practiceId } = caller
    const { revision, ...fields } = body
    const options = revision === undefined ? {} : { expectedRevision: BigInt(revision) }
    const command = { type: 'Change', practiceId, fields } as const
    await refusePastDays(services, practiceId, body)
    try {
      const loaded = await bus.load(closureDecider, closureId)
      if (loaded.state.status !== 'active' || loaded.state.closure.practiceId !== practiceId) throw notFound('closure')
      const result = await bus.execute(closureDecider, closureId, command, commandContext, options)
      return await replyWithClosure(services, caller, result)
    } catch (error) {
      if (error instanceof CommandRejected) throw toProblem(error)
      if (!isConflict(error, closureDecider)) throw error
      const { state } = error
      if (state.status !== 'active') throw notFound('closure')
      return await throwFieldConflict(db, {
        since: error.conflictingEvents,
        changedFields: ({ type, data }) =>
          type === 'ClosureChanged' ? (Object.keys(data.to) as (keyof ClosureFields)[]) : [],
        now: state.closure,
        message: 'These days were changed by someone else',
      })
    }
  })

  serve(router, contract.removeClosure, async ({ caller, params: { closureId } }, { commandContext }) => {
    const command = { type: 'Remove', practiceId: caller.practiceId } as const
    await bus.execute(closureDecider, closureId, command, commandContext).catch((error: unknown) => {
      throw error instanceof CommandRejected ? toProblem(error) : error
    })
    return null
  })

  return router
}

/** Throws 422 for days that are over: no list would show them, most likely because the year or month was mistyped. */
async function refusePastDays({ db, clock }: Services, practiceId: string, { until }: ClosureFields): Promise<void> {
  const today = toLocalDate(clock(), await findTimeZone(db, practiceId))
  if (until < today) throw fieldError('until', 'Must not be in the past')
}

const toProblem = ({ rejection: { rejected, message, path } }: CommandRejected): ProblemError =>
  rejected === 'not-found' ? notFound('closure') : fieldError(path ?? '', message)

const toReply = ({ state, revision }: { state: WorkingHoursState; revision: bigint | 'no-stream' }) => ({
  hours: { ...(state ?? defaultWeek) } as contract.WorkingHours['hours'],
  revision: revision === 'no-stream' ? null : Number(revision),
})

type LoadedClosure = { state: ClosureState; revision: bigint | 'no-stream' }

async function replyWithClosure(services: Services, caller: Member, { state, revision }: LoadedClosure) {
  if (state.status === 'unknown') throw notFound('closure')
  const { closureId, providerId, name, from, until } = state.closure
  const closure = { id: closureId, providerId, name, from, until, revision: Number(revision) }
  const zone = caller.timezone
  const [reply] = await withAppointments(services, caller, zone, [closure])
  return reply ?? { ...closure, appointments: 0, firstDate: null }
}

/** Adds the open appointments that are booked on the days of each closure. */
async function withAppointments(
  { db, clock }: Services,
  caller: Member,
  zone: string,
  closures: readonly Closure[],
): Promise<contract.BookedClosure[]> {
  const counts = await countAppointmentsOnDays(db, recordScope(caller), zone, closures, clock())
  return closures.map((closure) => ({
    ...closure,
    ...(counts.get(closure.id) ?? { appointments: 0, firstDate: null }),
  }))
}
