import type { Router } from '@koa/router'
import { addDays } from 'date-fns/addDays'
import { renderSVG } from 'uqr'
import { findTemplate } from '#contracts/form-templates.ts'
import * as contract from '#contracts/form-links.ts'
import { maxFormLinkTries } from '#contracts/form-links.ts'
import type { FormId, PatientId, PracticeId } from '#contracts/values/ids.ts'
import type { CommandContext } from '#eventstore/command.ts'
import { CommandRejected } from '#eventstore/command-errors.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import { createRateLimiter, hourly, type Limit, type RateLimiter } from '#http/rate-limiter.ts'
import { serve } from '#http/serve.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { findPatientRecords } from '#modules/patients/public.ts'
import { findPractice } from '#modules/practices/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { saveAnswers } from '../change-form.ts'
import { formDecider, toAnswers } from '../decider.ts'
import { findForm } from '../queries.ts'
import { formSettings } from '../settings.ts'
import { findLinkRejection, formLinkDecider, type FormLinkState } from './decider.ts'
import { createFormAccess, createFormToken, createFormUrl, isFormAccess, parseFormToken } from './tokens.ts'

/** Limit of wrong dates of birth from one network: a waiting room shares one, and guesses do not. */
const missesPerNetwork: Limit = {
  purpose: 'form link network',
  maxAttempts: 30,
  ...hourly,
  code: 'too-many-attempts',
  message: 'Too many wrong dates of birth from your network.',
}

/** Limit of the answers saved with one link: a page saves at most one a second. */
const savesPerLink: Limit = {
  purpose: 'form link answers',
  maxAttempts: 1_500,
  ...hourly,
  code: 'too-many-attempts',
  message: 'Too many answers at once.',
}

/** Adds the links with which patients fill in forms: for staff to create, and for patients to use without an account. */
export function addFormLinkRoutes(router: Router, services: Services): void {
  const { bus, clock, keyedHash, relaxedPool } = services
  const createUnavailable = () =>
    new ProblemError(503, 'unavailable', 'The form cannot be opened right now. Please try again soon.')
  const limiter = createRateLimiter({ pool: relaxedPool, clock, keyedHash, createUnavailable })
  const { address } = formSettings.read(services)
  const findLink = createFindLink(services)
  const tryBirthDate = createTryBirthDate(services, limiter)

  serve(router, contract.getFormLink, async ({ caller, params: { formId } }) => {
    await requireForm(services, caller, formId)
    const { state } = await bus.load(formLinkDecider, formId)
    return { link: state.known ? { state: toShownState(state, clock()), expiresAt: state.link.expiresAt } : null }
  })

  serve(router, contract.createFormLink, async ({ caller, params: { formId } }, { commandContext }) => {
    const { practiceId } = caller
    const form = await requireForm(services, caller, formId)
    if (form.submittedAt !== null || form.status !== 'pending')
      throw new ProblemError(409, 'form-closed', 'This form was handed in already.')
    const { patientId } = form
    const [patient] = await findPatientRecords(services, practiceId, [patientId])
    if (patient && patient.deceasedOn !== null)
      throw new ProblemError(409, 'patient-deceased', 'This patient is recorded as deceased.')
    if (!patient?.dateOfBirth)
      throw new ProblemError(
        409,
        'birth-date-missing',
        'The page asks for the date of birth first. Please add it to the patient.',
      )
    const { token, linkId } = createFormToken(keyedHash, formId)
    const expiresAt = addDays(clock(), contract.formLinkDays).toISOString()
    const link = { formId, practiceId, patientId, linkId, expiresAt }
    // Every request makes a link of its own: that of a lost reply is of no use.
    await bus.execute(formLinkDecider, formId, { type: 'Create', link }, commandContext, { idempotencyKey: null })
    const url = createFormUrl(address, token)
    return { url, expiresAt, qr: renderSVG(url, { border: 4 }) }
  })

  serve(router, contract.revokeFormLink, async ({ caller, params: { formId } }, { commandContext }) => {
    const { practiceId } = caller
    await requireForm(services, caller, formId)
    await bus.execute(formLinkDecider, formId, { type: 'Revoke', practiceId }, commandContext)
    return null
  })

  serve(router, contract.lookUpFormLink, async ({ body: { token } }) => (await findLink(token)).practice)

  serve(
    router,
    contract.openPatientForm,
    async ({ body: { token, dateOfBirth } }, { commandContext, clientAddress }) => {
      const found = await findLink(token)
      const context = toPatientContext(commandContext, found.link.practiceId)
      await tryBirthDate(found, dateOfBirth, clientAddress, context)
      const { form, link, practice } = found
      const template = findTemplate(form.formType, form.templateVersion)
      if (!template) throw new Error(`There is no version ${form.templateVersion} of the template ${form.formType}`)
      const access = createFormAccess(keyedHash, link.linkId, clock())
      return { ...practice, access, title: form.title, template, formData: { ...toAnswers(form.answers) } }
    },
  )

  serve(router, contract.savePatientForm, async ({ body: { token, access, formData, submit } }, { commandContext }) => {
    const { link, form } = await findLink(token)
    if (!isFormAccess(keyedHash, access, link.linkId, clock()))
      throw new ProblemError(403, 'identify-again', 'Please enter the date of birth again.')
    await limiter.consume([{ limit: savesPerLink, value: link.linkId }])
    const context = toPatientContext(commandContext, link.practiceId)
    await saveAnswers(services, form, { formData, submit }, context)
    return { isSubmitted: submit }
  })
}

