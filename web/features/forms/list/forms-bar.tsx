import type { RefObject } from 'react'
import { CountBadge } from '#web/ui/count-badge.tsx'
import { FilterBar, FilterSelect } from '#web/ui/filter-bar.tsx'
import { SearchField } from '#web/ui/search-field.tsx'
import { formStatusLabels, formTypeLabels } from '#web/entities/forms/form-labels.ts'
import type { FormsSearch } from './forms-search.ts'

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
  const { type: _type, ...withoutType } = filters
  const { status: _status, ...withoutStatus } = filters
  const { search: _search, ...withoutSearch } = filters
  return (
    <FilterBar>
      <FilterSelect
        label="Type of form"
        all="All types"
        value={filters.type}
        labels={formTypeLabels}
        onChoose={(type) => onFilter(type ? { ...filters, type } : withoutType)}
      />
      <FilterSelect
        label="Status of the form"
        all="All statuses"
        value={filters.status}
        labels={formStatusLabels}
        onChoose={(status) => onFilter(status ? { ...filters, status } : withoutStatus)}
      />
      <SearchField
        label="Search forms"
        placeholder="Search by patient..."
        search={filters.search ?? ''}
        inputRef={inputRef}
        onSearch={(search) => onFilter(search ? { ...filters, search } : withoutSearch)}
      />
      <CountBadge total={total} noun="form" />
    </FilterBar>
  )
}
