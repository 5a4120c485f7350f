import { FormId, UserId } from '#contracts/values/ids.ts'
import type { AnalysisResult } from '#contracts/values/forms.ts'
import type { FormCommand } from '#modules/forms/decider.ts'
import type { FormEvent } from '#modules/forms/events.ts'
import { patientId, practiceId } from '#tests/modules/patients/patient-fixtures.ts'

export const formId = FormId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0081')
export const reviewer = UserId.parse('018f3b1e-7b1a-4c3e-9a53-0d6f1f1f0005')
export const subject = { formId, practiceId, patientId }

export const assigned: Extract<FormEvent, { type: 'FormAssigned' }> = {
  type: 'FormAssigned',
  data: { ...subject, formType: 'intake', templateVersion: 1, title: 'New patient intake' },
}

/** Returns the event that saved the answer to one question as a version. */
export const saved = (version: number, value: string): FormEvent => ({
  type: 'FormAnswersSaved',
  data: { ...subject, version, answers: [{ questionId: 'reason', value }], changed: ['reason'] },
})
export const submitted = (version = 1): FormEvent => ({ type: 'FormSubmitted', data: { ...subject, version } })
export const reviewed = (version = 1): FormEvent => ({
  type: 'FormReviewed',
  data: { ...subject, version, reviewedBy: reviewer },
})
export const completed = (version = 1): FormEvent => ({
  type: 'FormCompleted',
  data: { ...subject, version, completedBy: reviewer },
})
export const requested = (version = 1): FormEvent => ({ type: 'FormAnalysisRequested', data: { ...subject, version } })
export const skipped = (version = 1): FormEvent => ({ type: 'FormAnalysisSkipped', data: { ...subject, version } })
export const failed = (version = 1): FormEvent => ({ type: 'FormAnalysisFailed', data: { ...subject, version } })

export const result: AnalysisResult = {
  summary: '1 finding: 1 urgent.',
  findings: [{ text: 'Chest pain', severity: 'urgent', evidence: [{ questionId: 'reason', quote: 'chest pain' }] }],
  followUpQuestions: ['Since when?'],
  suggestedActions: ['Call the patient today'],
  scores: [],
}
export const analyzed = (version = 1): FormEvent => ({
  type: 'FormAnalyzed',
  data: { ...subject, version, analyst: 'rules', model: null, result, findingCount: 1, urgentCount: 1 },
})

export const save = (value: string | null, submit = false): FormCommand => ({
  type: 'SaveAnswers',
  practiceId,
  changed: new Map([['reason', value]]),
  submit,
})
export const submit: FormCommand = { type: 'SaveAnswers', practiceId, changed: new Map(), submit: true }
export const review: FormCommand = { type: 'Review', practiceId, userId: reviewer }
export const complete: FormCommand = { type: 'Complete', practiceId, userId: reviewer }
export const requestAnalysis: FormCommand = { type: 'RequestAnalysis', practiceId }
export const recordAnalysis = (version = 1): FormCommand => ({
  type: 'RecordAnalysis',
  practiceId,
  version,
  analyst: 'rules',
  model: null,
  result,
})
export const skipAnalysis = (version = 1): FormCommand => ({ type: 'SkipAnalysis', practiceId, version })
export const failAnalysis = (version = 1): FormCommand => ({ type: 'FailAnalysis', practiceId, version })
