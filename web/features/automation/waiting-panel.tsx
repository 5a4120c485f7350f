import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { Panel } from '#web/ui/panel.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useFollowLink } from '#web/ui/use-follow-link.ts'
import type { WaitingEntry } from './hub-model.ts'

const useStyles = makeStyles({
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    display: 'grid',
    gridTemplateColumns: 'repeat(auto-fit, minmax(min(100%, 360px), 1fr))',
    columnGap: '40px',
  },
  entry: {
    display: 'grid',
    gridTemplateColumns: 'minmax(0, 1fr) auto',
    alignItems: 'center',
    columnGap: '12px',
    padding: '12px 0',
    borderTop: `1px solid ${tokens.colorNeutralStroke3}`,
  },
  text: { display: 'grid', rowGap: '2px' },
  title: { fontWeight: tokens.fontWeightSemibold },
})

/** The work that only a person can do. */
export function WaitingPanel({ entries }: { entries: readonly WaitingEntry[] }) {
  const styles = useStyles()
  const follow = useFollowLink()
  return (
    <Panel title="Waiting for you">
      {entries.length === 0 ? (
        <SecondaryText as="p">Nothing waits for a person.</SecondaryText>
      ) : (
        <ul className={styles.list} aria-label="Waiting for you">
          {entries.map(({ title, detail, action, href }) => (
            <li key={title} className={styles.entry}>
              <span className={styles.text}>
                <Text className={styles.title}>{title}</Text>
                <SecondaryText>{detail}</SecondaryText>
              </span>
              <Button as="a" href={href} onClick={(event) => void follow(event, href)}>
                {action}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}
