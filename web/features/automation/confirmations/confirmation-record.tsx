import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { Link } from '@tanstack/react-router'
import type { ConfirmationDetails } from '#contracts/confirmations.ts'
import { CopyField } from '#web/ui/copy-field.tsx'
import { type FormatInstant, useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { Person, RecordId } from '#web/ui/person.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { describeResponse, describeSending, historyLabels, joinLines, methodLabels } from './labels.ts'

const useStyles = makeStyles({
  head: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: '12px',
    padding: '4px 0 16px',
  },
  link: { color: 'inherit', ':not(:hover)': { textDecorationLine: 'none' } },
  section: { padding: '16px 0', borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
  heading: {
    margin: '0 0 8px',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
  },
  pairs: { margin: 0, display: 'grid', gridTemplateColumns: '120px minmax(0, 1fr)', rowGap: '6px' },
  term: { color: tokens.colorNeutralForeground3 },
  value: { margin: 0, overflowWrap: 'anywhere', fontVariantNumeric: 'tabular-nums' },
  history: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', rowGap: '8px' },
  entry: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: '12px', alignItems: 'baseline' },
})

/** A confirmation at a glance: patient and status, the message, the answer, and the history. */
export function ConfirmationRecord({ confirmation }: { confirmation: ConfirmationDetails }) {
  const styles = useStyles()
  const formatInstant = useFormatInstant()
  const { patientName, patientId, status, reminderType, phoneNumber, email, appointmentDate, answerUrl } = confirmation
  const rows: readonly (readonly [term: string, value: string])[] = [
    ['Appointment', formatInstant(appointmentDate)],
    ['Method', methodLabels[reminderType]],
    ['To', (reminderType === 'sms' ? phoneNumber : email) ?? 'No address'],
    ['Sent', joinLines(describeSending(confirmation, formatInstant))],
    ['Response', joinLines(describeResponse(confirmation, formatInstant))],
  ]
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
        <StatusBadge status={status} />
      </div>
      <section className={styles.section}>
        <dl className={styles.pairs}>
          {rows.map(([term, value]) => (
            <div key={term} style={{ display: 'contents' }}>
              <dt className={styles.term}>{term}</dt>
              <dd className={styles.value} dir="auto">
                {value}
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {answerUrl && (
        <section className={styles.section}>
          <h3 className={styles.heading}>Answer as the patient</h3>
          <CopyField label="The link in the message" value={answerUrl} />
          <SecondaryText as="p">
            No service sends messages here: they are kept in the outbox of the operator.
          </SecondaryText>
        </section>
      )}
      <section className={styles.section}>
        <h3 className={styles.heading}>History</h3>
        <History confirmation={confirmation} formatInstant={formatInstant} />
      </section>
    </>
  )
}

type HistoryProps = { confirmation: ConfirmationDetails; formatInstant: FormatInstant }

function History({ confirmation: { history }, formatInstant }: HistoryProps) {
  const styles = useStyles()
  return (
    <ol className={styles.history}>
      {history.toReversed().map((entry, index) => (
        <li key={history.length - index} className={styles.entry}>
          <span>
            <Text block>{historyLabels[entry.what]}</Text>
            <SecondaryText>{formatInstant(entry.at)}</SecondaryText>
          </span>
          <SecondaryText>{entry.by ?? 'Everchart'}</SecondaryText>
        </li>
      ))}
    </ol>
  )
}
