import { ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { InsuranceVerification } from '#contracts/insurance.ts'
import type { Patient } from '#contracts/patients.ts'
import { getTodayIn, usePracticeZone } from '#web/entities/practices/practice-time.ts'
import { LinkButton } from '#web/ui/link-button.tsx'
import { RowLink } from '#web/ui/row-link.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SummaryList, SummaryRow } from '#web/entities/patients/summary-list.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { patientVerificationsQuery } from '../api.ts'
import { describeTerm } from '../labels.ts'

/** The insurance verifications of a patient, newest first, with a button that requests one. */
export function PatientVerifications({ patient: { id: patientId } }: { patient: Patient }) {
  const [isAll, setAll] = useState(false)
  const verifications = useQuery(patientVerificationsQuery(patientId, isAll))
  return (
    <SummaryList
      source={verifications}
      loadingLabel="Loading the verifications"
      errorTitle="Failed to fetch the verifications"
      emptyText="Not verified yet"
      renderItem={(verification) => <VerificationRow key={verification.id} verification={verification} />}
      onAll={isAll ? null : () => setAll(true)}
      actions={
        <LinkButton to="/insurance" search={{ new: true, patient: patientId }} icon={<ShieldCheckmarkRegular />}>
          Verify insurance
        </LinkButton>
      }
    />
  )
}

function VerificationRow({ verification }: { verification: InsuranceVerification }) {
  const now = useNow(60_000)
  const { text } = describeTerm(verification, getTodayIn(usePracticeZone(), now), now)
  return (
    <SummaryRow
      link={
        <RowLink to="/insurance" search={{ verification: verification.id }}>
          <span dir="auto">{verification.insuranceProvider}</span>
        </RowLink>
      }
      detail={`Policy ${verification.policyNumber}, ${text}${verification.policyInRecord === 'other' ? ', other than in the record' : ''}`}
      end={<StatusBadge status={verification.verificationStatus} plain />}
    />
  )
}
