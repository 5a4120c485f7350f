import { makeStyles, Select, tokens } from '@fluentui/react-components'
import type { RefObject } from 'react'
import { FormStatus, FormType } from '#contracts/values/forms.ts'
import { formatCount } from '#web/ui/format.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { aboveToasts } from '#web/ui/toast-position.ts'
import { formStatusLabels, formTypeLabels } from '#web/entities/forms/form-labels.ts'
import type { FormsSearch } from './forms-search.ts'

const narrow = '@media (max-width: 767px)'

const useStyles = makeStyles({
  bar: { display: 'flex', alignItems: 'center', columnGap: '12px', rowGap: '8px', flexWrap: 'wrap' },
  filter: { width: '180px', [narrow]: { width: 'calc(50% - 6px)' }, '& select': { minWidth: 0 } },
  count: {
    display: 'inline-block',
    padding: '0 10px',
    lineHeight: '24px',
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: tokens.colorNeutralBackground4,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightMedium,
    whiteSpace: 'nowrap',
    fontVariantNumeric: 'tabular-nums',
  },
})

type Filters = Pick<FormsSearch, 'type' | 'status' | 'search'>

type FormsBarProps = {
  filters: Filters
  /** Number of forms; null while it is loading. */
  total: number | null
  inputRef: RefObject<HTMLInputElement | null>
  onFilter: (filters: Filters) => void
}

/** Toolbar of the list: filters, search and the number of forms. */
export function FormsBar({ filters, total, inputRef, onFilter }: FormsBarProps) {
  const styles = useStyles()
  const { type: _type, ...withoutType } = filters
  const { status: _status, ...withoutStatus } = filters
  const { search: _search, ...withoutSearch } = filters
  return (
    <div className={styles.bar} {...aboveToasts}>
      <Select
        className={styles.filter}
        aria-label="Type of form"
        value={filters.type ?? 'all'}
        onChange={(_, { value }) => {
          const type = FormType.safeParse(value)
          onFilter(type.success ? { ...filters, type: type.data } : withoutType)
        }}
      >
        <option value="all">All types</option>
        {FormType.options.map((type) => (
          <option key={type} value={type}>
            {formTypeLabels[type]}
          </option>
        ))}
      </Select>
      <Select
        className={styles.filter}
        aria-label="Status of the form"
        value={filters.status ?? 'all'}
        onChange={(_, { value }) => {
          const status = FormStatus.safeParse(value)
          onFilter(status.success ? { ...filters, status: status.data } : withoutStatus)
        }}
      >
        <option value="all">All statuses</option>
        {FormStatus.options.map((status) => (
          <option key={status} value={status}>
            {formStatusLabels[status]}
          </option>
        ))}
      </Select>
      <SearchField
        label="Search forms"
        placeholder="Search by patient..."
        search={filters.search ?? ''}
        inputRef={inputRef}
        onSearch={(search) => onFilter(search ? { ...filters, search } : withoutSearch)}
      />
      <span aria-live="polite">
        {total !== null && <span className={styles.count}>{formatCount(total, 'form')}</span>}
      </span>
    </div>
  )
}
