import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { Form, FormAnalysis, FormCounts } from '#contracts/forms.ts'
import { AnalysisResult, FormStatus, FormType } from '#contracts/values/forms.ts'
import { FormId, PatientId, UserId } from '#contracts/values/ids.ts'
import { findUserNames } from '#modules/accounts/public.ts'
import type { Services } from '#modules/module.ts'
import { inScope, type RecordScope } from '#modules/samples/public.ts'
import { openFields } from '#projections/sealed-columns.ts'
import { toAnswers } from './decider.ts'
import type { StoredAnswer } from './events.ts'

const TotalRow = z.object({ total: z.number() })

type Readers = Pick<Services, 'db' | 'keyStore'>
type Fragment = ReturnType<typeof sql.fragment>

const StoredForm = z.object({
  id: FormId,
  patientId: PatientId,
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  formType: FormType,
  templateVersion: z.number(),
  title: z.string().nullable(),
  answers: z.string().nullable(),
  status: FormStatus,
  version: z.number(),
  requestedVersion: z.number().nullable(),
  failedVersion: z.number().nullable(),
  skippedVersion: z.number().nullable(),
  analysis: z.string().nullable(),
  analysisVersion: z.number().nullable(),
  analyst: z.enum(['rules', 'model']).nullable(),
  model: z.string().nullable(),
  analyzedAt: z.string().nullable(),
  findingCount: z.number(),
  urgentCount: z.number(),
  createdAt: z.string(),
  submittedAt: z.string().nullable(),
  reviewedAt: z.string().nullable(),
  reviewedBy: UserId.nullable(),
  completedAt: z.string().nullable(),
  revision: z.number(),
})
type StoredForm = z.infer<typeof StoredForm>

/** The encrypted columns of a list, and of a whole form. */
const listed = { title: 'title' } as const
const whole = { ...listed, answers: 'answers', analysis: 'analysis' } as const

/** Selects forms; a list leaves out answers and analyses, which are long and encrypted. */
const selectForms = (isWhole: boolean, rest: Fragment) => sql.type(StoredForm)`
  select f.id, f.patient_id as "patientId", p.first_name as "firstName", p.last_name as "lastName",
    f.form_type as "formType", f.template_version as "templateVersion", f.title, f.status, f.version,
    ${isWhole ? sql.fragment`f.answers, f.analysis` : sql.fragment`null as answers, null as analysis`},
    f.requested_version as "requestedVersion", f.failed_version as "failedVersion",
    f.skipped_version as "skippedVersion",
    f.analysis_version as "analysisVersion", f.analyst, f.model, f.analyzed_at as "analyzedAt",
    f.finding_count as "findingCount", f.urgent_count as "urgentCount", f.created_at as "createdAt",
    f.submitted_at as "submittedAt", f.reviewed_at as "reviewedAt", f.reviewed_by as "reviewedBy",
    f.completed_at as "completedAt", f.revision
  ${rest}`

const tables = sql.fragment`from read.forms f join read.form_patients p on p.id = f.patient_id`

function findAnalysisState(row: StoredForm): Form['analysisState'] {
  const { version, requestedVersion, failedVersion, skippedVersion, analysisVersion } = row
  if (analysisVersion === version) return 'complete'
  if (failedVersion === version) return 'failed'
  if (requestedVersion === version) return 'running'
  if (skippedVersion === version) return 'skipped'
  return analysisVersion === null ? 'none' : 'complete'
}

function toAnalysis(row: StoredForm, opened: unknown): FormAnalysis | undefined {
  const { analyst, analyzedAt, model, analysisVersion, version } = row
  if (opened === null || analyst === null || analyzedAt === null) return undefined
  return { ...AnalysisResult.parse(opened), analyst, model, analyzedAt, isStale: analysisVersion !== version }
}

/** Returns forms as they are replied. */
async function toForms({ db, keyStore }: Readers, rows: readonly StoredForm[], isWhole: boolean): Promise<Form[]> {
  const findPlace = ({ id, patientId }: StoredForm) => ({ key: id, subject: patientId })
  const opened = await openFields(keyStore, rows, isWhole ? whole : listed, findPlace)
  const reviewers = [...new Set(rows.flatMap(({ reviewedBy }) => reviewedBy ?? []))]
  const names = reviewers.length > 0 ? await findUserNames(db, reviewers) : new Map<string, string>()
  return rows.map((row, index) => {
    const { title, answers, analysis } = opened[index] ?? {}
    const patient = { firstName: row.firstName ?? '', lastName: row.lastName ?? '' }
    const found = isWhole ? toAnalysis(row, analysis ?? null) : undefined
    return {
      id: row.id,
      patientId: row.patientId,
      patientName: `${patient.firstName} ${patient.lastName}`.trim(),
      patient,
      formType: row.formType,
      title: typeof title === 'string' ? title : '',
      templateVersion: row.templateVersion,
      ...(isWhole ? { formData: toAnswers((answers ?? []) as StoredAnswer[]) } : {}),
      status: row.status,
      analysisState: findAnalysisState(row),
      findingCount: row.findingCount,
      hasUrgentFinding: row.urgentCount > 0,
      ...(found ? { aiAnalysis: found } : {}),
      createdAt: row.createdAt,
      submittedAt: row.submittedAt,
      reviewedAt: row.reviewedAt,
      completedAt: row.completedAt,
      reviewedBy: row.reviewedBy && { id: row.reviewedBy, name: names.get(row.reviewedBy) ?? null },
      revision: row.revision,
    } as Form
  })
}

