import { Button, makeStyles, Select, tokens } from '@fluentui/react-components'
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise'
import type { RefObject } from 'react'
import { exportVerifications } from '#contracts/insurance.ts'
import { VerificationStatus } from '#contracts/values/insurance.ts'
import { ExportButton } from '#web/entities/records/export-button.tsx'
import { formatCount } from '#web/ui/format.ts'
import { SearchField } from '#web/ui/search-field.tsx'
import { aboveToasts } from '#web/ui/toast-position.ts'
import type { InsuranceSearch } from './insurance-search.ts'
import { statusLabels } from './labels.ts'

const narrow = '@media (max-width: 767px)'

const useStyles = makeStyles({
  bar: { display: 'flex', alignItems: 'center', columnGap: '12px', rowGap: '8px', flexWrap: 'wrap' },
  filter: { width: '180px', [narrow]: { width: '100%' }, '& select': { minWidth: 0 } },
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
  actions: { marginLeft: 'auto', display: 'flex', columnGap: '8px' },
})

type InsuranceBarProps = {
  filters: Pick<InsuranceSearch, 'status' | 'search'>
  /** Number of verifications; null while it is loading. */
  total: number | null
  inputRef: RefObject<HTMLInputElement | null>
  onFilter: (filters: InsuranceSearch) => void
  onRefresh: () => void
}

/** Toolbar of the list: filter, search, the number of verifications, and the button that loads them again. */
export function InsuranceBar({ filters, total, inputRef, onFilter, onRefresh }: InsuranceBarProps) {
  const styles = useStyles()
  const { status: _status, ...withoutStatus } = filters
  const { search: _search, ...withoutSearch } = filters
  return (
    <div className={styles.bar} {...aboveToasts}>
      <Select
        className={styles.filter}
        aria-label="Status of the verification"
        value={filters.status ?? 'all'}
        onChange={(_, { value }) => {
          const status = VerificationStatus.safeParse(value)
          onFilter(status.success ? { ...filters, status: status.data } : withoutStatus)
        }}
      >
        <option value="all">All statuses</option>
        {Object.entries(statusLabels).map(([status, label]) => (
          <option key={status} value={status}>
            {label}
          </option>
        ))}
      </Select>
      <SearchField
        label="Search verifications"
        placeholder="Search by patient or provider..."
        search={filters.search ?? ''}
        inputRef={inputRef}
        onSearch={(search) => onFilter(search ? { ...filters, search } : withoutSearch)}
      />
      <span aria-live="polite">
        {total !== null && <span className={styles.count}>{formatCount(total, 'verification')}</span>}
      </span>
      <span className={styles.actions}>
        <ExportButton endpoint={exportVerifications} query={filters} total={total} />
        <Button icon={<ArrowClockwiseRegular />} onClick={onRefresh}>
          Refresh
        </Button>
      </span>
    </div>
  )
}
