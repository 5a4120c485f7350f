import { Router } from '@koa/router'
import { addPatient, changePatient, getPatient, listPatients, removePatient } from '#contracts/patients.ts'
import { notFound } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import { shareReply } from '#http/shared-replies.ts'
import { recordScope } from '#modules/samples/public.ts'
import type { Services } from '../module.ts'
import { changePatientRecord } from './change-patient.ts'
import { patientDecider } from './decider.ts'
import { listPatients as findPatientPage } from './list.ts'
import { encodeCursor, decodeCursor } from './paging.ts'
import { findPatient, type PatientAhead, readPatientAhead } from './queries.ts'
import { createRegisterPatient } from './register-patient.ts'
import { readsClinical, throwAsProblem } from './reply.ts'

/** The HTTP endpoints for patients. Every reply is limited to the caller's practice and permissions. */
export function patientRoutes(services: Services): Router {
  const { bus } = services
  const router = new Router()
  const registerPatient = createRegisterPatient(services)

  serve(router, listPatients, async ({ caller, query }, { setHeader }) => {
    const { search, sort, limit, offset = 0, cursor } = query
    const page = await findPatientPage(services, {
      scope: recordScope(caller),
      clinical: readsClinical(caller),
      search: search || undefined,
      sort,
      limit,
      offset,
      cursor: cursor === undefined ? undefined : decodeCursor(cursor, query),
    })
    setHeader('X-Total-Count', String(page.total))
    if (page.next) {
      const next = new URLSearchParams({
        ...(search ? { search } : {}),
        ...(sort ? { sort } : {}),
        limit: String(limit),
        cursor: encodeCursor(page.next),
      })
      setHeader('Link', `<${listPatients.path}?${next}>; rel="next"`)
    }
    return shareReply(page.patients)
  })

  serve(
    router,
    getPatient,
    async ({ caller, params: { patientId } }, _, ahead: PatientAhead | undefined) => {
      const patient = await findPatient(services, caller.practiceId, patientId, readsClinical(caller), ahead)
      if (!patient) throw notFound('patient')
      return patient
    },
    { readAhead: ({ patientId }) => readPatientAhead(services, patientId) },
  )

  serve(router, addPatient, ({ caller, body }, { commandContext }) => registerPatient(caller, body, commandContext))

  serve(router, changePatient, ({ caller, params, body }, { commandContext }) =>
    changePatientRecord(services, caller, params.patientId, body, commandContext),
  )

  serve(router, removePatient, async ({ caller: { practiceId }, params: { patientId } }, { commandContext }) => {
    const command = { type: 'Remove', practiceId, reason: 'deleted' } as const
    await bus.execute(patientDecider, patientId, command, commandContext).catch(throwAsProblem)
    return null
  })

  return router
}
