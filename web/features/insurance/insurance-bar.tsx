import { Button } from '@fluentui/react-components'
import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise'
import type { RefObject } from 'react'
import { exportVerifications } from '#contracts/insurance.ts'
import { ExportButton } from '#web/entities/records/export-button.tsx'
import { CountBadge } from '#web/ui/count-badge.tsx'
import { FilterBar, FilterSelect } from '#web/ui/filter-bar.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import type { InsuranceSearch } from './insurance-search.ts'
import { policyInRecordLabels, statusLabels } from './labels.ts'

type InsuranceBarProps = {
  filters: Pick<InsuranceSearch, 'status' | 'policyInRecord' | 'search'>
  /** Number of verifications; null while it is loading. */
  total: number | null
  inputRef: RefObject<HTMLInputElement | null>
  onFilter: (filters: InsuranceSearch) => void
  onRefresh: () => void
}

/** Toolbar of the list: filter, search, the number of verifications, and the button that loads them again. */
export function InsuranceBar({ filters, total, inputRef, onFilter, onRefresh }: InsuranceBarProps) {
  const { status: _status, ...withoutStatus } = filters
  const { policyInRecord: _policy, ...withoutPolicy } = filters
  const { search: _search, ...withoutSearch } = filters
  return (
    <FilterBar
      actions={
        <>
          <ExportButton endpoint={exportVerifications} query={filters} total={total} />
          <Button icon={<ArrowClockwiseRegular />} onClick={onRefresh}>
            Refresh
          </Button>
        </>
      }
    >
      <FilterSelect
        label="Status of the verification"
        all="All statuses"
        value={filters.status}
        labels={statusLabels}
        onChoose={(status) => onFilter(status ? { ...filters, status } : withoutStatus)}
      />
      <FilterSelect
        label="Insurance in the record of the patient"
        all="Any in record"
        value={filters.policyInRecord}
        labels={policyInRecordLabels}
        onChoose={(policyInRecord) => onFilter(policyInRecord ? { ...filters, policyInRecord } : withoutPolicy)}
      />
      <SearchField
        label="Search verifications"
        placeholder="Search by patient or provider..."
        search={filters.search ?? ''}
        inputRef={inputRef}
        onSearch={(search) => onFilter(search ? { ...filters, search } : withoutSearch)}
      />
      <CountBadge total={total} noun="verification" />
    </FilterBar>
  )
}
