import { makeStyles, Text, tokens } from '@fluentui/react-components'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { Person, RecordId } from '#web/ui/person.tsx'
import { SecondaryText } from '#web/ui/text.tsx'

const useStyles = makeStyles({
  head: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: '12px',
    padding: '4px 0 16px',
  },
  section: { padding: '16px 0', borderTop: `1px solid ${tokens.colorNeutralStroke3}` },
  heading: {
    margin: '0 0 8px',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
  },
  facts: {
    margin: 0,
    display: 'grid',
    gridTemplateColumns: '160px minmax(0, 1fr)',
    columnGap: '8px',
    rowGap: '6px',
    '@media (max-width: 639px)': { gridTemplateColumns: '120px minmax(0, 1fr)' },
  },
  fact: { display: 'contents' },
  term: { color: tokens.colorNeutralForeground3 },
  value: { margin: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line', fontVariantNumeric: 'tabular-nums' },
  history: { listStyleType: 'none', margin: 0, padding: 0, display: 'grid', rowGap: '8px' },
  entry: { display: 'grid', gridTemplateColumns: 'minmax(0, 1fr) auto', columnGap: '12px', alignItems: 'baseline' },
  wrap: { overflowWrap: 'anywhere' },
  link: { color: 'inherit', ':not(:hover)': { textDecorationLine: 'none' } },
})

/** The head of a record in a drawer: whom or what it is about, and its status as a badge. */
export function RecordHead({ subject, badge }: { subject: ReactNode; badge: ReactNode }) {
  const styles = useStyles()
  return (
    <div className={styles.head}>
      {subject}
      {badge}
    </div>
  )
}

/** The patient of a record, with a link to the record of the patient. */
export function PatientLink({ patientId, patientName }: { patientId: string; patientName: string }) {
  const styles = useStyles()
  return (
    <Person
      name={patientName}
      detail={<RecordId id={patientId} />}
      renderName={(label) => (
        <Link to="/patients/$patientId" params={{ patientId }} className={styles.link}>
          {label}
        </Link>
      )}
    />
  )
}

/** A part of a record, under a line. */
export function RecordSection({ title, children }: { title?: string; children: ReactNode }) {
  const styles = useStyles()
  return (
    <section className={styles.section}>
      {title !== undefined && <h3 className={styles.heading}>{title}</h3>}
      {children}
    </section>
  )
}

export type Fact = readonly [term: string, value: ReactNode]

/** Terms with their values. `missing` replaces a value that is empty; without it, such terms are left out. */
export function Facts({ facts, missing }: { facts: readonly Fact[]; missing?: string }) {
  const styles = useStyles()
  return (
    <dl className={styles.facts}>
      {facts
        .filter(([, value]) => missing !== undefined || value !== null)
        .map(([term, value]) => (
          <div key={term} className={styles.fact}>
            <dt className={styles.term}>{term}</dt>
            <dd className={styles.value} dir="auto">
              {value || <span className={styles.term}>{missing}</span>}
            </dd>
          </div>
        ))}
    </dl>
  )
}

type HistoryProps<Entry> = {
  /** Newest first. */
  entries: readonly Entry[]
  describe: (entry: Entry, isFirst: boolean) => string
}

/** The history of a record: what happened, when and by whom. */
export function RecordHistory<Entry extends { at: string; by: string | null }>({
  entries,
  describe,
}: HistoryProps<Entry>) {
  const styles = useStyles()
  const formatInstant = useFormatInstant()
  return (
    <ol className={styles.history}>
      {entries.map((entry, index) => (
        <li key={entries.length - index} className={styles.entry}>
          <span>
            <Text block className={styles.wrap}>
              {describe(entry, index === entries.length - 1)}
            </Text>
            <SecondaryText>{formatInstant(entry.at)}</SecondaryText>
          </span>
          <SecondaryText>{entry.by ?? 'Everchart'}</SecondaryText>
        </li>
      ))}
    </ol>
  )
}
