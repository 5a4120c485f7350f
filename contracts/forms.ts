import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { AnalysisResult, Answer, FormStatus, FormType, isClinicalForm, QuestionId } from './values/forms.ts'
import { FormId, PatientId, UserId } from './values/ids.ts'
import { PersonName } from './values/person-name.ts'
import { line, text } from './values/text.ts'

/** The answers of a form by the id of their question; those that its template does not ask for are kept as other answers. */
const FormData = z.record(QuestionId, Answer)

/** A question of a template. `shownIf`: it is asked only after this answer to an earlier question. */
const Question = z.object({
  id: QuestionId,
  type: z.enum(['text', 'number', 'date', 'choice', 'several', 'yes-no', 'scale', 'signature']),
  label: z.string(),
  /** The options of `choice`, `several` and `scale`; the values of a scale are whole numbers, as texts. */
  options: z.array(z.object({ value: z.string(), label: z.string() })).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  unit: z.string().optional(),
  required: z.boolean().optional(),
  shownIf: z.object({ questionId: QuestionId, answer: Answer }).optional(),
})
export type Question = z.infer<typeof Question>

/** The questions of a form type. A form keeps the version with which it was begun. */
export const FormTemplate = z.object({
  formType: FormType,
  version: z.number().int(),
  title: z.string(),
  groups: z.array(z.object({ id: z.string(), title: z.string(), questions: z.array(Question) })),
})
export type FormTemplate = z.infer<typeof FormTemplate>

/**
 * The findings about the answers, by rules or by a model, for a person to check. `isStale`: an answer has changed since; findings
 * on other answers stand.
 */
export const FormAnalysis = AnalysisResult.extend({
  analyst: z.enum(['rules', 'model']),
  /** The model that was to analyze them, also when the rules did because it did not reply; null without one. */
  model: z.string().nullable(),
  analyzedAt: z.string(),
  isStale: z.boolean(),
})
export type FormAnalysis = z.infer<typeof FormAnalysis>

/** A form. `formData` and `aiAnalysis` of a type that describes health are missing for callers without `clinical:read`. */
export const Form = z.object({
  id: FormId,
  patientId: PatientId,
  patientName: z.string(),
  patient: PersonName,
  formType: FormType,
  title: z.string(),
  templateVersion: z.number().int(),
  formData: FormData.optional(),
  status: FormStatus,
  /** The state of the analysis of the present answers, also for callers who may not see it. `skipped`: the practice has switched off that forms are analyzed by themselves. */
  analysisState: z.enum(['none', 'running', 'complete', 'failed', 'skipped']),
  findingCount: z.number().int(),
  hasUrgentFinding: z.boolean(),
  /** Absent until there is one. */
  aiAnalysis: FormAnalysis.optional(),
  createdAt: z.string(),
  /** The time at which the answers were handed in; null while they are a draft. */
  submittedAt: z.string().nullable(),
  reviewedAt: z.string().nullable(),
  completedAt: z.string().nullable(),
  reviewedBy: z.object({ id: UserId, name: z.string().nullable() }).nullable(),
  revision: z.number().int(),
})
export type Form = z.infer<typeof Form>

/** Removes what describes health from a form. */
const withholdClinical = (form: Form): Form => {
  if (!isClinicalForm(form.formType)) return form
  const { formData: _answers, aiAnalysis: _analysis, ...rest } = form
  return { ...rest, findingCount: 0, hasUrgentFinding: false }
}

const access = { permission: 'patients:read' } as const
const params = z.object({ formId: FormId })

/**
 * Lists forms, newest first. `search` matches the patient's name. `aiAnalysis` and `formData` are left out of a
 * list: a form is opened by its id.
 */
