import { z } from 'zod'
import { line, text } from './text.ts'

/** The types of forms (spec page 2, section 4.3). */
export const FormType = z.enum(['intake', 'medical-history', 'consent', 'insurance', 'assessment'], {
  error: 'Please choose a form type',
})
export type FormType = z.infer<typeof FormType>

/** The states of a form: waiting for answers or a review, reviewed, and completed. They never go back. */
export const FormStatus = z.enum(['pending', 'reviewed', 'completed'])
export type FormStatus = z.infer<typeof FormStatus>

/** The types whose answers describe health: they are shown and filled in only with the permissions for clinical data. */
const clinicalTypes: readonly FormType[] = ['intake', 'medical-history', 'assessment']

/** Returns whether the answers of a type describe health. */
export const isClinicalForm = (formType: FormType): boolean => clinicalTypes.includes(formType)

/** The id of a question, also of one that a template does not have. Never a free text: V8 mixes up such JSON keys. */
export const QuestionId = z
  .string()
  .regex(/^[A-Za-z0-9_.-]{1,64}$/, 'A key has 1 to 64 of the characters A-Z a-z 0-9 _ . -')

/** An answer: a text (also a date, YYYY-MM-DD), a number, yes or no, or several choices. */
export const Answer = z.union([text(4_000), z.number(), z.boolean(), z.array(line(200)).max(50)], {
  error: 'This answer is not valid',
})
export type Answer = z.infer<typeof Answer>

/** The answers of a form by the id of their question. */
export type Answers = Readonly<Record<string, Answer>>

/** The weight of a finding: to know, to look at, or to act on before anything else. */
export const FindingSeverity = z.enum(['info', 'attention', 'urgent'])
export type FindingSeverity = z.infer<typeof FindingSeverity>

/** The words of an answer on which a finding rests, literally. */
export const Evidence = z.object({ questionId: QuestionId, quote: z.string().min(1) })

/** A finding about a form, for a person to check. */
export const Finding = z.object({
  text: z.string().min(1).max(500),
  severity: FindingSeverity,
  evidence: z.array(Evidence).min(1).max(5),
})
export type Finding = z.infer<typeof Finding>

/**
 * The score of a published questionnaire. `total` and `band` are null while items are unanswered: an incomplete score says
 * nothing.
 */
export const FormScore = z.object({
  instrument: z.enum(['PHQ-9', 'GAD-7']),
  answered: z.number().int(),
  items: z.number().int(),
  total: z.number().int().nullable(),
  band: z.string().nullable(),
})
export type FormScore = z.infer<typeof FormScore>

/** The result of an analyst about the answers of a form. */
export const AnalysisResult = z.object({
  summary: z.string().max(2_000),
  findings: z.array(Finding).max(30),
  followUpQuestions: z.array(z.string().max(300)).max(10),
  suggestedActions: z.array(z.string().max(300)).max(10),
  scores: z.array(FormScore),
})
export type AnalysisResult = z.infer<typeof AnalysisResult>
