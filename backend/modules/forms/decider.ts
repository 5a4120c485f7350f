import type { Answers, FormStatus, FormType } from '#contracts/values/forms.ts'
import type { FormId, PatientId, PracticeId, UserId } from '#contracts/values/ids.ts'
import { type Decider, reject } from '#eventstore/decider.ts'
import { FormEvent, type StoredAnswer } from './events.ts'

type Assigned = Extract<FormEvent, { type: 'FormAssigned' }>['data']
type Analyzed = Extract<FormEvent, { type: 'FormAnalyzed' }>['data']

/** Commands for one form. `version` is the version of the answers that an analysis is about. */
export type FormCommand =
  | { type: 'Assign'; form: Assigned }
  | { type: 'SaveAnswers'; practiceId: PracticeId; changed: AnswerChanges; submit: boolean }
  | { type: 'Review'; practiceId: PracticeId; userId: UserId }
  | { type: 'Complete'; practiceId: PracticeId; userId: UserId }
  | { type: 'RequestAnalysis'; practiceId: PracticeId }
  | ({ type: 'RecordAnalysis'; practiceId: PracticeId; version: number } & Pick<
      Analyzed,
      'analyst' | 'model' | 'result'
    >)
  | { type: 'FailAnalysis' | 'SkipAnalysis'; practiceId: PracticeId; version: number }

/** Changed answers by the id of their question; null removes one. */
export type AnswerChanges = ReadonlyMap<string, StoredAnswer['value'] | null>

/** An analysis and the version of the answers that it is about. */
export type KnownAnalysis = Pick<Analyzed, 'version' | 'analyst' | 'model' | 'result'>

export type KnownForm = {
  known: true
  formId: FormId
  practiceId: PracticeId
  patientId: PatientId
  formType: FormType
  templateVersion: number
  title: string
  status: FormStatus
  answers: readonly StoredAnswer[]
  version: number
  isSubmitted: boolean
  /** The latest version for which an analysis was requested, by a submission or by a user; null without any. */
  requestedVersion: number | null
  /** The latest version whose analysis failed and was not requested again. */
  failedVersion: number | null
  analysis: KnownAnalysis | null
}

export type FormState = { known: false } | KnownForm

export type FormRejection = 'not-found' | 'form-closed' | 'form-not-submitted'

type Decision = readonly FormEvent[] | ReturnType<typeof reject<FormRejection>>

/**
 * The rules of a form: answers are saved while it is pending, it is handed in once, and its status never goes back. There is at
 * most one analysis of each version of the answers.
 */
export const formDecider: Decider<FormCommand, FormEvent, FormState, FormRejection> = {
  category: 'form',
  events: FormEvent,
  initial: { known: false },
  decide,
  evolve,
}

/** Returns answers by the id of their question. */
export const toAnswers = (answers: readonly StoredAnswer[]): Answers =>
  Object.fromEntries(answers.map(({ questionId, value }) => [questionId, value]))

/** Returns whether a form is waiting for an analysis of its present answers. */
export const isAnalysisRunning = ({ version, requestedVersion, failedVersion, analysis }: KnownForm): boolean =>
  requestedVersion === version && failedVersion !== version && analysis?.version !== version

