import { queryOptions } from '@tanstack/react-query'
import { listClinicalDocuments } from '#contracts/clinical-documentation.ts'
import { listMedicationAdministrations } from '#contracts/medication-administrations.ts'
import { listVitalSigns } from '#contracts/vital-signs.ts'
import { call } from '#web/api/call.ts'
import { recordKeys } from '#web/entities/records/record-keys.ts'
import { vitalSignsKey } from '#web/entities/vital-signs/vital-signs-kind.ts'

/** The most records of an appointment that are named. */
const limit = 5

/** The keys of lists of clinical records. */
export const documentsKey = 'clinical-documentation'
export const administrationsKey = 'medication-administrations'

/** Query of the vital signs that were measured at an appointment, without retracted ones. */
export function measuredQuery(appointmentId: string) {
  const query = { status: 'recorded', appointmentId, limit } as const
  return queryOptions({
    queryKey: recordKeys.page(vitalSignsKey, query),
    queryFn: ({ signal }) => call(listVitalSigns, { query }, signal),
    staleTime: 0,
  })
}

/** Query of the medications that were given at an appointment, without retracted ones. */
export function givenQuery(appointmentId: string) {
  const query = { status: 'given', appointmentId, limit } as const
  return queryOptions({
    queryKey: recordKeys.page(administrationsKey, query),
    queryFn: ({ signal }) => call(listMedicationAdministrations, { query }, signal),
    staleTime: 0,
  })
}

/** Query of the documents of an appointment. */
export function writtenQuery(appointmentId: string) {
  const query = { appointmentId, limit } as const
  return queryOptions({
    queryKey: recordKeys.page(documentsKey, query),
    queryFn: ({ signal }) => call(listClinicalDocuments, { query }, signal),
    staleTime: 0,
  })
}
