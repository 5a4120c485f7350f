import { formatName } from '#web/ui/format.ts'
import { DeleteRegular } from '@fluentui/react-icons/svg/delete'
import { EditRegular } from '@fluentui/react-icons/svg/edit'
import { OpenRegular } from '@fluentui/react-icons/svg/open'
import { PeopleSearchRegular } from '@fluentui/react-icons/svg/people-search'
import { PersonAddRegular } from '@fluentui/react-icons/svg/person-add'
import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { Patient } from '#contracts/patients.ts'
import { errorMessage } from '#web/api/call.ts'
import { DataTable, type Sort } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { TableSkeleton } from '#web/ui/table-skeleton.tsx'
import { useTableStyles } from '#web/ui/table-styles.ts'
import { pageSize } from '../api.ts'
import { type PatientsSearch, toTableSort } from './patients-search.ts'
import { PatientCard, patientColumns, patientSkeletonColumns } from './patient-columns.tsx'

type PatientsListProps = {
  list: UseQueryResult<{ items: Patient[]; total: number }>
  /** The list does not belong to the text in the search field any more. */
  isTyping: boolean
  /** The user may add, edit and delete patients. */
  canWrite: boolean
  search: PatientsSearch
  current: string | undefined
  onSort: (sort: Sort | null) => void
  onPage: (page: number) => void
  onOpen: (patient: Patient) => void
  onEdit: (patient: Patient) => void
  onDelete: (patient: Patient) => void
  onAdd: () => void
}

/** The list with its states loading, failed and empty. */
export function PatientsList({
  list,
  isTyping,
  canWrite,
  search,
  current,
  onSort,
  onPage,
  onOpen,
  onEdit,
  onDelete,
  onAdd,
}: PatientsListProps) {
  const { surface } = useTableStyles()
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = list
  // The same functions as long as they do the same: rows that do not change are not rendered again.
  const actions = useCallback(
    (patient: Patient) => [
      { label: 'View Details', icon: OpenRegular, onClick: () => onOpen(patient) },
      ...(canWrite
        ? [
            { label: 'Edit', icon: EditRegular, onClick: () => onEdit(patient) },
            { label: 'Delete', icon: DeleteRegular, danger: true, onClick: () => onDelete(patient) },
          ]
        : []),
    ],
    [canWrite, onOpen, onEdit, onDelete],
  )
  if (isPending)
    return (
      <div className={surface}>
        <TableSkeleton label="Loading patients" rows={5} columns={patientSkeletonColumns} />
      </div>
    )
  if (error && (!data || isPlaceholderData))
    return (
      <div className={surface}>
        <ErrorState title="Failed to fetch patients" hint={errorMessage(error)} onRetry={() => void refetch()} />
      </div>
    )
  if (!data || data.total === 0)
    return (
      <div className={surface}>
        <EmptyState
          {...(search.search
            ? {
                icon: PeopleSearchRegular,
                title: 'No patients found matching your search',
                hint: 'Check the spelling, or search by phone number or date of birth.',
              }
            : {
                icon: PersonAddRegular,
                title: 'No patients registered yet',
                hint: canWrite
                  ? 'Add one here, or import your list from a spreadsheet.'
                  : 'They appear here once added.',
              })}
          {...(canWrite && { action: 'Add Your First Patient', onAction: onAdd })}
        />
      </div>
    )
  return (
    <DataTable
      label="Patients"
      columns={patientColumns}
      rows={data.items}
      getId={({ id }) => id}
      getName={formatName}
      renderCard={(patient) => <PatientCard patient={patient} />}
      current={current}
      busy={isTyping || (isFetching && isPlaceholderData)}
      sort={toTableSort(search)}
      onSort={onSort}
      paging={{ page: search.page ?? 1, pageSize, total: data.total, onPage }}
      onOpen={onOpen}
      {...(canWrite && { onDelete })}
      actions={actions}
    />
  )
}
