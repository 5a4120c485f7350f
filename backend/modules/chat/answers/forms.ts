import type { Form } from '#contracts/forms.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { type FormType, isClinicalForm } from '#contracts/values/forms.ts'
import { findNewestForm, findWaitingForms } from '#modules/forms/public.ts'
import { formatCount, formatDay, formatName } from '../format.ts'
import { createFormAction, getFormHref, toPatientSource } from '../links.ts'
import {
  type AnswerContext,
  can,
  type ChatReply,
  createReply,
  type IntentOf,
  joinLines,
  maxListed,
  refuse,
} from '../reply.ts'
import { answerAmbiguous, findPeople } from './patients.ts'

const typeNames: Record<FormType, string> = {
  intake: 'intake form',
  'medical-history': 'medical history form',
  consent: 'consent form',
  insurance: 'insurance form',
  assessment: 'assessment',
}

/** Findings that a summary lists at most. */
const maxFindings = 5

const toFormSource = (form: Form) => ({
  kind: 'form' as const,
  id: form.id,
  label: `${form.title || typeNames[form.formType]}, ${form.patientName}`,
  href: getFormHref(form.id),
})

/** Lists the submitted forms that wait for a review; urgent findings are marked for callers who may read them. */
export async function answerWaitingForms(context: AnswerContext): Promise<ChatReply> {
  const { scope, now, zone, today } = context
  if (!can(context, 'patients:read')) return refuse('forms')
  const { forms, total } = await findWaitingForms(context, scope, now)
  const isClinical = can(context, 'clinical:read')
  const shown = forms.slice(0, maxListed)
  const lines = shown.map((form) => {
    const isUrgent = form.hasUrgentFinding && (isClinical || !isClinicalForm(form.formType))
    const submitted = formatDay(toLocalDate(form.submittedAt ?? form.createdAt, zone), today)
    return `${form.patientName}, ${form.title || typeNames[form.formType]}, submitted ${submitted}${isUrgent ? ', urgent finding' : ''}`
  })
  const head =
    total === 0
      ? 'No forms wait for a review.'
      : `${formatCount(total, 'form waits', 'forms wait')} for a review, newest first:`
  return createReply(joinLines(head, lines, total), {
    sources: [
      { kind: 'forms', id: 'pending', label: 'Forms & Intake', href: '/forms?status=pending' },
      ...shown.slice(0, 5).map(toFormSource),
    ],
    permissions: ['patients:read', ...(isClinical ? ['clinical:read' as const] : [])],
    patientIds: [...new Set(shown.map(({ patientId }) => patientId))],
  })
}

/** Describes the newest form of a patient: its state, and for callers who may read it the summary and the findings. */
export async function answerLastForm(context: AnswerContext, { person }: IntentOf<'last-form'>): Promise<ChatReply> {
  const { scope, zone, today } = context
  if (!can(context, 'patients:read')) return refuse('forms')
  const cards = await findPeople(context, person)
  const [card] = cards
  if (!card || cards.length > 1) return answerAmbiguous(person, cards)
  const name = formatName(card)
  const form = await findNewestForm(context, scope, card.id)
  const patientIds = [card.id]
  const patient = toPatientSource({ id: card.id, name })
  if (!form)
    return createReply(`There is no form of ${name}.`, {
      sources: [patient],
      actions: can(context, 'patients:write') ? [createFormAction] : [],
      permissions: ['patients:read'],
      patientIds,
    })
  const isClinical = isClinicalForm(form.formType)
  const mayRead = !isClinical || can(context, 'clinical:read')
  const state =
    form.submittedAt === null
      ? 'not submitted yet'
      : `submitted ${formatDay(toLocalDate(form.submittedAt, zone), today)}, ${form.status === 'pending' ? 'waiting for a review' : form.status}`
  const head = `The last form of ${name} is the ${typeNames[form.formType]} "${form.title}", ${state}.`
  const text = mayRead
    ? [head, ...describeAnalysis(form)].join('\n')
    : `${head}\nIts answers are shown to clinical staff only.`
  return createReply(text, {
    sources: [toFormSource(form), patient],
    actions: [{ label: 'Open the form', href: getFormHref(form.id) }],
    permissions: ['patients:read', ...(isClinical && mayRead ? ['clinical:read' as const] : [])],
    patientIds,
  })
}

/** Returns the lines of a form's analysis: its summary, the scores and the findings, urgent ones first. */
function describeAnalysis({ aiAnalysis, submittedAt }: Form): string[] {
  if (!aiAnalysis) return submittedAt === null ? [] : ['It has not been analyzed yet.']
  const { summary, scores, findings, isStale } = aiAnalysis
  const order = ['urgent', 'attention', 'info']
  const sorted = findings.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
  const shown = sorted
    .slice(0, maxFindings)
    .map((finding) => `- ${finding.severity === 'urgent' ? 'Urgent: ' : ''}${finding.text}`)
  return [
    summary,
    ...scores.map(({ instrument, total, band, answered, items }) =>
      total === null
        ? `- ${instrument}: ${answered} of ${items} items answered`
        : `- ${instrument}: ${total}${band ? `, ${band}` : ''}`,
    ),
    ...shown,
    ...(sorted.length > maxFindings ? [`And ${sorted.length - maxFindings} more.`] : []),
    ...(isStale ? ['An answer has changed since this analysis.'] : []),
  ].filter((line) => line.trim() !== '')
}
