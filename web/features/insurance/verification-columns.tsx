import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import { Link } from '@tanstack/react-router'
import type { InsuranceVerification } from '#contracts/insurance.ts'
import { getTodayIn, usePracticeZone } from '#web/entities/practices/practice-time.ts'
import { useCardStyles } from '#web/ui/card-styles.ts'
import type { Column } from '#web/ui/data-table.tsx'
import { formatDate } from '#web/ui/dates.ts'
import { Person, RecordId } from '#web/ui/person.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { useNow } from '#web/ui/use-now.ts'
import { describeTerm, policyInRecordLabels, relationshipLabels } from './labels.ts'

const useStyles = makeStyles({
  number: { fontFamily: tokens.fontFamilyMonospace, fontSize: tokens.fontSizeBase200 },
  ending: { color: tokens.colorStatusWarningForeground1 },
})

/** Number of a policy, in a font that tells its characters apart. */
function PolicyNumber({ number }: { number: string }) {
  return (
    <span className={useStyles().number} dir="auto" title={number}>
      {number}
    </span>
  )
}

/** Link to the details of a verification. In a table the row has the keyboard focus instead. */
function DetailsLink({ id, label, cover = false }: { id: string; label: string; cover?: boolean }) {
  const styles = useCardStyles()
  return (
    <Link
      from="/insurance"
      to="/insurance"
      search={(now) => ({ ...now, verification: id })}
      tabIndex={cover ? 0 : -1}
      className={mergeClasses(styles.link, cover && styles.cover)}
      title={label}
      dir="auto"
    >
      {label}
    </Link>
  )
}

/** The end of the coverage, pointed out when it is near. */
function Term({ verification }: { verification: InsuranceVerification }) {
  const styles = useStyles()
  const now = useNow(60_000)
  const { text, isEnding } = describeTerm(verification, getTodayIn(usePracticeZone(), now), now)
  return <span className={mergeClasses(isEnding && styles.ending)}>{text}</span>
}

/** Mark of a policy other than the one in the record of the patient. */
function OtherInRecord() {
  return <span className={useStyles().ending}>{policyInRecordLabels.other}</span>
}

/** Columns of the list in the order of the specification; the table adds Actions. */
export const verificationColumns: readonly Column<InsuranceVerification>[] = [
  {
    id: 'provider',
    header: 'Provider',
    width: '22%',
    tight: '21%',
    renderCell: ({ id, insuranceProvider, relationshipToPatient }) => (
      <TwoLineCell
        top={<DetailsLink id={id} label={insuranceProvider} />}
        bottom={`Member: ${relationshipLabels[relationshipToPatient].toLowerCase()}`}
        strong
      />
    ),
  },
  {
    id: 'policy',
    header: 'Policy Info',
    width: '20%',
    tight: '16%',
    renderCell: ({ policyNumber, groupNumber, policyInRecord }) => (
      <TwoLineCell
        top={<PolicyNumber number={policyNumber} />}
        bottom={policyInRecord === 'other' ? <OtherInRecord /> : groupNumber ? `Group ${groupNumber}` : 'No group'}
      />
    ),
  },
  {
    id: 'patient',
    header: 'Patient',
    width: '24%',
    tight: '21%',
    renderCell: ({ patientName, patientId }) => (
      <Person name={patientName} size={32} detail={<RecordId id={patientId} />} />
    ),
  },
  {
    id: 'status',
    header: 'Status',
    width: '124px',
    tight: '112px',
    renderCell: ({ verificationStatus }) => <StatusBadge status={verificationStatus} />,
  },
  {
    id: 'verified',
    header: 'Verified Date',
    renderCell: (verification) => (
      <TwoLineCell
        top={verification.verifiedOn ? formatDate(verification.verifiedOn) : '-'}
        bottom={<Term verification={verification} />}
      />
    ),
  },
]

/** Column heads of the list while it is loading. */
export const verificationSkeletonColumns = [...verificationColumns, { header: 'Actions', width: '84px' }]

/** A verification in the list on a narrow screen. */
export function VerificationCard({ verification }: { verification: InsuranceVerification }) {
  const styles = useCardStyles()
  const { id, insuranceProvider, policyNumber, patientName, verificationStatus, policyInRecord } = verification
  return (
    <span className={styles.card}>
      <DetailsLink id={id} label={patientName} cover />
      <StatusBadge status={verificationStatus} />
      <SecondaryText className={styles.wide}>
        {insuranceProvider}, <PolicyNumber number={policyNumber} />
      </SecondaryText>
      <SecondaryText className={styles.wide}>
        <Term verification={verification} />
        {policyInRecord === 'other' && (
          <>
            {', '}
            <OtherInRecord />
          </>
        )}
      </SecondaryText>
    </span>
  )
}
