import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RequestInput } from '#contracts/endpoint.ts'
import {
  changeForm,
  countForms,
  createForm,
  type Form,
  getForm,
  getFormAnalysis,
  listForms,
  listFormTemplates,
} from '#contracts/forms.ts'
import type { FormType } from '#contracts/values/forms.ts'
import { ApiProblem, call, callPaged, errorMessage } from '#web/api/call.ts'
import { formKeys } from '#web/entities/forms/form-keys.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { formatFormName } from './labels.ts'
import type { FormsSearch } from './list/forms-search.ts'

/** Number of forms on a page of the list. */
export const pageSize = 25

/** Query for one page of the list. The previous page stays until it is loaded; never fresh, because other users change it. */
export const formsQuery = ({ type, status, search, cursor }: FormsSearch) =>
  queryOptions({
    queryKey: formKeys.page({ type, status, search, cursor }),
    queryFn: ({ signal }) => callPaged(listForms, { query: { type, status, search, cursor, limit: pageSize } }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Number of forms that the details of a patient show at first. */
const summarySize = 3

/** Query for the newest forms of a patient, or for all of them, up to 200. */
export const patientFormsQuery = (patientId: string, isAll: boolean) => {
  const query = { patientId, limit: isAll ? 200 : summarySize }
  return queryOptions({
    queryKey: formKeys.page(query),
    queryFn: ({ signal }) => callPaged(listForms, { query }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** Query for the three figures above the list. */
export const formCountsQuery = queryOptions({
  queryKey: formKeys.counts,
  queryFn: ({ signal }) => call(countForms, {}, signal),
  staleTime: 0,
})

/** Query for the submitted forms that wait for a review, newest first. */
export const waitingFormsQuery = queryOptions({
  queryKey: formKeys.waiting,
  queryFn: async ({ signal }) => {
    const forms = await call(listForms, { query: { status: 'pending', limit: 200 } }, signal)
    return forms.filter(({ submittedAt }) => submittedAt !== null)
  },
  staleTime: 0,
})

/** Query for one form. */
export const formQuery = (formId: string) =>
  queryOptions({
    queryKey: formKeys.one(formId),
    queryFn: ({ signal }) => call(getForm, { params: { formId } }, signal),
    staleTime: 0,
  })

/** Query for the template with which a form was begun. */
export const templateQuery = ({ formType, templateVersion }: Pick<Form, 'formType' | 'templateVersion'>) =>
  queryOptions({
    queryKey: formKeys.templates({ formType, version: templateVersion }),
    queryFn: async ({ signal }) => {
      const templates = await call(listFormTemplates, { query: { formType, version: templateVersion } }, signal)
      return templates.find((template) => template.formType === formType) ?? null
    },
  })

/** Query for the newest version of every template, by type. */
export const newestTemplatesQuery = queryOptions({
  queryKey: formKeys.templates({ version: 'newest' }),
  queryFn: async ({ signal }) => {
    const templates = await call(listFormTemplates, { query: {} }, signal)
    return new Map<FormType, (typeof templates)[number]>(templates.map((template) => [template.formType, template]))
  },
})

/** Shows a saved form, and refreshes the lists and figures. */
export function showSavedForm(queries: QueryClient, form: Form): Promise<void> {
  queries.setQueryData(formKeys.one(form.id), form)
  return queries.invalidateQueries({ queryKey: formKeys.lists })
}

/** Creates a form and refreshes the lists. */
export function useCreateForm() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof createForm>['body']) => call(createForm, { body }),
    onSuccess: (form) => {
      // The screen that opens next does not wait for the lists.
      void showSavedForm(queries, form)
    },
  })
}

/** Changes the status of a form and refreshes the lists. */
export function useChangeStatus() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ form, status }: { form: Form; status: 'reviewed' | 'completed' }) =>
      call(changeForm, { params: { formId: form.id }, body: { status, revision: form.revision } }),
    onSuccess: (form) => showSavedForm(queries, form),
    onError: (error, { form }) => {
      // The form on screen is out of date.
      if (error instanceof ApiProblem && error.status === 409)
        void queries.invalidateQueries({ queryKey: formKeys.one(form.id) })
    },
  })
}

/**
 * Returns the function that requests the analysis of a form and shows the result, and whether it is running. While the server
 * is still analyzing, nothing is shown: a live update brings the result.
 */
export function useAnalyzeForm() {
  const queries = useQueryClient()
  const notify = useNotify()
  const { mutate, isPending } = useMutation({
    mutationFn: (form: Pick<Form, 'id' | 'title' | 'patientName'>) =>
      call(getFormAnalysis, { params: { formId: form.id } }),
    onSuccess: (analysis, form) => {
      const body = formatFormName(form)
      if (!('state' in analysis)) notify({ title: 'Analysis complete', body })
      else if (analysis.state === 'failed')
        notify({ title: 'Analysis failed', body: 'This form cannot be analyzed right now.', intent: 'error' })
      else if (analysis.state === 'none') notify({ title: 'There are no answers to analyze yet', body })
    },
    onError: (error) => notify({ title: 'Analysis failed', body: errorMessage(error), intent: 'error' }),
    onSettled: (_reply, _error, { id }) =>
      Promise.all([
        queries.invalidateQueries({ queryKey: formKeys.lists }),
        queries.invalidateQueries({ queryKey: formKeys.one(id) }),
      ]),
  })
  return { analyze: mutate, isAnalyzing: isPending }
}
