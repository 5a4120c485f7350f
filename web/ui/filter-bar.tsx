import { makeStyles, mergeClasses, Select } from '@fluentui/react-components'
import type { ReactNode } from 'react'
import { aboveToasts } from './toast-position.ts'

const narrow = '@media (max-width: 767px)'

const useStyles = makeStyles({
  bar: { display: 'flex', alignItems: 'center', columnGap: '12px', rowGap: '8px', flexWrap: 'wrap' },
  inset: { padding: '0 20px 12px' },
  filter: {
    width: '180px',
    // Two share a row; one alone has all of it.
    [narrow]: { width: 'calc(50% - 6px)', flexGrow: 1 },
  },
  select: { '& select': { minWidth: 0 } },
  actions: { marginLeft: 'auto', display: 'flex', columnGap: '8px' },
})

type FilterBarProps = { isInset?: boolean; actions?: ReactNode; children: ReactNode }

/**
 * Toolbar of a list: filters, search, number of rows, and at its end what can be done with them. `isInset` within a panel, whose bar
 * may be far down the page: toasts cover it.
 */
export function FilterBar({ isInset = false, actions, children }: FilterBarProps) {
  const styles = useStyles()
  return (
    <div className={mergeClasses(styles.bar, isInset && styles.inset)} {...(isInset ? {} : aboveToasts)}>
      {children}
      {actions && <span className={styles.actions}>{actions}</span>}
    </div>
  )
}

type FilterSelectProps<Value extends string> = {
  label: string
  /** The option that shows all rows. */
  all: string
  value: Value | undefined
  labels: Readonly<Record<Value, string>>
  /** Undefined for all rows. */
  onChoose: (value: Value | undefined) => void
  /** The width of its longest option, not that of the filters of a bar. */
  isNatural?: boolean
}

/** Shows the rows with one value of a field, or all. */
export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, all, value, labels, onChoose, isNatural = false } = props
  const styles = useStyles()
  const isValue = (text: string): text is Value => Object.hasOwn(labels, text)
  return (
    <Select
      className={mergeClasses(styles.select, !isNatural && styles.filter)}
      aria-label={label}
      value={value ?? 'all'}
      onChange={(_, { value: chosen }) => onChoose(isValue(chosen) ? chosen : undefined)}
    >
      <option value="all">{all}</option>
      {Object.entries<string>(labels).map(([option, text]) => (
        <option key={option} value={option}>
          {text}
        </option>
      ))}
    </Select>
  )
}
