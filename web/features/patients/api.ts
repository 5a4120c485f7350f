import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RequestInput } from '#contracts/endpoint.ts'
import {
  addPatient,
  changePatient,
  getPatient,
  listPatients,
  type Patient,
  removePatient,
} from '#contracts/patients.ts'
import { getPractice } from '#contracts/practices.ts'
import { call, callPaged } from '#web/api/call.ts'
import type { PatientsSearch } from './list/patients-search.ts'

/** Rows on one page of the list. */
export const pageSize = 25

/** One page of the list. The page before stays on screen meanwhile; colleagues work too, so each appointment asks anew. */
export const patientsQuery = ({ search, sort, page = 1 }: PatientsSearch) =>
  queryOptions({
    queryKey: ['patients', 'list', { search, sort, page }],
    queryFn: ({ signal }) =>
      callPaged(listPatients, { query: { search, sort, limit: pageSize, offset: (page - 1) * pageSize } }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** One patient, as of now. */
export const patientQuery = (patientId: string) =>
  queryOptions({
    queryKey: ['patient', patientId],
    queryFn: ({ signal }) => call(getPatient, { params: { patientId } }, signal),
    staleTime: 0,
  })

/** The practice's own details, for its name. */
export const practiceQuery = (practiceId: string) =>
  queryOptions({
    queryKey: ['practice', practiceId],
    queryFn: ({ signal }) => call(getPractice, { params: { practiceId } }, signal),
  })

/** The patient as a list on screen has it: something to look at until the record itself is there. */
export function findCachedPatient(queries: QueryClient, patientId: string): Patient | undefined {
  const lists = queries.getQueriesData<{ items: Patient[] }>({ queryKey: ['patients', 'list'] })
  return lists.flatMap(([, list]) => list?.items ?? []).find(({ id }) => id === patientId)
}

/** Registers a patient and refreshes the lists. */
export function useAddPatient() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof addPatient>['body']) => call(addPatient, { body }),
    onSuccess: (patient) => {
      queries.setQueryData(['patient', patient.id], patient)
      return queries.invalidateQueries({ queryKey: ['patients'] })
    },
  })
}

/** Sends what changed in a record and refreshes the lists. */
export function useUpdatePatient() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (request: { patientId: string; body: RequestInput<typeof changePatient>['body'] }) =>
      call(changePatient, { params: { patientId: request.patientId }, body: request.body }),
    onSuccess: (patient) => {
      queries.setQueryData(['patient', patient.id], patient)
      return queries.invalidateQueries({ queryKey: ['patients'] })
    },
  })
}

/** Deletes a patient and refreshes the lists. */
export function useRemovePatient() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (patientId: string) => call(removePatient, { params: { patientId } }),
    onSuccess: (_, patientId) => {
      queries.removeQueries({ queryKey: ['patient', patientId] })
      return queries.invalidateQueries({ queryKey: ['patients'] })
    },
  })
}
