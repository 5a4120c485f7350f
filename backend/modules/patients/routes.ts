import { Router } from '@koa/router'
import {
  addPatient,
  changePatient,
  clinicalFields,
  emptyPatientFields,
  getPatient,
  listPatients,
  type Patient,
  type PatientFields,
  removePatient,
} from '#contracts/patients.ts'
import { PatientId } from '#contracts/values/ids.ts'
import { hasPermission } from '#contracts/values/roles.ts'
import { ConcurrencyError, type CommandResult, CommandRejected } from '#eventstore/command-bus.ts'
import { requirePermission } from '#http/access.ts'
import { invalidRequest, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Member } from '#http/session.ts'
import { withAdvisoryLocks } from '#database/advisory-locks.ts'
import type { Services } from '../module.ts'
import { patientDecider, type PatientState } from './decider.ts'
import type { PatientEvent } from './events.ts'
import { listPatients as patientsOf } from './list.ts'
import { emailKey, fullNameKey } from './name-keys.ts'
import { findConflicts } from './conflict.ts'
import { cursorText, readCursor } from './paging.ts'
import { formatNationalPhone, readPhone } from './phone.ts'
import { planLimitLock, requirePlanCapacity, findPlanCapacity } from './plan-limit.ts'
import { findPracticeLocale } from './practice-locale.ts'
import { findDuplicates, findPatient } from './queries.ts'

const notThere = () => new ProblemError(404, 'not-found', 'There is no such patient.')
const readsClinical = (caller: Member) => hasPermission(caller, 'clinical:read')

