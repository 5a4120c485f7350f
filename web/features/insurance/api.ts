import { keepPreviousData, type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { RequestInput } from '#contracts/endpoint.ts'
import {
  askInsurer,
  changeVerification,
  countVerifications,
  getVerification,
  type InsuranceVerification,
  listVerifications,
  verifyInsurance,
} from '#contracts/insurance.ts'
import { changePatient } from '#contracts/patients.ts'
import { call, callPaged, errorMessage } from '#web/api/call.ts'
import { patientKeys } from '#web/entities/patients/patient-keys.ts'
import { useNotify } from '#web/ui/toasts.tsx'
import { insuranceKeys } from './insurance-keys.ts'
import type { InsuranceSearch } from './insurance-search.ts'
import { formatVerificationName } from './labels.ts'

/** Number of verifications on a page of the list. */
export const pageSize = 25

/** Query for one page of the list. The previous page stays until it is loaded; never fresh, because other users change it. */
export const verificationsQuery = ({ status, policyInRecord, search, cursor }: InsuranceSearch) =>
  queryOptions({
    queryKey: insuranceKeys.page({ status, policyInRecord, search, cursor }),
    queryFn: ({ signal }) =>
      callPaged(listVerifications, { query: { status, policyInRecord, search, cursor, limit: pageSize } }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

/** Number of verifications that the details of a patient show at first. */
const summarySize = 3

/** Query for the newest verifications of a patient, or for all of them, up to 200. */
export const patientVerificationsQuery = (patientId: string, isAll: boolean) => {
  const query = { patientId, limit: isAll ? 200 : summarySize }
  return queryOptions({
    queryKey: insuranceKeys.page(query),
    queryFn: ({ signal }) => callPaged(listVerifications, { query }, signal),
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** Query for the four figures above the list. */
export const verificationCountsQuery = queryOptions({
  queryKey: insuranceKeys.counts,
  queryFn: ({ signal }) => call(countVerifications, {}, signal),
  staleTime: 0,
})

/** Query for one verification with its history. */
export const verificationQuery = (verificationId: string) =>
  queryOptions({
    queryKey: insuranceKeys.one(verificationId),
    queryFn: ({ signal }) => call(getVerification, { params: { verificationId } }, signal),
    staleTime: 0,
  })

const refresh = (queries: QueryClient) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: insuranceKeys.lists }),
    queries.invalidateQueries({ queryKey: insuranceKeys.details }),
  ])

/** Adds a verification and refreshes the lists. */
export function useAddVerification() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof verifyInsurance>['body']) => call(verifyInsurance, { body }),
    onSuccess: () => {
      // The dialog closes without the lists.
      void refresh(queries)
    },
  })
}

/** Changes the fields of a verification and refreshes what shows it. */
export function useChangeVerification() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: { id: string; body: RequestInput<typeof changeVerification>['body'] }) =>
      call(changeVerification, { params: { verificationId: id }, body }),
    onSuccess: () => {
      void refresh(queries)
    },
  })
}

/** Returns the function that asks the insurer about a verification again, and whether it is running. */
export function useAskInsurer() {
  const queries = useQueryClient()
  const notify = useNotify()
  const { mutate, isPending } = useMutation({
    mutationFn: ({ id }: InsuranceVerification) => call(askInsurer, { params: { verificationId: id } }),
    onSuccess: (verification) => {
      notify({ title: 'The insurer is asked again', body: formatVerificationName(verification) })
    },
    onError: (error) => notify({ title: 'The insurer was not asked', body: errorMessage(error), intent: 'error' }),
    onSettled: () => refresh(queries),
  })
  return { askAgain: (verification: InsuranceVerification) => mutate(verification), isAsking: isPending }
}

/** Enters the policy of a verification in the record of its patient, as it was when `revision` was read. */
export function useEnterInRecord() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ verification, revision }: { verification: InsuranceVerification; revision: number }) => {
      const { patientId, insuranceProvider: provider, policyNumber, groupNumber, memberName } = verification
      const insuranceInfo = { provider, policyNumber, groupNumber, memberName }
      return call(changePatient, { params: { patientId }, body: { insuranceInfo, revision } })
    },
    onSuccess: (patient) => {
      queries.setQueryData(patientKeys.one(patient.id), patient)
      void queries.invalidateQueries({ queryKey: patientKeys.lists })
      void refresh(queries)
    },
  })
}

/** A status that a person gives to a verification. */
export type ChosenStatus = 'pending' | 'verified' | 'denied'

const changedTitles: Record<ChosenStatus, string> = {
  pending: 'Insurance verification initiated',
  verified: 'Marked as verified',
  denied: 'Marked as denied',
}

/** Returns the function that gives a verification a status, and whether it is running. Shows the result as a toast. */
export function useChangeStatus() {
  const queries = useQueryClient()
  const notify = useNotify()
  const { mutate, isPending } = useMutation({
    mutationFn: ({ verification, status }: { verification: InsuranceVerification; status: ChosenStatus }) => {
      const { id, revision } = verification
      return call(changeVerification, {
        params: { verificationId: id },
        body: { verificationStatus: status, revision },
      })
    },
    onSuccess: (verification, { status }) => {
      notify({ title: changedTitles[status], body: formatVerificationName(verification) })
    },
    onError: (error) => notify({ title: 'Verification failed', body: errorMessage(error), intent: 'error' }),
    onSettled: () => refresh(queries),
  })
  const changeStatus = (verification: InsuranceVerification, status: ChosenStatus) => mutate({ verification, status })
  return { changeStatus, isChanging: isPending }
}
