import { makeStyles, tokens } from '@fluentui/react-components'
import type { ReactNode } from 'react'

const useStyles = makeStyles({
  list: {
    margin: 0,
    display: 'grid',
    gridTemplateColumns: '128px minmax(0, 1fr)',
    rowGap: '10px',
    '@media (max-width: 639px)': { gridTemplateColumns: '96px minmax(0, 1fr)', columnGap: '8px' },
  },
  term: { color: tokens.colorNeutralForeground3 },
  value: { margin: 0, overflowWrap: 'anywhere', whiteSpace: 'pre-line', fontVariantNumeric: 'tabular-nums' },
  secondary: { color: tokens.colorNeutralForeground3 },
})

/** The details in a dialog, a term and its value in each line. */
export function DetailList({ children }: { children: ReactNode }) {
  return <dl className={useStyles().list}>{children}</dl>
}

/** One line of a `DetailList`; a value that is null says that it was not provided. */
export function DetailPair({ term, children }: { term: string; children: ReactNode }) {
  const styles = useStyles()
  return (
    <div style={{ display: 'contents' }}>
      <dt className={styles.term}>{term}</dt>
      <dd className={styles.value} dir="auto">
        {children ?? <span className={styles.secondary}>Not provided</span>}
      </dd>
    </div>
  )
}
