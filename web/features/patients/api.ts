import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RequestInput } from '#contracts/endpoint.ts'
import { addPatient, changePatient, listPatients, type Patient, removePatient } from '#contracts/patients.ts'
import { call, callPaged } from '#web/api/call.ts'
import { renderingMs } from '#web/api/early-replies.ts'
import { shareItems } from '#web/api/share-items.ts'
import { insertByName, type PatientsPage } from './list/insert-by-name.ts'
import type { PatientsSearch } from './list/patients-search.ts'
import { patientKeys } from '#web/entities/patients/patient-keys.ts'

/** Number of patients on a page of the list. */
export const pageSize = 25

/** Query for one page of the list. The previous page stays until it is loaded; never fresh, because other users change it. */
export const patientsQuery = ({ search, sort, page = 1 }: PatientsSearch) =>
  queryOptions({
    queryKey: patientKeys.page({ search, sort, page }),
    queryFn: ({ signal }) =>
      callPaged(listPatients, { query: { search, sort, limit: pageSize, offset: (page - 1) * pageSize } }, signal),
    structuralSharing: shareItems,
    placeholderData: keepPreviousData,
    staleTime: renderingMs,
  })

/** Returns the patient from a cached list, to show until the record is loaded. */
export function findCachedPatient(queries: QueryClient, patientId: string): Patient | undefined {
  const lists = queries.getQueriesData<{ items: Patient[] }>({ queryKey: patientKeys.pages })
  return lists.flatMap(([, list]) => list?.items ?? []).find(({ id }) => id === patientId)
}

/** Shows an added patient on the cached pages of the whole list by name, before they are fetched again. */
function showOnPages(queries: QueryClient, added: Patient): void {
  for (const [queryKey, page] of queries.getQueriesData<PatientsPage>({ queryKey: patientKeys.pages })) {
    const { search, sort, page: number = 1 } = queryKey.at(-1) as PatientsSearch
    const isByName = !search && (sort === undefined || sort === 'name')
    if (page && isByName) queries.setQueryData(queryKey, insertByName(page, added, { number, size: pageSize }))
  }
}

/** Registers a patient and refreshes the lists. */
export function useAddPatient() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof addPatient>['body']) => call(addPatient, { body }),
    onSuccess: (patient) => {
      queries.setQueryData(patientKeys.one(patient.id), patient)
      showOnPages(queries, patient)
      return queries.invalidateQueries({ queryKey: patientKeys.lists })
    },
  })
}

/** Saves the changed fields of a record and refreshes the lists. */
export function useUpdatePatient() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (request: { patientId: string; body: RequestInput<typeof changePatient>['body'] }) =>
      call(changePatient, { params: { patientId: request.patientId }, body: request.body }),
    onSuccess: (patient) => {
      queries.setQueryData(patientKeys.one(patient.id), patient)
      return queries.invalidateQueries({ queryKey: patientKeys.lists })
    },
  })
}

/** Deletes a patient and refreshes the lists. */
export function useRemovePatient() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (patientId: string) => call(removePatient, { params: { patientId } }),
    onSuccess: (_, patientId) => {
      queries.removeQueries({ queryKey: patientKeys.one(patientId) })
      return queries.invalidateQueries({ queryKey: patientKeys.lists })
    },
  })
}
