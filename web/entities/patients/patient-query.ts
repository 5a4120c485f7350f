import { queryOptions } from '@tanstack/react-query'
import { getPatient } from '#contracts/patients.ts'
import { call } from '#web/api/call.ts'
import { patientKeys } from './patient-keys.ts'

/** Query for one patient. */
export const patientQuery = (patientId: string) =>
  queryOptions({
    queryKey: patientKeys.one(patientId),
    queryFn: ({ signal }) => call(getPatient, { params: { patientId } }, signal),
    staleTime: 0,
  })
