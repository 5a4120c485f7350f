import { z } from 'zod'
import { ModelName } from '#contracts/values/ai-models.ts'
import { AnalysisResult, FormType } from '#contracts/values/forms.ts'
import { FormId, PatientId, PracticeId, UserId } from '#contracts/values/ids.ts'
import { event, eventAbout, phi } from '#eventstore/event.ts'

const patientEvent = eventAbout('patientId')

const subject = { formId: FormId, practiceId: PracticeId, patientId: PatientId }

/** The version of the answers: 0 without any, one more with every change. */
const version = z.number().int().min(0)

/** An answer as it is stored: a list of these, because no text that a user chose is a JSON key. */
const StoredAnswer = z.object({
  questionId: z.string(),
  value: z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
})
export type StoredAnswer = z.infer<typeof StoredAnswer>

/** The history of one form of a patient. */
export const FormEvent = z.discriminatedUnion('type', [
  /** The title may name an illness. */
  patientEvent('FormAssigned', {
    ...subject,
    formType: FormType,
    templateVersion: z.number().int().positive(),
    title: phi(z.string()),
  }),
  /** The answers were saved: `answers` are all of them, `changed` the ids of the questions whose answer was set, changed or removed. */
  patientEvent('FormAnswersSaved', {
    ...subject,
    version,
    answers: phi(z.array(StoredAnswer)),
    changed: phi(z.array(z.string())),
  }),
  event('FormSubmitted', { ...subject, version }),
  event('FormReviewed', { ...subject, version, reviewedBy: UserId }),
  event('FormCompleted', { ...subject, version, completedBy: UserId }),
  event('FormAnalysisRequested', { ...subject, version }),
  /** `model`: the model that was to analyze them, also when the rules did because it gave no reply; null without one. The counts are of `result.findings`. */
  patientEvent('FormAnalyzed', {
    ...subject,
    version,
    analyst: z.enum(['rules', 'model']),
    model: ModelName.nullable(),
    result: phi(AnalysisResult),
    findingCount: z.number().int().min(0),
    urgentCount: z.number().int().min(0),
  }),
  event('FormAnalysisFailed', { ...subject, version }),
  /** The practice had switched off that forms are analyzed by themselves. */
  event('FormAnalysisSkipped', { ...subject, version }),
])
export type FormEvent = z.infer<typeof FormEvent>