function decide(command: FormCommand, state: FormState): Decision {
  if (command.type === 'Assign') return state.known ? [] : [{ type: 'FormAssigned', data: command.form }]
  if (!state.known || state.practiceId !== command.practiceId) return reject('not-found', 'There is no such form.')
  const { formId, practiceId, patientId, version } = state
  const subject = { formId, practiceId, patientId }
  switch (command.type) {
    case 'SaveAnswers':
      return saveAnswers(command, state)
    case 'Review':
      if (state.status !== 'pending') return []
      if (!state.isSubmitted) return notSubmitted()
      return [{ type: 'FormReviewed', data: { ...subject, version, reviewedBy: command.userId } }]
    case 'Complete': {
      const { userId } = command
      if (state.status === 'completed') return []
      if (!state.isSubmitted) return notSubmitted()
      const completed: FormEvent = { type: 'FormCompleted', data: { ...subject, version, completedBy: userId } }
      if (state.status === 'reviewed') return [completed]
      return [{ type: 'FormReviewed', data: { ...subject, version, reviewedBy: userId } }, completed]
    }
    case 'RequestAnalysis':
      if (state.analysis?.version === version || isAnalysisRunning(state)) return []
      return [{ type: 'FormAnalysisRequested', data: { ...subject, version } }]
    case 'RecordAnalysis': {
      // Answers that were changed while it ran are analyzed on request; one version has one analysis.
      if (command.version !== version || state.analysis?.version === version) return []
      const { analyst, model, result } = command
      const urgentCount = result.findings.filter(({ severity }) => severity === 'urgent').length
      const counts = { findingCount: result.findings.length, urgentCount }
      return [{ type: 'FormAnalyzed', data: { ...subject, version, analyst, model, result, ...counts } }]
    }
    case 'FailAnalysis':
      if (command.version !== version || !isAnalysisRunning(state)) return []
      return [{ type: 'FormAnalysisFailed', data: { ...subject, version } }]
    case 'SkipAnalysis':
      if (command.version !== version || !isAnalysisRunning(state)) return []
      return [{ type: 'FormAnalysisSkipped', data: { ...subject, version } }]
  }
}

const notSubmitted = () => reject('form-not-submitted', 'This form has not been filled in yet.')

const isSame = (one: StoredAnswer['value'] | undefined, other: StoredAnswer['value']) =>
  JSON.stringify(one) === JSON.stringify(other)

function saveAnswers(command: Extract<FormCommand, { type: 'SaveAnswers' }>, state: KnownForm): Decision {
  const { formId, practiceId, patientId } = state
  const subject = { formId, practiceId, patientId }
  const answers = new Map(state.answers.map(({ questionId, value }) => [questionId, value]))
  const changed = [...command.changed].filter(([questionId, value]) =>
    value === null ? answers.has(questionId) : !isSame(answers.get(questionId), value),
  )
  if (changed.length === 0 && (!command.submit || state.isSubmitted)) return []
  if (state.status !== 'pending')
    return reject('form-closed', 'This form was reviewed, so that its answers cannot be changed any more.')
  for (const [questionId, value] of changed)
    if (value === null) answers.delete(questionId)
    else answers.set(questionId, value)
  const version = state.version + (changed.length > 0 ? 1 : 0)
  const events: FormEvent[] = []
  if (changed.length > 0)
    events.push({
      type: 'FormAnswersSaved',
      data: {
        ...subject,
        version,
        answers: [...answers].map(([questionId, value]) => ({ questionId, value })),
        changed: changed.map(([questionId]) => questionId),
      },
    })
  if (command.submit && !state.isSubmitted) events.push({ type: 'FormSubmitted', data: { ...subject, version } })
  return events
}

function evolve(state: FormState, event: FormEvent): FormState {
  if (event.type === 'FormAssigned') {
    const { formId, practiceId, patientId, formType, templateVersion, title } = event.data
    const nothing = { requestedVersion: null, failedVersion: null, analysis: null }
    const form = { formId, practiceId, patientId, formType, templateVersion, title }
    return { known: true, ...form, status: 'pending', answers: [], version: 0, isSubmitted: false, ...nothing }
  }
  if (!state.known) return state
  switch (event.type) {
    case 'FormAnswersSaved':
      return { ...state, answers: event.data.answers, version: event.data.version }
    case 'FormSubmitted':
      return { ...state, isSubmitted: true, requestedVersion: event.data.version }
    case 'FormReviewed':
      return { ...state, status: 'reviewed' }
    case 'FormCompleted':
      return { ...state, status: 'completed' }
    case 'FormAnalysisRequested':
      return { ...state, requestedVersion: event.data.version, failedVersion: null }
    case 'FormAnalyzed': {
      const { version, analyst, model, result } = event.data
      return { ...state, analysis: { version, analyst, model, result } }
    }
    case 'FormAnalysisFailed':
      return { ...state, failedVersion: event.data.version }
    case 'FormAnalysisSkipped':
      return { ...state, requestedVersion: null }
  }
}