/** The patients of a practice over HTTP. Every answer is limited to the caller's practice and to what they may read. */
export function patientRoutes(services: Services): Router {
  const { bus, db, pool, newId, clock } = services
  const router = new Router()
  const inTurn = withAdvisoryLocks(pool, 8)

  /** What was typed, as it is stored, and the day it is at the practice. */
  async function asStored<Fields extends Partial<PatientFields>>(caller: Member, fields: Fields) {
    for (const field of clinicalFields)
      if (fields[field] !== undefined) requirePermission(caller, 'clinical:write', field)
    const { today, country } = await findPracticeLocale(db, caller.practiceId, clock())
    if (!fields.phone) return { fields, today }
    const reading = readPhone(fields.phone, country)
    if (reading.status === 'refused') throw invalidRequest([{ path: 'phone', message: reading.message }])
    return { fields: { ...fields, phone: reading.e164 }, today }
  }

  /** The row on screen; what was decided, should the row not have followed in time. */
  async function answerOf(caller: Member, patientId: string, executed: CommandResult<PatientState, PatientEvent>) {
    const { state, revision } = executed
    const clinical = readsClinical(caller)
    const row = await findPatient(db, caller.practiceId, patientId, clinical)
    if (row && BigInt(row.revision) >= BigInt(revision)) return row
    if (state.status !== 'registered') throw notThere()
    const now = clock().toISOString()
    return {
      ...(clinical ? state.patient : withoutClinical(state.patient)),
      id: state.patientId,
      practiceId: state.practiceId,
      phoneNational: state.patient.phone && formatNationalPhone(state.patient.phone),
      importId: state.importId,
      lastVisit: row?.lastVisit ?? null,
      sample: row?.sample ?? false,
      revision: Number(revision),
      createdAt: row?.createdAt ?? now,
      updatedAt: now,
    } satisfies Patient
  }

  serve(router, listPatients, async ({ caller, query }, { setHeader: header }) => {
    const { search, sort, limit, offset = 0, cursor } = query
    const found = await patientsOf(db, {
      practiceId: caller.practiceId,
      clinical: readsClinical(caller),
      search: search || undefined,
      sort,
      limit,
      offset,
      cursor: cursor === undefined ? undefined : readCursor(cursor, query),
    })
    header('X-Total-Count', String(found.total))
    if (found.next) {
      const next = new URLSearchParams({
        ...(search ? { search } : {}),
        ...(sort ? { sort } : {}),
        limit: String(limit),
        cursor: cursorText(found.next),
      })
      header('Link', `<${listPatients.path}?${next}>; rel="next"`)
    }
    return found.patients
  })

  serve(router, getPatient, async ({ caller, params: { patientId } }) => {
    const patient = await findPatient(db, caller.practiceId, patientId, readsClinical(caller))
    if (!patient) throw notThere()
    return patient
  })

  serve(router, addPatient, async ({ caller, body: { allowDuplicate, ...typed } }, { commandContext: context }) => {
    const { practiceId } = caller
    const { fields, today } = await asStored(caller, typed)
    const patient = { ...emptyPatientFields, ...defined(fields) } as PatientFields
    const patientId = PatientId.parse(newId())
    const command = { type: 'Register', patientId, practiceId, patient, today } as const
    const register = async () =>
      answerOf(caller, patientId, await bus.execute(patientDecider, patientId, command, context).catch(explained))
    const limited = (await findPlanCapacity(db, practiceId)) !== null
    if (allowDuplicate && !limited) return await register()
    const places = limited ? [planLimitLock(practiceId)] : []
    return await inTurn([...places, ...namesOf(practiceId, patient)], async () => {
      requirePlanCapacity(await findPlanCapacity(db, practiceId))
      if (allowDuplicate) return await register()
      const candidates = await findDuplicates(db, practiceId, patient)
      if (candidates.length === 0) return await register()
      const message = 'This patient may be registered already.'
      throw new ProblemError(409, 'possible-duplicate', message, { candidates })
    })
  })

  serve(
    router,
    changePatient,
    async ({ caller, params: { patientId }, body: { revision, ...typed } }, { commandContext: context }) => {
      const { practiceId } = caller
      await requireTheirs(practiceId, patientId)
      const { fields, today } = await asStored(caller, typed)
      const command = { type: 'Change', practiceId, change: defined(fields), today } as const
      const options = revision === undefined ? {} : { expectedRevision: BigInt(revision) }
      try {
        const executed = await bus.execute(patientDecider, patientId, command, context, options)
        return await answerOf(caller, patientId, executed)
      } catch (error) {
        if (!(error instanceof ConcurrencyError)) return explained(error)
        const { state } = await bus.load(patientDecider, patientId)
        if (state.status !== 'registered') throw notThere()
        const changes = await findConflicts(db, error.conflictingEvents as never, state.patient, readsClinical(caller))
        const message = 'Somebody changed this patient meanwhile. Look at the changes and save again.'
        throw new ProblemError(409, 'changed-meanwhile', message, { changes })
      }
    },
  )

  serve(
    router,
    removePatient,
    async ({ caller: { practiceId }, params: { patientId } }, { commandContext: context }) => {
      const command = { type: 'Remove', practiceId, reason: 'deleted' } as const
      await bus.execute(patientDecider, patientId, command, context).catch(explained)
      return null
    },
  )

  /** Before anything is said about a record: whether it is there is nobody else's business. */
  async function requireTheirs(practiceId: string, patientId: string): Promise<void> {
    const { state } = await bus.load(patientDecider, patientId)
    if (state.status !== 'registered' || state.practiceId !== practiceId) throw notThere()
  }

  return router
}

/** Refusals that are about what was typed are shown at their field, like everything else that was typed wrong. */
function explained(error: unknown): never {
  if (!(error instanceof CommandRejected)) throw error
  const { rejected, message, path } = error.rejection
  if (rejected === 'not-found') throw notThere()
  if (path !== undefined) throw invalidRequest([{ path, message }])
  throw error
}

/** What two registrations of one person share, whatever else they say. */
const namesOf = (practiceId: string, { firstName, lastName, dateOfBirth, phone, email }: PatientFields) => [
  `patient:${practiceId}:${fullNameKey(firstName, lastName)}:${dateOfBirth ?? ''}`,
  ...(phone ? [`patient:${practiceId}:${phone}`] : []),
  ...(email ? [`patient:${practiceId}:${emailKey(email)}`] : []),
]

const defined = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Field in keyof Fields]: Exclude<Fields[Field], undefined>
  }

function withoutClinical(patient: PatientFields): Omit<PatientFields, (typeof clinicalFields)[number]> {
  const { medicalHistory: _history, allergies: _allergies, medications: _medications, ...rest } = patient
  return rest
}
