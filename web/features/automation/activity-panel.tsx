import { Link, makeStyles, Text, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import { Panel } from '#web/ui/panel.tsx'
import { StatusBadge } from '#web/ui/status-badge.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useFollowLink } from '#web/ui/use-follow-link.ts'
import type { ActivityEntry } from './hub-model.ts'

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0 },
  entry: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    columnGap: '12px',
    padding: '10px 0',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
    ':first-child': { borderTop: 'none', paddingTop: 0 },
  },
  text: { display: 'grid', rowGap: '2px', overflowWrap: 'anywhere' },
  title: { fontWeight: tokens.fontWeightSemibold },
  link: { color: 'inherit', fontWeight: tokens.fontWeightSemibold },
  end: { display: 'grid', rowGap: '2px', justifyItems: 'end', alignContent: 'start' },
})

type ActivityPanelProps = {
  /** Undefined while they are loading. */
  entries: readonly ActivityEntry[] | undefined
  note?: string
  /** Shown in place of the entries, such as an error. */
  children?: ReactNode
}

/** The log of what ran by itself, newest first. */
export function ActivityPanel({ entries, note, children }: ActivityPanelProps) {
  const styles = useStyles()
  return (
    <Panel title="Recent Automation Activity" note={note}>
      {children ??
        (entries?.length === 0 ? (
          <SecondaryText as="p">
            Nothing has run by itself yet. Messages to patients, analyses of forms and coverages that end are listed
            here.
          </SecondaryText>
        ) : (
          <ul className={styles.list} aria-label="Activity" aria-busy={entries === undefined}>
            {entries?.map((entry) => (
              <li key={entry.id} className={styles.entry}>
                <span className={styles.text}>
                  <EntryTitle entry={entry} />
                  <SecondaryText>{entry.detail}</SecondaryText>
                </span>
                <span className={styles.end}>
                  <SecondaryText>{entry.at}</SecondaryText>
                  <StatusBadge status={entry.status} plain />
                </span>
              </li>
            ))}
          </ul>
        ))}
    </Panel>
  )
}

function EntryTitle({ entry: { title, href } }: { entry: ActivityEntry }) {
  const styles = useStyles()
  const follow = useFollowLink()
  return href === null ? (
    <Text className={styles.title} dir="auto">
      {title}
    </Text>
  ) : (
    <Link href={href} className={styles.link} dir="auto" onClick={(event) => void follow(event, href)}>
      {title}
    </Link>
  )
}
