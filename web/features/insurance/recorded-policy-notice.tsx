import { Button, Text } from '@fluentui/react-components'
import { InfoRegular } from '@fluentui/react-icons/svg/info'
import { WarningRegular } from '@fluentui/react-icons/svg/warning'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InsuranceVerification } from '#contracts/insurance.ts'
import type { Patient } from '#contracts/patients.ts'
import { errorMessage } from '#web/api/call.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { patientQuery } from '#web/entities/patients/patient-query.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { useEnterInRecord } from './api.ts'
import { formatVerificationName } from './labels.ts'

/** Formats a policy by its insurer and number. */
const formatPolicy = (provider: string, policyNumber: string | null) =>
  policyNumber ? `${provider}, policy ${policyNumber}` : provider

/**
 * Notice that the record of the patient has another policy than a verification, or none, with buttons that verify the one or enter
 * the other; nothing where both are the same.
 */
export function RecordedPolicyNotice({ verification }: { verification: InsuranceVerification }) {
  const isDifferent = verification.policyInRecord === 'other' || verification.policyInRecord === 'none'
  const { data: patient } = useQuery({ ...patientQuery(verification.patientId), enabled: isDifferent })
  if (!isDifferent || !patient) return null
  return <PolicyNotice key={verification.id} verification={verification} patient={patient} />
}

type PolicyNoticeProps = { verification: InsuranceVerification; patient: Patient }

function PolicyNotice({ verification, patient }: PolicyNoticeProps) {
  const notify = useNotify()
  const mayEnter = useHasPermission('patients:write')
  const enter = useEnterInRecord()
  const [isAsking, setAsking] = useState(false)
  const { insuranceInfo: recorded, revision } = patient
  const confirm = () =>
    enter.mutate(
      { verification, revision },
      {
        onSuccess: () => {
          notify({ title: 'Entered in the record', body: formatVerificationName(verification) })
          setAsking(false)
        },
      },
    )
  return (
    <>
      <Notice
        tone={recorded ? 'warning' : 'neutral'}
        icon={recorded ? WarningRegular : InfoRegular}
        title={recorded ? 'Another insurance is in the record' : 'No insurance is in the record'}
        actions={
          <>
            {recorded && (
              <LinkButton size="small" to="/insurance" search={{ new: true, patient: patient.id }}>
                Verify the one in the record
              </LinkButton>
            )}
            {mayEnter && (
              <Button size="small" onClick={() => setAsking(true)}>
                Enter this one in the record
              </Button>
            )}
          </>
        }
      >
        <Text>
          {recorded
            ? `The record of the patient has ${formatPolicy(recorded.provider, recorded.policyNumber)}.`
            : 'The record of the patient names no insurance.'}
        </Text>
      </Notice>
      <ConfirmDialog
        open={isAsking}
        title={recorded ? 'Replace the insurance in the record?' : 'Enter this insurance in the record?'}
        action={recorded ? 'Replace' : 'Enter'}
        pendingAction={recorded ? 'Replacing...' : 'Entering...'}
        pending={enter.isPending}
        failure={enter.error && errorMessage(enter.error)}
        onConfirm={confirm}
        onCancel={() => setAsking(false)}
      >
        <Text>{`In the record then: ${formatPolicy(verification.insuranceProvider, verification.policyNumber)}.`}</Text>
        {recorded && <Text>{`Replaced: ${formatPolicy(recorded.provider, recorded.policyNumber)}.`}</Text>}
      </ConfirmDialog>
    </>
  )
}
