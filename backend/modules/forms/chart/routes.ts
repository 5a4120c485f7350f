import type { Router } from '@koa/router'
import * as contract from '#contracts/form-chart.ts'
import type { FormId } from '#contracts/values/ids.ts'
import { notFound, ProblemError } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Member } from '#http/session.ts'
import type { Services } from '#modules/module.ts'
import { changePatientRecord, createReadNumber, findPatientRecords } from '#modules/patients/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { formDecider, toAnswers } from '../decider.ts'
import { findForm } from '../queries.ts'
import { findChartLines, hasLine, toChange } from './chart-lines.ts'

/** Adds the lines of a form that differ from the patient's chart, and their acceptance. */
export function addChartRoutes(router: Router, services: Services): void {
  serve(
    router,
    contract.listChartLines,
    async ({ caller, params: { formId } }) => (await compare(services, caller, formId)).lines,
  )

  serve(router, contract.acceptChartLine, async ({ caller, params: { formId }, body }, { commandContext }) => {
    const { lines, patient, causationId, readNumber } = await compare(services, caller, formId)
    const isOffered = lines.some(({ field, value }) => field === body.field && value === body.value)
    if (!isOffered) {
      if (hasLine(body, patient, readNumber)) return lines
      throw new ProblemError(409, 'line-changed', 'The form does not have this line any more. Check it again.')
    }
    const change = { ...toChange(body, patient), revision: patient.revision }
    await changePatientRecord(services, caller, patient.id, change, { ...commandContext, causationId })
    return (await compare(services, caller, formId)).lines
  })
}

/** Compares a form with the chart of its patient. Throws 404 for a form of another practice. */
async function compare(services: Services, caller: Member, formId: FormId) {
  const { bus } = services
  const { practiceId } = caller
  const [form, { state, history }] = await Promise.all([
    findForm(services, recordScope(caller), formId),
    bus.load(formDecider, formId),
  ])
  const [patient] = form ? await findPatientRecords(services, practiceId, [form.patientId]) : []
  const submission = history.find(({ type }) => type === 'FormSubmitted')
  if (!form || !state.known || !patient) throw notFound('form')
  const readNumber = await createReadNumber(services, practiceId)
  const isOpen = submission !== undefined && state.status !== 'completed'
  const lines = isOpen ? findChartLines(state.formType, toAnswers(state.answers), patient, readNumber) : []
  return { lines, patient, readNumber, causationId: submission?.id ?? formId }
}
