import { makeStyles, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { useCurrentUser, useHasPermission } from '#web/entities/accounts/current-user.ts'
import { recordKeys } from '#web/entities/records/record-keys.ts'
import { DetailPair } from '../detail-list.tsx'

/** The most records that are named. */
const maxRecords = 5

const useStyles = makeStyles({
  link: { display: 'block', padding: '2px 0', color: tokens.colorBrandForegroundLink },
})

type RecordsPairProps<Row extends { id: string }> = {
  term: string
  appointmentId: string
  /** The key of the records, and of their list in the clinical tab. */
  list: string
  query: object
  load: (query: { appointmentId: string; limit: number }, signal: AbortSignal) => Promise<readonly Row[]>
  toText: (row: Row) => string
  /** The link that adds a record: its text, and whether it is there beside records. Null for an appointment that gets none. */
  add: { text: string; isRepeated: boolean } | null
  onClose: () => void
}

/**
 * The clinical records of one kind that belong to an appointment, with links to them, and one that adds another for roles that may.
 * Nothing for roles that do not read them.
 */
export function RecordsPair<Row extends { id: string }>(props: RecordsPairProps<Row>) {
  const { term, appointmentId, list, load, toText, onClose } = props
  const styles = useStyles()
  const user = useCurrentUser()
  const mayRead = useHasPermission('clinical:read')
  const mayWrite = useHasPermission('clinical:write')
  // Demo users have the roadmap in place of the hub.
  const isShown = mayRead && user !== null && user !== undefined && !showsSampleData(user)
  const query = { ...props.query, appointmentId, limit: maxRecords }
  const { data } = useQuery({
    queryKey: recordKeys.page(list, query),
    queryFn: ({ signal }) => load(query, signal),
    enabled: isShown,
    staleTime: 0,
  })
  const add = mayWrite ? props.add : null
  if (!data || (data.length === 0 && !add)) return null
  // The lists of records parse their own parameters.
  const toSearch = (more: object) => ({ tab: 'clinical', list, ...more }) as { tab: 'clinical' }
  return (
    <DetailPair term={term}>
      {data.map((row) => (
        <Link
          key={row.id}
          to="/automation"
          search={toSearch({ record: row.id })}
          className={styles.link}
          onClick={onClose}
        >
          {toText(row)}
        </Link>
      ))}
      {add && (data.length === 0 || add.isRepeated) && (
        <Link
          to="/automation"
          search={toSearch({ appointment: appointmentId })}
          className={styles.link}
          onClick={onClose}
        >
          {add.text}
        </Link>
      )}
    </DetailPair>
  )
}
