import { ClipboardTextLtrRegular } from '@fluentui/react-icons/svg/clipboard-text-ltr'
import { EditRegular } from '@fluentui/react-icons/svg/edit'
import { OpenRegular } from '@fluentui/react-icons/svg/open'
import { PersonRegular } from '@fluentui/react-icons/svg/person'
import { SendRegular } from '@fluentui/react-icons/svg/send'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Form } from '#contracts/forms.ts'
import { errorMessage } from '#web/api/call.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { TableSkeleton } from '#web/ui/table-skeleton.tsx'
import { useTableStyles } from '#web/ui/table-styles.ts'
import { pageSize } from '../api.ts'
import { formatFormName, isDraft } from '../labels.ts'
import { actionsWidth, FormCard, formColumns, formSkeletonColumns, OpenFormButton } from './form-columns.tsx'
import type { FormsSearch } from './forms-search.ts'

type FormsListProps = {
  list: UseQueryResult<{ items: Form[]; total: number }>
  search: FormsSearch
  /** The user may create forms. */
  canCreate: boolean
  /** Returns whether the user may fill in a form. */
  canFill: (form: Form) => boolean
  onPage: (page: number) => void
  onOpen: (form: Form) => void
  onFill: (form: Form) => void
  onSendLink: (form: Form) => void
  onOpenPatient: (form: Form) => void
  onCreate: () => void
  onClear: () => void
}

/** The list with its states loading, failed and empty. */
export function FormsList({
  list,
  search,
  canCreate,
  canFill,
  onPage,
  onOpen,
  onFill,
  onSendLink,
  onOpenPatient,
  onCreate,
  onClear,
}: FormsListProps) {
  const { surface } = useTableStyles()
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = list
  if (isPending)
    return (
      <div className={surface}>
        <TableSkeleton label="Loading forms" rows={5} columns={formSkeletonColumns} />
      </div>
    )
  if (error && (!data || isPlaceholderData))
    return (
      <div className={surface}>
        <ErrorState title="Failed to fetch forms" hint={errorMessage(error)} onRetry={() => void refetch()} />
      </div>
    )
  if (!data || data.items.length === 0)
    return (
      <div className={surface}>
        {search.type || search.status || search.search || search.cursor ? (
          <EmptyState
            icon={SearchRegular}
            title="No forms match these filters"
            hint="Try another type or status, or part of the patient's name."
            action="Show all forms"
            onAction={onClear}
          />
        ) : (
          <EmptyState
            icon={ClipboardTextLtrRegular}
            title="No forms yet"
            hint={
              canCreate
                ? 'Create one for a patient: fill it in together, or send a link.'
                : 'They appear here once created.'
            }
            {...(canCreate && { action: 'Create Your First Form', onAction: onCreate })}
          />
        )}
      </div>
    )
  return (
    <DataTable
      label="Forms"
      columns={formColumns}
      rows={data.items}
      getId={({ id }) => id}
      getName={formatFormName}
      renderCard={(form) => <FormCard form={form} canFill={canFill(form)} />}
      busy={isFetching && isPlaceholderData}
      paging={{ page: search.page ?? 1, pageSize, total: data.total, onPage }}
      onOpen={onOpen}
      mainAction={{
        width: actionsWidth,
        render: (form, tabIndex) => <OpenFormButton form={form} canFill={canFill(form)} tabIndex={tabIndex} />,
      }}
      actions={(form) => [
        { label: 'Open', icon: OpenRegular, onClick: () => onOpen(form) },
        ...(form.status === 'pending' && canFill(form)
          ? [{ label: 'Fill in', icon: EditRegular, onClick: () => onFill(form) }]
          : []),
        ...(canCreate && isDraft(form)
          ? [{ label: 'Send link to patient', icon: SendRegular, onClick: () => onSendLink(form) }]
          : []),
        { label: 'Open patient', icon: PersonRegular, onClick: () => onOpenPatient(form) },
      ]}
    />
  )
}