export const listForms = endpoint({
  method: 'GET',
  path: '/api/forms',
  access,
  query: z.object({
    limit: z.coerce.number().int().min(1).max(200).default(50),
    type: FormType.optional(),
    status: FormStatus.optional(),
    search: text(200).optional(),
    patientId: PatientId.optional(),
    cursor: z.string().max(500).optional(),
  }),
  reply: z.array(Form),
  withhold: (forms: Form[], may): Form[] => (may('clinical:read') ? forms : forms.map(withholdClinical)),
})

/** The three figures above the list. */
export const FormCounts = z.object({
  /** Forms with an analysis. */
  analyzed: z.number().int(),
  /** Analyses that are still running. */
  running: z.number().int(),
  /** Submitted forms that wait for a review. */
  pendingReview: z.number().int(),
  completed: z.number().int(),
  /** Forms completed within the last seven days. */
  completedThisWeek: z.number().int(),
})
export type FormCounts = z.infer<typeof FormCounts>

/** Counts the practice's forms. */
export const countForms = endpoint({ method: 'GET', path: '/api/forms/counts', access, reply: FormCounts })

export const getForm = endpoint({
  method: 'GET',
  path: '/api/forms/:formId',
  access,
  params,
  reply: Form,
  withhold: (form: Form, may): Form => (may('clinical:read') ? form : withholdClinical(form)),
})

export const NewForm = z.strictObject({
  patientId: PatientId,
  formType: FormType,
  title: line(200).pipe(z.string().min(1, 'Please enter a title')),
  /** With answers, the form counts as submitted. */
  formData: FormData.default({}),
})
export type NewForm = z.input<typeof NewForm>

/** Creates a form. Answers of a type that describes health need `clinical:write`. */
export const createForm = endpoint({
  method: 'POST',
  path: '/api/forms',
  access: { permission: 'patients:write' },
  body: NewForm,
  reply: Form,
  status: 201,
  withhold: (form: Form, may): Form => (may('clinical:read') ? form : withholdClinical(form)),
})

export const FormChange = z.strictObject({
  /** The changed answers; null removes one. Only while the form is pending. */
  formData: z.record(QuestionId, Answer.nullable()).optional(),
  /** Hands the answers in. */
  submit: z.boolean().optional(),
  status: z.enum(['reviewed', 'completed']).optional(),
  revision: z.number().int().min(0).optional(),
})
export type FormChange = z.input<typeof FormChange>

/**
 * Saves answers of a pending form, hands them in, or moves the form on. 409 `changed-meanwhile` when another user has changed
 * it since `revision`; 409 `form-closed` for answers of a form that is not pending any more; 422 names the answer at fault.
 */
export const changeForm = endpoint({
  method: 'PATCH',
  path: '/api/forms/:formId',
  access: { permission: 'patients:write' },
  params,
  body: FormChange,
  reply: Form,
  withhold: (form: Form, may): Form => (may('clinical:read') ? form : withholdClinical(form)),
})

/** The reply while there is no analysis of the present answers; `failed` when it cannot be analyzed. */
export const FormAnalysisRunning = z.object({ state: z.enum(['none', 'running', 'failed', 'skipped']) })
export type FormAnalysisRunning = z.infer<typeof FormAnalysisRunning>

/**
 * Returns the analysis of the present answers; starts it if needed, for callers with `clinical:write`, and waits up to ten
 * seconds. 202 with its state while there is none.
 */
export const getFormAnalysis = endpoint({
  method: 'GET',
  path: '/api/forms/:formId/analysis',
  access: { permission: 'clinical:read' },
  params,
  reply: z.union([FormAnalysis, FormAnalysisRunning]),
  statusOf: (analysis: FormAnalysis | FormAnalysisRunning) => ('state' in analysis ? 202 : 200),
})

/** Lists the newest version of every template. */
export const listFormTemplates = endpoint({
  method: 'GET',
  path: '/api/form-templates',
  access,
  query: z.object({ formType: FormType.optional(), version: z.coerce.number().int().optional() }),
  reply: z.array(FormTemplate),
})
