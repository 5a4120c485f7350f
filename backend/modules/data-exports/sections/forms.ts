import type { FormId } from '#contracts/values/ids.ts'
import { findFormsAfter } from '#modules/forms/public.ts'
import * as csv from '../csv.ts'
import { type ExportRun, pageSize } from '../export-run.ts'
import * as fhir from '../fhir.ts'

/** Writes the forms with their answers, and what analyses found in them. */
export async function writeForms({ services, practiceId, files, missingPatients, signal }: ExportRun): Promise<void> {
  const { db, keyStore } = services
  const table = await files.addTable('forms', csv.formColumns)
  const answers = await files.addTable('form_answers', csv.formAnswerColumns)
  const findings = await files.addTable('form_findings', csv.formFindingColumns)
  const resources = files.addResources('QuestionnaireResponse')
  for (let after: FormId | null = null; ;) {
    signal.throwIfAborted()
    const page = await findFormsAfter({ db, keyStore }, practiceId, after, pageSize)
    for (const { patientId } of page) missingPatients.add(patientId)
    await table.write(page)
    await answers.write(page.flatMap(csv.listAnswers))
    await findings.write(
      page.flatMap((form) => (form.aiAnalysis?.findings ?? []).map((finding) => ({ form, finding }))),
    )
    await resources.write(page.map(fhir.toQuestionnaireResponse))
    after = page.at(-1)?.id ?? null
    if (page.length < pageSize) return
  }
}