/** Returns the context of what a patient does without an account. */
const toPatientContext = ({ correlationId }: CommandContext, practiceId: PracticeId): CommandContext => ({
  practiceId,
  actor: { kind: 'process', name: 'visitor' },
  correlationId,
})

async function requireForm(services: Services, caller: Member, formId: FormId) {
  const form = await findForm(services, recordScope(caller), formId)
  if (!form) throw notFound('form')
  return form
}

function toShownState(state: Extract<FormLinkState, { known: true }>, now: Date): contract.FormLink['state'] {
  if (state.isRevoked) return 'revoked'
  if (state.misses >= maxFormLinkTries) return 'closed'
  if (state.link.expiresAt <= now.toISOString()) return 'expired'
  return state.isUsed ? 'used' : 'open'
}

/** A link that works, with its form and the patient's date of birth, YYYY-MM-DD. */
type Found = Awaited<ReturnType<ReturnType<typeof createFindLink>>>

/** Returns the function that finds the form of a link that works. Throws 404 and 410. */
function createFindLink(services: Services) {
  const { bus, db, clock, keyedHash } = services
  return async (token: string) => {
    const parsed = parseFormToken(keyedHash, token)
    if (!parsed) throw invalidLink()
    const { formId, linkId } = parsed
    const [{ state }, { state: form }] = await Promise.all([
      bus.load(formLinkDecider, formId),
      bus.load(formDecider, formId),
    ])
    const refused = findLinkRejection(state, linkId, clock().toISOString())
    if (refused) throw toGone(refused.rejected, refused.message)
    if (!state.known || !form.known) throw invalidLink()
    if (form.isSubmitted || form.status !== 'pending')
      throw toGone('form-submitted', 'This form was handed in already. Thank you.')
    const { link } = state
    const practiceId = link.practiceId as PracticeId
    const [patients, practice] = await Promise.all([
      findPatientRecords(services, practiceId, [link.patientId as PatientId]),
      findPractice(db, practiceId),
    ])
    const dateOfBirth = patients[0]?.dateOfBirth
    if (!dateOfBirth || !practice) throw toGone('link-revoked', 'This link no longer works.')
    return {
      link: { ...link, practiceId },
      form,
      dateOfBirth,
      misses: state.misses,
      practice: { practiceName: practice.name, practicePhone: practice.phone },
    }
  }
}

/** Returns the function that compares a date of birth and records the outcome. Throws 403, 410 and 429. */
function createTryBirthDate({ bus, clock }: Services, limiter: RateLimiter) {
  return async ({ link, ...found }: Found, dateOfBirth: string, network: string, context: CommandContext) => {
    const attempts = [{ limit: missesPerNetwork, value: network }]
    await limiter.consume(attempts)
    const isRight = dateOfBirth === found.dateOfBirth
    const command = { type: 'Try', linkId: link.linkId, isRight, now: clock().toISOString() } as const
    const { state } = await bus
      .execute(formLinkDecider, link.formId, command, context, { idempotencyKey: null })
      .catch((error: unknown) => {
        if (error instanceof CommandRejected) throw toGone(error.rejection.rejected, error.rejection.message)
        throw error
      })
    if (isRight) return await limiter.refund(attempts)
    const left = maxFormLinkTries - (state.known ? state.misses : maxFormLinkTries)
    if (left <= 0) throw toGone('link-closed', 'This link was closed after three wrong dates of birth.')
    const tries = left === 1 ? 'One try is' : `${left} tries are`
    throw new ProblemError(
      403,
      'wrong-birth-date',
      `This is not the date of birth that the practice has. ${tries} left.`,
    )
  }
}

const invalidLink = () => new ProblemError(404, 'not-found', 'This link is not valid.')

const toGone = (code: string, message: string) =>
  code === 'not-found' ? invalidLink() : new ProblemError(410, code, message)
