import { Router } from '@koa/router'
import { findTemplate, formTemplates } from '#contracts/form-templates.ts'
import * as contract from '#contracts/forms.ts'
import { isClinicalForm } from '#contracts/values/forms.ts'
import { FormId } from '#contracts/values/ids.ts'
import { requirePermission } from '#http/access.ts'
import { invalidRequest, notFound } from '#http/problems.ts'
import { serve } from '#http/serve.ts'
import type { Services } from '#modules/module.ts'
import { requirePatient } from '#modules/patients/public.ts'
import { recordScope } from '#modules/samples/public.ts'
import { changeForm, requireValidAnswers, toChanges } from './change-form.ts'
import { formDecider, type FormCommand } from './decider.ts'
import { findAnalysis } from './find-analysis.ts'
import { addChartRoutes } from './chart/routes.ts'
import { addFormLinkRoutes } from './links/routes.ts'
import * as queries from './queries.ts'

/** Serves the forms of a practice and their templates. */
export function formRoutes(services: Services): Router {
  const { bus, db, clock, newId } = services
  const router = new Router()

  serve(router, contract.listForms, async ({ caller, query }, { setHeader }) => {
    const { cursor, ...filter } = query
    const request = { scope: recordScope(caller), ...filter, cursor: cursor ? decodeCursor(cursor) : undefined }
    const page = await queries.findForms(services, request)
    setHeader('X-Total-Count', String(page.total))
    if (page.next) {
      const next = new URLSearchParams({ cursor: encodeCursor(page.next) })
      for (const [name, value] of Object.entries(filter)) if (value) next.set(name, String(value))
      setHeader('Link', `<${contract.listForms.path}?${next}>; rel="next"`)
    }
    return page.forms
  })

  serve(router, contract.countForms, ({ caller }) => queries.countForms(db, recordScope(caller), clock()))

  serve(router, contract.listFormTemplates, async ({ query: { formType, version } }) =>
    formType && version !== undefined
      ? [findTemplate(formType, version) ?? notFoundTemplate()]
      : formTemplates.filter((template) => !formType || template.formType === formType),
  )

  serve(router, contract.createForm, async ({ caller, body }, { commandContext }) => {
    const { practiceId } = caller
    const { patientId, formType, title, formData } = body
    await requirePatient(db, practiceId, patientId)
    const template = findTemplate(formType)
    if (!template) throw new Error(`There is no template of the type ${formType}`)
    const hasAnswers = Object.keys(formData).length > 0
    const form = { practiceId, patientId, formType, templateVersion: template.version, title }
    if (hasAnswers) {
      if (isClinicalForm(formType)) requirePermission(caller, 'clinical:write', 'formData')
      requireValidAnswers(form, formData, true)
    }
    const formId = FormId.parse(newId('form'))
    const commands: FormCommand[] = [{ type: 'Assign', form: { formId, ...form } }]
    if (hasAnswers) commands.push({ type: 'SaveAnswers', practiceId, changed: toChanges(formData), submit: true })
    const at = clock().toISOString()
    const timed = commands.map((command) => ({ command, at }))
    await bus.executeAll(formDecider, formId, timed, commandContext, { isNew: true })
    const created = await queries.findForm(services, recordScope(caller), formId)
    if (!created) throw notFound('form')
    return created
  })

  serve(router, contract.getForm, async ({ caller, params: { formId } }) => {
    const form = await queries.findForm(services, recordScope(caller), formId)
    if (!form) throw notFound('form')
    return form
  })

  serve(router, contract.changeForm, ({ caller, params, body }, { commandContext }) =>
    changeForm(services, caller, params.formId, body, commandContext),
  )

  serve(router, contract.getFormAnalysis, ({ caller, params }, { commandContext }) =>
    findAnalysis(services, caller, params.formId, commandContext),
  )

  addFormLinkRoutes(router, services)
  addChartRoutes(router, services)

  return router
}

const notFoundTemplate = (): never => {
  throw notFound('form template')
}

const encodeCursor = (cursor: queries.Cursor): string => Buffer.from(JSON.stringify(cursor)).toString('base64url')

/** Throws 422 for a text that is no cursor. */
function decodeCursor(text: string): queries.Cursor {
  try {
    return queries.Cursor.parse(JSON.parse(Buffer.from(text, 'base64url').toString()))
  } catch {
    throw invalidRequest([{ path: 'cursor', message: 'This page cannot be found. Start again from the first.' }])
  }
}
