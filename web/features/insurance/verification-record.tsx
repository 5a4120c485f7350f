import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { VerificationDetails } from '#contracts/insurance.ts'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { formatDate } from '#web/ui/dates.ts'
import { Person, RecordId } from '#web/ui/person.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { CoveragePanel } from './coverage-panel.tsx'
import { describeHistoryEntry, fieldLabels, relationshipLabels } from './labels.ts'
import { InsurerNotice, StandInNotice } from './stand-in-notice.tsx'

const useStyles = makeStyles({
  head: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: '12px',
    padding: '4px 0 16px',
  },
  section: {
    padding: '16px 0',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
  },
  heading: {
    margin: '0 0 8px',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
  },
  pairs: {
    margin: 0,
    display: 'grid',
    gridTemplateColumns: '168px minmax(0, 1fr)',
    rowGap: '6px',
    '@media (max-width: 639px)': { gridTemplateColumns: '120px minmax(0, 1fr)', columnGap: '8px' },
  },
  term: { color: tokens.colorNeutralForeground3 },
  value: { margin: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line', fontVariantNumeric: 'tabular-nums' },
  findings: { margin: '4px 0 0', paddingLeft: '18px' },
  notes: { margin: '12px 0', paddingLeft: '18px' },
  history: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', rowGap: '8px' },
  entry: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: '12px', alignItems: 'baseline' },
  wrap: { overflowWrap: 'anywhere' },
  link: { color: 'inherit', ':not(:hover)': { textDecorationLine: 'none' } },
})

/** A verification at a glance: patient and status, findings, coverage, policy and history. */
export function VerificationRecord({ verification }: { verification: VerificationDetails }) {
  const styles = useStyles()
  const { patientName, patientId, verificationStatus } = verification
  return (
    <>
      <div className={styles.head}>
        <Person
          name={patientName}
          detail={<RecordId id={patientId} />}
          renderName={(label) => (
            <Link to="/patients/$patientId" params={{ patientId }} className={styles.link}>
              {label}
            </Link>
          )}
        />
        <StatusBadge status={verificationStatus} />
      </div>
      <Findings verification={verification} />
      <Section title="Coverage">
        <CoveragePanel verification={verification} />
      </Section>
      <Section title="Policy">
        <PolicyPairs verification={verification} />
      </Section>
      <Section title="History">
        <History verification={verification} />
      </Section>
    </>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const styles = useStyles()
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>{title}</h3>
      {children}
    </section>
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
  const isAsked = eligibility !== null || verificationStatus === 'pending'
  return (
    <>
      {isAsked && <InsurerNotice verification={verification} />}
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

function PolicyPairs({ verification }: { verification: VerificationDetails }) {
  const styles = useStyles()
  const { verifiedBy, verifiedOn } = verification
  const rows: readonly (readonly [term: string, value: string | null])[] = [
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
  return (
    <dl className={styles.pairs}>
      {rows.map(([term, value]) => (
        <div key={term} style={{ display: 'contents' }}>
          <dt className={styles.term}>{term}</dt>
          <dd className={styles.value} dir="auto">
            {value || <span className={styles.term}>Not provided</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function History({ verification: { history } }: { verification: VerificationDetails }) {
  const styles = useStyles()
  const formatInstant = useFormatInstant()
  return (
    <ol className={styles.history}>
      {history.map((entry, index) => (
        <li key={history.length - index} className={styles.entry}>
          <span>
            <Text block className={styles.wrap}>
              {describeHistoryEntry(entry, index === history.length - 1)}
            </Text>
            <SecondaryText>{formatInstant(entry.at)}</SecondaryText>
          </span>
          <SecondaryText>{entry.by ?? 'Everchart'}</SecondaryText>
        </li>
      ))}
    </ol>
  )
}
