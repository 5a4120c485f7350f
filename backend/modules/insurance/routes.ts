import { Router } from '@koa/router'
import * as contract from '#contracts/insurance.ts'
import { formatRecordsCsv } from '#contracts/record-csv.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import type { PolicyInRecord } from '#contracts/values/insurance.ts'
import { InsuranceVerificationId } from '#contracts/values/ids.ts'
import { fieldError, notFound, ProblemError } from '#http/problems.ts'
import { createRateLimiter, hourly, type Limit } from '#http/rate-limiter.ts'
import { serve } from '#http/serve.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { requirePatient } from '#modules/patients/public.ts'
import {
  describeHistory,
  editRecord,
  findAllRecords,
  type RecordKind,
  requireRecord,
} from '#modules/records/requests/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { jobNames } from './eligibility/process-manager.ts'
import { canBeAskedAbout } from './eligibility/rechecks.ts'
import { insuranceSettings } from './eligibility/settings.ts'
import { findMove, type VerificationCommand, verificationDecider } from './decider.ts'
import { type VerificationDefinition, verificationEvents } from './events.ts'
import { findPolicyCheck, hasPolicyInRecord, toVerifications, verificationReader } from './queries.ts'

const kind: RecordKind<VerificationDefinition> = {
  noun: 'verification',
  events: verificationEvents,
  decider: verificationDecider,
  reader: verificationReader,
}

/** Questions to insurers that the users of one practice ask: each may cost money. */
const questionsPerPractice: Limit = {
  purpose: 'question to the insurer',
  maxAttempts: 60,
  ...hourly,
  code: 'too-many-attempts',
  message: 'Too many questions to insurers.',
}

/** Serves the verifications of patients' insurance. */
export function insuranceRoutes(services: Services): Router {
  const { bus, db, relaxedPool, clock, keyedHash, jobs, newId } = services
  const router = new Router()
  const createUnavailable = () =>
    new ProblemError(503, 'unavailable', 'The insurer cannot be asked right now. Please try again soon.')
  const rateLimiter = createRateLimiter({ pool: relaxedPool, clock, keyedHash, createUnavailable })
  const getToday = (caller: Member) => toLocalDate(clock(), caller.timezone)

  async function requireVerification(caller: Member, id: string) {
    const found = await verificationReader.find(services, recordScope(caller), id)
    const [verification] = found ? await toVerifications(services, caller.practiceId, [found], getToday(caller)) : []
    if (!verification) throw notFound(kind.noun)
    return verification
  }

  serve(router, contract.listVerifications, async ({ caller, query }, { setHeader }) => {
    const { cursor, ...filter } = query
    const { records, total, next } = await verificationReader.findPage(services, {
      scope: recordScope(caller),
      ...toRequest(query),
    })
    setHeader('X-Total-Count', String(total))
    if (next) {
      const params = new URLSearchParams({ cursor: next })
      for (const [name, value] of Object.entries(filter)) if (value) params.set(name, String(value))
      setHeader('Link', `<${contract.listVerifications.path}?${params}>; rel="next"`)
    }
    return await toVerifications(services, caller.practiceId, records, getToday(caller))
  })

  serve(router, contract.exportVerifications, async ({ caller, query: { format: _, ...filters } }, { setHeader }) => {
    const scope = recordScope(caller)
    const records = await findAllRecords((page) =>
      verificationReader.findPage(services, { scope, ...toRequest(filters), ...page }),
    )
    const verifications = await toVerifications(services, caller.practiceId, records, getToday(caller))
    setHeader('Content-Disposition', 'attachment; filename="insurance.csv"')
    return formatRecordsCsv(contract.InsuranceVerification, verifications)
  })

  serve(router, contract.countVerifications, async ({ caller }) => {
    const counts = await verificationReader.countByStatus(db, recordScope(caller))
    const count = (status: string) => counts.get(status) ?? 0
    return {
      verified: count('verified'),
      pending: count('pending'),
      denied: count('denied'),
      expired: count('expired'),
      checkedBy: await findPolicyCheck(services, caller.practiceId),
    }
  })

  serve(router, contract.verifyInsurance, async ({ caller, body }, { commandContext }) => {
    const { practiceId, userId } = caller
    const { patientId, verificationStatus, ...fields } = body
    await requirePatient(db, practiceId, patientId)
    requireDatesInOrder(fields)
    const today = getToday(caller)
    const id = InsuranceVerificationId.parse(newId('insurance verification'))
    const move = findMove({ before: null, after: fields, chosen: verificationStatus, practiceId, userId, today })
    const commands: VerificationCommand[] = [{ type: 'Create', id, practiceId, patientId, fields }]
    if (move) commands.push(move)
    const at = clock().toISOString()
    const timed = commands.map((command) => ({ command, at }))
    await bus.executeAll(verificationDecider, id, timed, commandContext, { isNew: true })
    return await requireVerification(caller, id)
  })

  serve(router, contract.getVerification, async ({ caller, params: { verificationId } }) => {
    const verification = await requireVerification(caller, verificationId)
    const { history } = await requireRecord(services, caller, kind, verificationId)
    return { ...verification, history: await describeHistory(services, verificationEvents, history) }
  })

  serve(router, contract.changeVerification, async ({ caller, params, body }, { commandContext }) => {
    const { practiceId, userId } = caller
    const { verificationStatus, revision, ...change } = body
    const loaded = await requireRecord(services, caller, kind, params.verificationId)
    const before = loaded.state
    const after = { ...before.fields, ...change }
    requireDatesInOrder(after)
    const today = getToday(caller)
    const move = findMove({ before, after, chosen: verificationStatus, practiceId, userId, today })
    const commands: VerificationCommand[] = [{ type: 'Change', practiceId, today, change }]
    if (move) commands.push(move)
    await editRecord(services, kind, { loaded, commands, revision }, commandContext)
    return await requireVerification(caller, params.verificationId)
  })

  serve(router, contract.askInsurer, async ({ caller, params: { verificationId } }, { commandContext }) => {
    const { state } = await requireRecord(services, caller, kind, verificationId)
    if (!insuranceSettings.read(services).clearinghouse)
      throw new ProblemError(409, 'not-configured', 'No clearinghouse is connected in this installation.')
    if (!canBeAskedAbout(state.status))
      throw new ProblemError(
        409,
        'wrong-status',
        `This verification is ${state.status}: only a pending or verified one is asked about.`,
      )
    await rateLimiter.consume([{ limit: questionsPerPractice, value: caller.practiceId }])
    const id = newId('question to the insurer')
    const { practiceId } = caller
    const cause = { correlationId: commandContext.correlationId, causationId: id }
    await jobs.send(jobNames.ask, { verificationId, practiceId, attempt: 1, isRequested: true, cause }, { id })
    return await requireVerification(caller, verificationId)
  })

  return router
}

/** Returns the request of a list, with the SQL of the filter that is not a field of the verification. */
const toRequest = <Query extends { policyInRecord?: PolicyInRecord | undefined }>({
  policyInRecord,
  ...query
}: Query) => ({
  ...query,
  also: policyInRecord && hasPolicyInRecord(policyInRecord),
})

/** Throws 422 for a coverage that ends before it begins. */
function requireDatesInOrder({ eligibilityDate, expiryDate }: Record<'eligibilityDate' | 'expiryDate', string | null>) {
  if (eligibilityDate !== null && expiryDate !== null && expiryDate < eligibilityDate)
    throw fieldError('expiryDate', 'Must not be before the first day of the coverage')
}
