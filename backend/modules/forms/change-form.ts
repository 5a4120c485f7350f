import { checkAnswers } from '#contracts/form-answers.ts'
import { findTemplate } from '#contracts/form-templates.ts'
import type { Form, FormChange } from '#contracts/forms.ts'
import { type Answers, isClinicalForm } from '#contracts/values/forms.ts'
import type { FormId } from '#contracts/values/ids.ts'
import type { CommandContext, LoadedStream } from '#eventstore/command.ts'
import { isConflict } from '#eventstore/command-errors.ts'
import type { Recorded } from '#eventstore/event.ts'
import { requirePermission } from '#http/access.ts'
import { invalidRequest, notFound } from '#http/problems.ts'
import type { Member } from '#http/session.ts'
import { throwFieldConflict } from '#modules/kit/field-conflict.ts'
import type { Services } from '#modules/module.ts'
import { recordScope } from '#modules/samples/public.ts'
import type { z } from 'zod'
import {
  type AnswerChanges,
  type FormCommand,
  formDecider,
  type FormState,
  type KnownForm,
  toAnswers,
} from './decider.ts'
import type { FormEvent, StoredAnswer } from './events.ts'
import { findForm } from './queries.ts'

type Change = z.output<typeof FormChange>

/** Returns the changes of answers as the decider takes them. */
export const toChanges = (formData: Readonly<Record<string, StoredAnswer['value'] | null>>): AnswerChanges =>
  new Map(Object.entries(formData))

/** Throws 422 with the questions at fault. */
export function requireValidAnswers(
  form: Pick<KnownForm, 'formType' | 'templateVersion'>,
  answers: Answers,
  isComplete: boolean,
): void {
  const template = findTemplate(form.formType, form.templateVersion)
  if (!template) throw new Error(`There is no version ${form.templateVersion} of the template ${form.formType}`)
  const problems = checkAnswers(template, answers, { isComplete })
  if (problems.length > 0) throw invalidRequest(problems)
}

/**
 * Changes a form: saves answers, hands them in, or moves it on. Throws 404 for a form of another practice, 403 for answers that
 * describe health without `clinical:write`, 422 for invalid answers, and 409.
 */
export async function changeForm(
  services: Services,
  caller: Member,
  formId: FormId,
  { formData, submit = false, status, revision }: Change,
  context: CommandContext,
): Promise<Form> {
  const { bus, db } = services
  const { practiceId, userId } = caller
  const loaded = await bus.load(formDecider, formId)
  const { state } = loaded
  const scope = recordScope(caller)
  if (!state.known || state.practiceId !== practiceId || !(await findForm(services, scope, formId)))
    throw notFound('form')
  if (isClinicalForm(state.formType))
    requirePermission(caller, 'clinical:write', formData ? 'formData' : status ? 'status' : undefined)
  const commands: FormCommand[] = []
  if (formData || submit) {
    const changed = toChanges(formData ?? {})
    const after = applyChanges(toAnswers(state.answers), changed)
    if (state.status === 'pending') requireValidAnswers(state, after, submit || state.isSubmitted)
    commands.push({ type: 'SaveAnswers', practiceId, changed, submit })
  }
  if (status) commands.push({ type: status === 'reviewed' ? 'Review' : 'Complete', practiceId, userId })
  try {
    await executeOnRevision(services, formId, commands, context, { loaded, revision })
  } catch (error) {
    if (!isConflict(error, formDecider)) throw error
    return await throwFieldConflict(db, {
      since: error.conflictingEvents,
      changedFields,
      now: currentValues(error.state),
      message: 'This form was changed by someone else',
    })
  }
  const form = await findForm(services, scope, formId)
  if (!form) throw notFound('form')
  return form
}

/**
 * Saves answers of a pending form, and hands them in, for a caller whose right to do so was checked. Throws 409 for a form that is not pending, and 422 for
 * invalid answers.
 */
export async function saveAnswers(
  { bus }: Pick<Services, 'bus'>,
  form: KnownForm,
  { formData, submit }: { formData: Parameters<typeof toChanges>[0]; submit: boolean },
  context: CommandContext,
): Promise<void> {
  const changed = toChanges(formData)
  requireValidAnswers(form, applyChanges(toAnswers(form.answers), changed), submit)
  const { formId, practiceId } = form
  await bus.execute(formDecider, formId, { type: 'SaveAnswers', practiceId, changed, submit }, context)
}

type Given = { loaded: LoadedStream<FormState, FormEvent>; revision: number | undefined }

/** Executes commands on the revision that the user saw. What an analysis added since is no conflict. */
async function executeOnRevision(
  { bus, clock }: Services,
  formId: FormId,
  commands: readonly FormCommand[],
  context: CommandContext,
  { loaded, revision }: Given,
): Promise<void> {
  const at = clock().toISOString()
  const timed = commands.map((command) => ({ command, at }))
  if (revision === undefined) return void (await bus.executeAll(formDecider, formId, timed, context, { loaded }))
  const since = loaded.history.filter((event) => event.revision > BigInt(revision))
  const isAnalyzedOnly = since.length > 0 && since.every((event) => changedFields(event).length === 0)
  const expectedRevision = isAnalyzedOnly && loaded.revision !== 'no-stream' ? loaded.revision : BigInt(revision)
  await bus.executeAll(formDecider, formId, timed, context, { loaded, expectedRevision })
}

/** Returns what an event changed for a user: answers by the id of their question, or the status. */
function changedFields({ type, data }: Recorded<FormEvent>): string[] {
  if (type === 'FormAnswersSaved') return [...data.changed]
  return type === 'FormReviewed' || type === 'FormCompleted' ? ['status'] : []
}

const currentValues = (state: FormState): Record<string, unknown> =>
  state.known ? { ...toAnswers(state.answers), status: state.status } : {}

function applyChanges(answers: Answers, changed: AnswerChanges): Answers {
  const after = new Map(Object.entries(answers))
  for (const [questionId, value] of changed)
    if (value === null) after.delete(questionId)
    else after.set(questionId, value)
  return Object.fromEntries(after)
}
