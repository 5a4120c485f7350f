import { ArrowClockwiseRegular } from '@fluentui/react-icons/svg/arrow-clockwise'
import { CheckmarkCircleRegular } from '@fluentui/react-icons/svg/checkmark-circle'
import { DismissCircleRegular } from '@fluentui/react-icons/svg/dismiss-circle'
import { EditRegular } from '@fluentui/react-icons/svg/edit'
import { OpenRegular } from '@fluentui/react-icons/svg/open'
import { PersonRegular } from '@fluentui/react-icons/svg/person'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import { ShieldCheckmarkRegular } from '@fluentui/react-icons/svg/shield-checkmark'
import type { UseQueryResult } from '@tanstack/react-query'
import type { InsuranceVerification } from '#contracts/insurance.ts'
import { errorMessage } from '#web/api/call.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import type { MenuAction } from '#web/ui/menu-action.ts'
import { TableSkeleton } from '#web/ui/table-skeleton.tsx'
import { useTableStyles } from '#web/ui/table-styles.ts'
import { type ChosenStatus, pageSize } from './api.ts'
import type { InsuranceSearch } from './insurance-search.ts'
import { formatVerificationName } from './labels.ts'
import { VerificationCard, verificationColumns, verificationSkeletonColumns } from './verification-columns.tsx'

type VerificationsListProps = {
  list: UseQueryResult<{ items: InsuranceVerification[]; total: number }>
  search: InsuranceSearch
  onPage: (page: number) => void
  onOpen: (verification: InsuranceVerification) => void
  onEdit: (verification: InsuranceVerification) => void
  onStatus: (verification: InsuranceVerification, status: ChosenStatus) => void
  onOpenPatient: (verification: InsuranceVerification) => void
  onAdd: () => void
  onClear: () => void
}

/** The list with its states loading, failed and empty. */
export function VerificationsList(props: VerificationsListProps) {
  const { list, search, onPage, onOpen, onEdit, onStatus, onOpenPatient, onAdd, onClear } = props
  const { surface } = useTableStyles()
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = list
  if (isPending)
    return (
      <div className={surface}>
        <TableSkeleton label="Loading verifications" rows={5} columns={verificationSkeletonColumns} />
      </div>
    )
  if (error && (!data || isPlaceholderData))
    return (
      <div className={surface}>
        <ErrorState title="Failed to fetch verifications" hint={errorMessage(error)} onRetry={() => void refetch()} />
      </div>
    )
  if (!data || data.items.length === 0)
    return (
      <div className={surface}>
        {search.status || search.policyInRecord || search.search || search.cursor ? (
          <EmptyState
            icon={SearchRegular}
            title="No verifications match these filters"
            hint="Try another status, or part of the name of the patient or the insurance provider."
            action="Show all verifications"
            onAction={onClear}
          />
        ) : (
          <EmptyState
            icon={ShieldCheckmarkRegular}
            title="No verifications yet"
            hint="Enter a patient's policy to keep track of the coverage."
            action="New Verification"
            onAction={onAdd}
          />
        )}
      </div>
    )
  const listActions = (verification: InsuranceVerification): MenuAction[] => [
    { label: 'Open', icon: OpenRegular, onClick: () => onOpen(verification) },
    { label: 'Edit', icon: EditRegular, onClick: () => onEdit(verification) },
    ...listStatusActions(verification, (status) => onStatus(verification, status)),
    { label: 'Open patient', icon: PersonRegular, onClick: () => onOpenPatient(verification) },
  ]
  return (
    <DataTable
      label="Verifications"
      columns={verificationColumns}
      rows={data.items}
      getId={({ id }) => id}
      getName={formatVerificationName}
      renderCard={(verification) => <VerificationCard verification={verification} />}
      busy={isFetching && isPlaceholderData}
      current={search.verification}
      paging={{ page: search.page ?? 1, pageSize, total: data.total, onPage }}
      onOpen={onOpen}
      actions={listActions}
    />
  )
}

/** Returns the actions that change the status. An expired one needs a later expiry date first. */
function listStatusActions(
  { verificationStatus: status }: InsuranceVerification,
  choose: (status: ChosenStatus) => void,
): MenuAction[] {
  const verify = { label: 'Mark verified', icon: CheckmarkCircleRegular, onClick: () => choose('verified') }
  const deny = { label: 'Mark denied', icon: DismissCircleRegular, onClick: () => choose('denied') }
  const verifyAgain = { label: 'Verify again', icon: ArrowClockwiseRegular, onClick: () => choose('pending') }
  if (status === 'pending') return [verify, deny]
  return status === 'expired' ? [] : [verifyAgain]
}
