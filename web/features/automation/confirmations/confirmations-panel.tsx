import { Button } from '@fluentui/react-components'
import { ArrowRepeatAllRegular } from '@fluentui/react-icons/svg/arrow-repeat-all'
import { CalendarQuestionMarkRegular } from '@fluentui/react-icons/svg/calendar-question-mark'
import { OpenRegular } from '@fluentui/react-icons/svg/open'
import { PersonRegular } from '@fluentui/react-icons/svg/person'
import { SearchRegular } from '@fluentui/react-icons/svg/search'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Confirmation, ConfirmationConfigReply } from '#contracts/confirmations.ts'
import type { ConfirmationStatus } from '#contracts/values/confirmations.ts'
import { errorMessage } from '#web/api/call.ts'
import { DataTable } from '#web/ui/data-table.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { ErrorState } from '#web/ui/error-state.tsx'
import { FilterSelect } from '#web/ui/filter-bar.tsx'
import { Panel } from '#web/ui/panel.tsx'
import type { MenuAction } from '#web/ui/menu-action.ts'
import { TableSkeleton } from '#web/ui/table-skeleton.tsx'
import { useCursorPages } from '#web/ui/use-cursor-pages.ts'
import { configQuery, confirmationsQuery, pageSize, useResend } from '../api.ts'
import type { AutomationSearch } from '../automation-search.ts'
import {
  actionsWidth,
  ConfirmationCard,
  confirmationSkeletonColumns,
  createConfirmationColumns,
} from './confirmation-columns.tsx'
import { isResendable, methodLabels, statusLabels, timingLabels } from './labels.ts'

const columns = createConfirmationColumns(true)

function describeConfig({ reminderType, reminderTiming }: ConfirmationConfigReply): string {
  const method = reminderType === 'both' ? 'text message and email' : methodLabels[reminderType].toLowerCase()
  return `asked ${timingLabels[reminderTiming]}, by ${method}`
}

/** The questions to patients whether their appointments suit, latest appointment first (spec page 2, section 2.10). */
export function ConfirmationsPanel({ search }: { search: AutomationSearch }) {
  const navigate = useNavigate()
  const { data: config } = useQuery(configQuery)
  const show = (status: ConfirmationStatus | undefined) =>
    void navigate({
      to: '/automation',
      search: { tab: 'appointments', ...(status ? { status } : {}) },
      replace: true,
    })
  return (
    <Panel
      title="Recent Confirmations"
      note={config && describeConfig(config)}
      flush
      action={
        <FilterSelect
          label="Status of the confirmation"
          all="All statuses"
          value={search.status}
          labels={statusLabels}
          onChoose={show}
          isNatural
        />
      }
    >
      <ConfirmationsList search={search} onClear={() => show(undefined)} />
    </Panel>
  )
}

type ConfirmationsListProps = { search: AutomationSearch; onClear: () => void }

/** The list with its states loading, failed and empty. */
function ConfirmationsList({ search, onClear }: ConfirmationsListProps) {
  const navigate = useNavigate()
  const { resend, resendingId } = useResend()
  const { data, error, isPending, isFetching, isPlaceholderData, refetch } = useQuery(confirmationsQuery(search))
  const filters: AutomationSearch = { tab: 'appointments', ...(search.status ? { status: search.status } : {}) }
  const openPage = useCursorPages(
    filters,
    search,
    data?.next,
    (place) => void navigate({ to: '/automation', search: { ...filters, ...place } }),
  )
  if (isPending) return <TableSkeleton label="Loading confirmations" rows={5} columns={confirmationSkeletonColumns} />
  if (error && (!data || isPlaceholderData))
    return (
      <ErrorState title="Failed to fetch confirmations" hint={errorMessage(error)} onRetry={() => void refetch()} />
    )
  if (!data || data.items.length === 0)
    return search.status || search.cursor ? (
      <EmptyState
        icon={SearchRegular}
        title="No confirmations with this status"
        action="Show all confirmations"
        onAction={onClear}
      />
    ) : (
      <EmptyState
        icon={CalendarQuestionMarkRegular}
        title="No confirmations yet"
        hint="Patients are asked about their appointments automatically, at the time that the settings say."
      />
    )
  const open = ({ id }: Confirmation) => void navigate({ to: '/automation', search: { ...search, confirmation: id } })
  const listActions = (confirmation: Confirmation): MenuAction[] => [
    { label: 'Open', icon: OpenRegular, onClick: () => open(confirmation) },
    ...(isResendable(confirmation)
      ? [{ label: 'Resend', icon: ArrowRepeatAllRegular, onClick: () => resend(confirmation) }]
      : []),
    {
      label: 'Open patient',
      icon: PersonRegular,
      onClick: () => void navigate({ to: '/patients/$patientId', params: { patientId: confirmation.patientId } }),
    },
  ]
  return (
    <DataTable
      label="Confirmations"
      columns={columns}
      rows={data.items}
      getId={({ id }) => id}
      getName={({ patientName }) => patientName}
      renderCard={(confirmation) => <ConfirmationCard confirmation={confirmation} isLinked />}
      busy={isFetching && isPlaceholderData}
      current={search.confirmation}
      paging={{ page: search.page ?? 1, pageSize, total: data.total, onPage: openPage }}
      onOpen={open}
      actions={listActions}
      mainAction={{
        width: actionsWidth,
        render: (confirmation, tabIndex) =>
          isResendable(confirmation) && (
            <Button
              size="small"
              icon={<ArrowRepeatAllRegular />}
              tabIndex={tabIndex}
              aria-label={`Resend to ${confirmation.patientName}`}
              disabledFocusable={resendingId === confirmation.id}
              onClick={() => resend(confirmation)}
            >
              Resend
            </Button>
          ),
      }}
      isNested
    />
  )
}
