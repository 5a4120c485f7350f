import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components'
import type { FluentIcon } from '@fluentui/react-icons'

const useStyles = makeStyles({
  list: {
    listStyleType: 'none',
    margin: 0,
    padding: 0,
    display: 'grid',
    rowGap: '10px',
    color: tokens.colorNeutralForeground2,
  },
  row: { display: 'flex', flexWrap: 'wrap', columnGap: '28px' },
  promise: { display: 'inline-flex', alignItems: 'center', columnGap: '8px' },
  icon: { fontSize: '20px', flexShrink: 0 },
})

/** What people can count on, each with its sign. */
export function IconList({ of, row }: { of: readonly (readonly [label: string, icon: FluentIcon])[]; row?: boolean }) {
  const styles = useStyles()
  return (
    <ul className={mergeClasses(styles.list, row && styles.row)}>
      {of.map(([label, Icon]) => (
        <li key={label} className={styles.promise}>
          <Icon className={styles.icon} aria-hidden />
          {label}
        </li>
      ))}
    </ul>
  )
}
