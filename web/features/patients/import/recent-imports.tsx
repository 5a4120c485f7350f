import { makeStyles, tokens } from '@fluentui/react-components'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ImportStatus } from '#contracts/patient-import.ts'
import { useFormatInstant } from '#web/entities/practices/practice-time.ts'
import { type Status, StatusBadge } from '#web/ui/status-badge.tsx'
import { TwoLineCell } from '#web/ui/text.tsx'
import { importsQuery } from './import-api.ts'
import { summarizeImport } from './import-labels.ts'

const useStyles = makeStyles({
  part: { padding: '16px 20px 8px', borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
  heading: {
    margin: '0 0 4px',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontWeight: tokens.fontWeightSemibold,
  },
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  line: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'space-between',
    columnGap: '12px',
    minHeight: '56px',
    color: tokens.colorNeutralForeground1,
    textDecorationLine: 'none',
    borderRadius: tokens.borderRadiusMedium,
    margin: '0 -8px',
    padding: '0 8px',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}` },
  },
})

const badges: Record<ImportStatus['state'], [Status, string]> = {
  queued: ['waiting', 'Waiting'],
  running: ['in-progress', 'In progress'],
  done: ['completed', 'Completed'],
  undoing: ['in-progress', 'Undoing'],
  undone: ['cancelled', 'Undone'],
  failed: ['failed', 'Stopped'],
}

/** Lists previous imports with links to their reports. */
export function RecentImports() {
  const styles = useStyles()
  const formatInstant = useFormatInstant()
  const { data = [] } = useQuery(importsQuery)
  if (data.length === 0) return null
  return (
    <div className={styles.part}>
      <h2 className={styles.heading}>Recent imports</h2>
      <ul className={styles.list}>
        {data.map((run) => {
          const [status, label] = badges[run.state]
          return (
            <li key={run.importId}>
              <Link className={styles.line} to="/patients/import" search={{ id: run.importId }}>
                <TwoLineCell top={formatInstant(run.startedAt)} bottom={summarizeImport(run)} strong />
                <StatusBadge status={status} label={label} />
              </Link>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
