import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { createFormLink, getFormLink, revokeFormLink } from '#contracts/form-links.ts'
import { call } from '#web/api/call.ts'
import { formKeys } from '#web/entities/forms/form-keys.ts'

const linkKey = (formId: string) => [...formKeys.one(formId), 'link']

/** Query for the newest link of a form. */
export const formLinkQuery = (formId: string) =>
  queryOptions({
    queryKey: linkKey(formId),
    queryFn: async ({ signal }) => (await call(getFormLink, { params: { formId } }, signal)).link,
    staleTime: 0,
  })

/** Creates a link of a form. */
export function useCreateFormLink() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (formId: string) => call(createFormLink, { params: { formId } }),
    onSuccess: (_link, formId) => queries.invalidateQueries({ queryKey: linkKey(formId) }),
  })
}

/** Ends the link of a form. */
export function useRevokeFormLink() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (formId: string) => call(revokeFormLink, { params: { formId } }),
    onSuccess: (_nothing, formId) => queries.invalidateQueries({ queryKey: linkKey(formId) }),
  })
}
