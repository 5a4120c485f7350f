import { Button } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { MedicationAdministration } from '#contracts/medication-administrations.ts'
import { changePatient, getPatient, type Patient } from '#contracts/patients.ts'
import { call, errorMessage } from '#web/api/call.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { patientKeys } from '#web/entities/patients/patient-keys.ts'
import { patientQuery } from '#web/entities/patients/patient-query.ts'
import { formatName } from '#web/ui/format.ts'
import { useNotify } from '#web/ui/toasts.tsx'

const isListed = ({ allergies }: Pick<Patient, 'allergies'>, medication: string) =>
  (allergies ?? []).some((allergy) => allergy.toLowerCase() === medication.toLowerCase())

/** Adds a medication to the allergies of a record as it is now. */
function useAddAllergy() {
  const queries = useQueryClient()
  const notify = useNotify()
  return useMutation({
    async mutationFn({ patientId, medication }: MedicationAdministration) {
      const patient = await call(getPatient, { params: { patientId } })
      if (isListed(patient, medication)) return patient
      const body = { allergies: [...(patient.allergies ?? []), medication], revision: patient.revision }
      return call(changePatient, { params: { patientId }, body })
    },
    onSuccess(patient, { medication }) {
      queries.setQueryData(patientKeys.one(patient.id), patient)
      void queries.invalidateQueries({ queryKey: patientKeys.lists })
      notify({ title: 'Allergy added', body: `${medication}, ${formatName(patient)}` })
    },
    onError: (error) => notify({ title: 'The allergy was not added', body: errorMessage(error), intent: 'error' }),
  })
}

/**
 * Button that adds a medication to the allergies of its patient, once a reaction to it is recorded and until the record names it.
 * Nothing for roles that do not change clinical fields.
 */
export function AllergyAction({ administration }: { administration: MedicationAdministration }) {
  const { patientId, medication, reaction, administrationStatus } = administration
  const mayWritePatients = useHasPermission('patients:write')
  const mayWriteClinical = useHasPermission('clinical:write')
  const enabled = reaction !== null && administrationStatus === 'given' && mayWritePatients && mayWriteClinical
  const { data: patient } = useQuery({ ...patientQuery(patientId), enabled })
  const { mutate, isPending } = useAddAllergy()
  if (!enabled || !patient || isListed(patient, medication)) return null
  return (
    <Button icon={<AddRegular />} disabledFocusable={isPending} onClick={() => mutate(administration)}>
      Add to allergies
    </Button>
  )
}
