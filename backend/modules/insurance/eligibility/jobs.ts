import { z } from 'zod'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { EligibilityInquiryId, InsuranceVerificationId, PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { deriveId } from '#eventstore/derive-id.ts'
import { isSwitchedOn } from '#modules/automation/switches/public.ts'
import { findNextStart } from '#modules/appointments/public.ts'
import { defineJob, type Services } from '#modules/module.ts'
import { findPatientRecords } from '#modules/patients/public.ts'
import { findPractice, findTimeZone } from '#modules/practices/public.ts'
import type { Recorded } from '#eventstore/event.ts'
import { processContext } from '#modules/kit/process-context.ts'
import { Cause } from '#process-managers/process-manager.ts'
import type { InsuranceEvent } from '../events.ts'
import { findMove, type VerificationCommand, verificationDecider } from '../decider.ts'
import { askClearinghouse, isConnectionError } from './clearinghouse.ts'
import { eligibilityDecider } from './decider.ts'
import { canBeAskedAbout, isRecheckDue } from './rechecks.ts'
import { jobNames, maxAttempts } from './process-manager.ts'
import { insuranceSettings } from './settings.ts'
import type { Answer, Inquiry } from './x12.ts'

type Verification = Extract<ReturnType<typeof verificationDecider.evolve>, { exists: true }>

/**
 * Asks the clearinghouse about a pending or verified policy, and decides it where the insurer's answer says so. Run again, as after
 * a kill, it asks under the same id, and decides once. Does nothing where no clearinghouse is connected. Unless a user asked
 * (`isRequested`), it also does nothing where the practice has switched it off, or a verified policy is not due.
 */
export const askAboutVerification = defineJob({
  name: jobNames.ask,
  data: z.strictObject({
    verificationId: InsuranceVerificationId,
    practiceId: PracticeId,
    attempt: z.int().min(1).max(maxAttempts),
    isRequested: z.boolean().default(false),
    cause: Cause,
  }),
  retry: { limit: 5, maxDelaySeconds: 60 },
  // A clearinghouse replies within 30 seconds.
  expireSeconds: 120,
  async run(services, { verificationId, practiceId, attempt, isRequested, cause }, { id, signal }) {
    const { clearinghouse } = insuranceSettings.read(services)
    if (!clearinghouse) return
    const { bus, clock } = services
    const { state: verification, history } = await bus.load(verificationDecider, verificationId)
    if (!verification.exists || !canBeAskedAbout(verification.status)) return
    if (!isRequested && !(await isDue(services, verification, history))) return
    const [patient] = await findPatientRecords(services, practiceId, [verification.patientId])
    if (!patient) return
    const inquiryId = EligibilityInquiryId.parse(deriveId(`eligibility ${id}`))
    const context = processContext(jobNames.ask, practiceId, cause)
    const serviceDate = await findServiceDate(services, practiceId, verification.patientId)
    const about = { inquiryId, verificationId, practiceId, patientId: verification.patientId, attempt }
    const question = { ...about, serviceDate, askedAt: clock().toISOString() }
    try {
      await bus.execute(eligibilityDecider, verificationId, { type: 'Ask', question }, context)
    } catch (error) {
      // Another question is on its way, and its answer decides.
      if (error instanceof CommandRejected) return
      throw error
    }
    const { state } = await bus.load(eligibilityDecider, verificationId)
    const known = state.last?.inquiryId === inquiryId ? state.last : null
    const answer =
      known ??
      (await askClearinghouse(
        clearinghouse,
        {
          ...describePolicy(verification, patient),
          practice: (await findPractice(services.db, practiceId))?.name ?? '',
          trace: inquiryId.replaceAll('-', '').toUpperCase(),
          serviceDate: state.open?.serviceDate ?? serviceDate,
          at: question.askedAt,
        },
        inquiryId,
        signal,
      ))
    if (!known) {
      await services.vendors.record('clearinghouse', isConnectionError(answer) ? answer.code : null)
      await bus.execute(eligibilityDecider, verificationId, { type: 'Answer', inquiryId, answer }, context)
    }
    await decide(services, verification, answer, context)
  },
})

/** Returns whether the insurer is to be asked without a user: about each pending policy, and about a verified one now and then. */
async function isDue(
  services: Services,
  { id, practiceId, patientId, status }: Verification,
  history: readonly Recorded<InsuranceEvent>[],
): Promise<boolean> {
  if (status === 'pending') return await isSwitchedOn(services, practiceId, 'eligibility')
  if (!(await isSwitchedOn(services, practiceId, 'coverage-rechecks'))) return false
  const { db, bus, clock } = services
  const now = clock()
  const [{ history: questions }, next] = await Promise.all([
    bus.load(eligibilityDecider, id),
    findNextStart(db, practiceId, patientId, now),
  ])
  return isRecheckDue({ verification: history, questions, nextStart: next === null ? null : new Date(next), now })
}

/** Returns the date of the patient's next appointment, on which the coverage matters; today without one. */
async function findServiceDate({ db, clock }: Services, practiceId: PracticeId, patientId: string): Promise<string> {
  const now = clock()
  const next = await findNextStart(db, practiceId, patientId, now)
  return toLocalDate(next === null ? now : new Date(next), await findTimeZone(db, practiceId))
}

type Person = { firstName: string; lastName: string; dateOfBirth: string | null }

/** Returns what is asked about: the member of the policy, and the patient where that is another person. */
function describePolicy({ fields }: Verification, patient: Person) {
  const { insuranceProvider, policyNumber, groupNumber, memberName, memberDateOfBirth, relationshipToPatient } = fields
  const self = { firstName: patient.firstName, lastName: patient.lastName, birthDate: patient.dateOfBirth }
  const isSelf = relationshipToPatient === 'self'
  const words = (memberName ?? '').split(/\s+/).filter(Boolean)
  const member = { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? '', birthDate: memberDateOfBirth }
  const people: Pick<Inquiry, 'member' | 'dependent'> = isSelf
    ? { member: self, dependent: null }
    : { member, dependent: self }
  return { insurer: insuranceProvider, policyNumber, groupNumber, ...people }
}

/** The status that follows from an answer. An unknown member leaves a pending policy pending, and a verified one to a person. */
const decisions: Partial<Record<Answer['outcome'], 'verified' | 'denied' | 'pending'>> = {
  active: 'verified',
  inactive: 'denied',
  'not-covered': 'denied',
  'correct-data': 'pending',
}

/** Decides a policy by an answer, with the dates of its coverage; leaves one that a person has changed or decided since. */
async function decide(services: Services, asked: Verification, answer: Answer, context: CommandContext): Promise<void> {
  const chosen = decisions[answer.outcome]
  if (chosen === undefined || (chosen === 'pending' && asked.status === 'pending')) return
  const { bus, db, clock } = services
  const { id, practiceId } = asked
  const loaded = await bus.load(verificationDecider, id)
  const { state } = loaded
  if (!state.exists || state.status !== asked.status || JSON.stringify(state.fields) !== JSON.stringify(asked.fields))
    return
  const today = toLocalDate(clock(), await findTimeZone(db, practiceId))
  const change = {
    ...(answer.startsOn === null ? {} : { eligibilityDate: answer.startsOn }),
    ...(answer.endsOn === null ? {} : { expiryDate: answer.endsOn }),
  }
  const after = { ...state.fields, ...change }
  const move = findMove({ before: state, after, chosen, practiceId, userId: null, today })
  const commands: VerificationCommand[] = [{ type: 'Change', practiceId, today, change }]
  if (move) commands.push(move)
  const at = clock().toISOString()
  const timed = commands.map((command) => ({ command, at }))
  await bus.executeAll(verificationDecider, id, timed, context, { loaded })
}