/** Finds a form of a scope with its answers and its analysis; null when there is none, or its patient was removed. */
export async function findForm(readers: Readers, scope: RecordScope, formId: FormId): Promise<Form | null> {
  const rest = sql.fragment`${tables} where f.id = ${formId} and ${inScope(scope, 'f')} and not p.removed`
  const row = await readers.db.maybeOne(selectForms(true, rest))
  return row ? ((await toForms(readers, [row], true))[0] ?? null) : null
}

/** Finds the forms of a practice in the order of their ids, with answers and analyses, after an id. For an export. */
export async function findFormsAfter(
  readers: Readers,
  practiceId: string,
  after: FormId | null,
  limit: number,
): Promise<Form[]> {
  const isAfter = after === null ? sql.fragment`true` : sql.fragment`f.id > ${after}`
  const rest = sql.fragment`
    ${tables} where f.practice_id = ${practiceId} and not p.removed and ${isAfter} order by f.id limit ${limit}`
  return toForms(readers, await readers.db.any(selectForms(true, rest)), true)
}

/** The place after which a page starts. */
export const Cursor = z.strictObject({ at: z.iso.datetime({ offset: true }), id: z.uuid() })
export type Cursor = z.infer<typeof Cursor>

export type FormListRequest = {
  scope: RecordScope
  limit: number
  type?: FormType | undefined
  status?: FormStatus | undefined
  search?: string | undefined
  patientId?: PatientId | undefined
  cursor?: Cursor | undefined
}

/** Matches a text literally within `like`. */
const toPattern = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

function matches({ scope, type, status, search, patientId }: FormListRequest): Fragment {
  const conditions = [
    inScope(scope, 'f'),
    sql.fragment`not p.removed`,
    ...(type ? [sql.fragment`f.form_type = ${type}`] : []),
    ...(status ? [sql.fragment`f.status = ${status}`] : []),
    ...(patientId ? [sql.fragment`f.patient_id = ${patientId}`] : []),
    ...(search ?? '')
      .split(/\s+/u)
      .filter((word) => word !== '')
      .map((word) => sql.fragment`concat(p.first_name, ' ', p.last_name) ilike ${toPattern(word)}`),
  ]
  return sql.join(conditions, sql.fragment` and `) as unknown as Fragment
}

/** Finds one page of forms, newest first, with the number of all that match. */
export async function findForms(
  readers: Readers,
  request: FormListRequest,
): Promise<{ forms: Form[]; total: number; next: Cursor | null }> {
  const { db } = readers
  const { limit, cursor } = request
  const where = matches(request)
  const after = cursor
    ? sql.fragment`and (f.created_at, f.id) < (${cursor.at}::timestamptz, ${cursor.id}::uuid)`
    : sql.fragment``
  const [rows, total] = await Promise.all([
    db.any(
      selectForms(
        false,
        sql.fragment`${tables} where ${where} ${after} order by f.created_at desc, f.id desc limit ${limit + 1}`,
      ),
    ),
    db.oneFirst(sql.type(TotalRow)`select count(*)::int4 as total ${tables} where ${where}`),
  ])
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return {
    forms: await toForms(readers, shown, false),
    total,
    next: last ? { at: last.createdAt, id: last.id } : null,
  }
}

const Counts = z.object({
  analyzed: z.number(),
  running: z.number(),
  pendingReview: z.number(),
  completed: z.number(),
  completedThisWeek: z.number(),
})

/** Counts the forms of a scope. */
export const countForms = (db: CommonQueryMethods, scope: RecordScope, now: Date): Promise<FormCounts> =>
  db.one(sql.type(Counts)`
    select count(*) filter (where f.analysis_version is not null)::int4 as analyzed,
      count(*) filter (where f.requested_version = f.version and f.analysis_version is distinct from f.version
        and f.failed_version is distinct from f.version)::int4 as running,
      count(*) filter (where f.status = 'pending' and f.submitted_at is not null)::int4 as "pendingReview",
      count(*) filter (where f.status = 'completed')::int4 as completed,
      count(*) filter (where f.completed_at > ${now.toISOString()}::timestamptz - interval '7 days')::int4
        as "completedThisWeek"
    ${tables} where ${inScope(scope, 'f')} and not p.removed`)
