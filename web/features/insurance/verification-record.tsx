import { makeStyles } from '@fluentui/react-components'
import type { VerificationDetails } from '#contracts/insurance.ts'
import {
  type Fact,
  Facts,
  PatientLink,
  RecordHead,
  RecordHistory,
  RecordSection,
} from '#web/entities/records/record-parts.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { CoveragePanel } from './coverage-panel.tsx'
import { describeHistoryEntry, fieldLabels, relationshipLabels } from './labels.ts'
import { RecordedPolicyNotice } from './recorded-policy-notice.tsx'
import { InsurerNotice, StandInNotice } from './stand-in-notice.tsx'

const useStyles = makeStyles({
  // Only between a notice and the line of the next section.
  checked: { display: 'grid', rowGap: '12px', ':not(:empty)': { paddingBottom: '16px' } },
  findings: { margin: '4px 0 0', paddingLeft: '18px' },
  notes: { margin: '12px 0 0', paddingLeft: '18px' },
})

/** A verification at a glance: patient and status, findings, coverage, policy and history. */
export function VerificationRecord({ verification }: { verification: VerificationDetails }) {
  const styles = useStyles()
  return (
    <>
      <RecordHead
        subject={<PatientLink patientId={verification.patientId} patientName={verification.patientName} />}
        badge={<StatusBadge status={verification.verificationStatus} />}
      />
      <div className={styles.checked}>
        <RecordedPolicyNotice verification={verification} />
        <Findings verification={verification} />
      </div>
      <RecordSection title="Coverage">
        <CoveragePanel verification={verification} />
      </RecordSection>
      <RecordSection title="Policy">
        <Facts facts={listFacts(verification)} missing="Not provided" />
      </RecordSection>
      <RecordSection title="History">
        <RecordHistory entries={verification.history} describe={describeHistoryEntry} />
      </RecordSection>
    </>
  )
}

/** The answer of the insurer, and the findings of the rules, which say nothing about the coverage itself. */
function Findings({ verification }: { verification: VerificationDetails }) {
  const { check, eligibility, verificationStatus } = verification
  if (check.by === 'stand-in')
    return (
      <StandInNotice>
        {check.findings.length > 0 ? (
          <FindingList findings={check.findings} />
        ) : (
          'The form and the dates are in order. A person verifies the coverage.'
        )}
      </StandInNotice>
    )
  const canBeAsked = verificationStatus === 'pending' || verificationStatus === 'verified'
  return (
    <>
      {(eligibility !== null || canBeAsked) && <InsurerNotice verification={verification} />}
      {check.findings.length > 0 && <FindingList findings={check.findings} isApart />}
    </>
  )
}

type FindingListProps = Pick<VerificationDetails['check'], 'findings'> & {
  /** Below a notice rather than in it. */
  isApart?: boolean
}

function FindingList({ findings, isApart = false }: FindingListProps) {
  const styles = useStyles()
  return (
    <ul className={isApart ? styles.notes : styles.findings} aria-label="Findings">
      {findings.map(({ field, message }) => (
        <li key={field}>
          {isLabeled(field) ? `${fieldLabels[field]}: ` : ''}
          {message}
        </li>
      ))}
    </ul>
  )
}

const isLabeled = (field: string): field is keyof typeof fieldLabels => Object.hasOwn(fieldLabels, field)

const formatOptionalDate = (date: string | null) => date && formatDate(date)

function listFacts(verification: VerificationDetails): Fact[] {
  const { verifiedBy, verifiedOn } = verification
  return [
    [fieldLabels.insuranceProvider, verification.insuranceProvider],
    [fieldLabels.policyNumber, verification.policyNumber],
    [fieldLabels.groupNumber, verification.groupNumber],
    [fieldLabels.relationshipToPatient, relationshipLabels[verification.relationshipToPatient]],
    [fieldLabels.memberName, verification.memberName],
    [fieldLabels.memberDateOfBirth, formatOptionalDate(verification.memberDateOfBirth)],
    [fieldLabels.eligibilityDate, formatOptionalDate(verification.eligibilityDate)],
    [fieldLabels.expiryDate, formatOptionalDate(verification.expiryDate)],
    [
      'Last decided',
      verifiedOn && [formatDate(verifiedOn), verifiedBy ? verifiedBy.name : 'the insurer'].filter(Boolean).join(', '),
    ],
    [fieldLabels.notes, verification.notes],
  ]
}
