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
  item: { display: 'inline-flex', alignItems: 'center', columnGap: '8px' },
  icon: { fontSize: '20px', flexShrink: 0 },
})

/** List of short assurances, each with an icon. */
export function IconList({
  items,
  row,
}: {
  items: readonly (readonly [label: string, icon: FluentIcon])[]
  row?: boolean
}) {
  const styles = useStyles()
  return (
    <ul className={mergeClasses(styles.list, row && styles.row)}>
      {items.map(([label, Icon]) => (
        <li key={label} className={styles.item}>
          <Icon className={styles.icon} aria-hidden />
          {label}
        </li>
      ))}
    </ul>
  )
}
