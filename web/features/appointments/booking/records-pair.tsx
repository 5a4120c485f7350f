import { makeStyles, tokens } from '@fluentui/react-components'
import { Link } from '@tanstack/react-router'
import { DetailPair } from '../detail-list.tsx'

const useStyles = makeStyles({
  link: { display: 'block', padding: '2px 0', color: tokens.colorBrandForegroundLink },
})

type RecordsPairProps<Row extends { id: string }> = {
  term: string
  appointmentId: string
  /** The key of the records, and of their list in the clinical tab. */
  list: string
  /** Undefined while they load, and for roles that do not read them. */
  records: readonly Row[] | undefined
  toText: (row: Row) => string
  /** The link that adds a record: its text, and whether it is there beside records. Null where none can be added. */
  add: { text: string; isRepeated: boolean } | null
  onClose: () => void
}

/** The clinical records of one kind that belong to an appointment, with links to them, and one that adds another. */
export function RecordsPair<Row extends { id: string }>(props: RecordsPairProps<Row>) {
  const { term, appointmentId, list, records, toText, add, onClose } = props
  const styles = useStyles()
  if (!records || (records.length === 0 && !add)) return null
  // The lists of records parse their own parameters.
  const toSearch = (more: object) => ({ tab: 'clinical', list, ...more }) as { tab: 'clinical' }
  const link = { to: '/automation', className: styles.link, onClick: onClose } as const
  return (
    <DetailPair term={term}>
      {records.map((row) => (
        <Link key={row.id} {...link} search={toSearch({ record: row.id })}>
          {toText(row)}
        </Link>
      ))}
      {add && (records.length === 0 || add.isRepeated) && (
        <Link {...link} search={toSearch({ appointment: appointmentId })}>
          {add.text}
        </Link>
      )}
    </DetailPair>
  )
}
