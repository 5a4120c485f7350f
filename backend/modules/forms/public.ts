import { type CommonQueryMethods, sql } from 'slonik'
import { z } from 'zod'
import type { Form } from '#contracts/forms.ts'
import { FormType } from '#contracts/values/forms.ts'
import { FormId, type PatientId } from '#contracts/values/ids.ts'
import type { Services } from '#modules/module.ts'
import type { RecordScope } from '#modules/samples/public.ts'
import * as queries from './queries.ts'

type Readers = Pick<Services, 'db' | 'keyStore'>

/** Pending forms that are read to find the submitted ones among them. */
const maxRead = 200

/**
 * Finds the submitted forms of a scope that wait for a review, newest first, without answers and analyses, and their number.
 * Does not check what a caller may read of them.
 */
export async function findWaitingForms(
  readers: Readers,
  scope: RecordScope,
  now: Date,
): Promise<{ forms: Form[]; total: number }> {
  const [{ forms }, { pendingReview }] = await Promise.all([
    queries.findForms(readers, { scope, status: 'pending', limit: maxRead }),
    queries.countForms(readers.db, scope, now),
  ])
  return { forms: forms.filter(({ submittedAt }) => submittedAt !== null), total: pendingReview }
}

/** Finds the newest form of a patient with its answers and its analysis. Does not check what a caller may read of it. */
export async function findNewestForm(readers: Readers, scope: RecordScope, patientId: PatientId): Promise<Form | null> {
  const { forms } = await queries.findForms(readers, { scope, patientId, limit: 1 })
  const [newest] = forms
  return newest ? await queries.findForm(readers, scope, newest.id) : null
}

/** Finds the forms of a practice in the order of their ids, with answers and analyses, after an id. For an export. */
export const findFormsAfter = queries.findFormsAfter

const TypedForm = z.object({ id: FormId, formType: FormType })

/** Finds the types of forms of a practice. */
export const findFormTypes = (
  db: CommonQueryMethods,
  practiceId: string,
  formIds: readonly string[],
): Promise<readonly z.infer<typeof TypedForm>[]> =>
  db.any(sql.type(TypedForm)`
    select id, form_type as "formType" from read.forms
    where practice_id = ${practiceId} and id = any(${sql.array(formIds, 'uuid')})`)
