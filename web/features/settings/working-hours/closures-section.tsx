import { Button, makeStyles, Text, tokens } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { CalendarCancelRegular } from '@fluentui/react-icons/svg/calendar-cancel'
import { DeleteRegular } from '@fluentui/react-icons/svg/delete'
import { EditRegular } from '@fluentui/react-icons/svg/edit'
import { WarningRegular } from '@fluentui/react-icons/svg/warning'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BookedClosure } from '#contracts/working-hours.ts'
import type { Provider } from '#contracts/providers.ts'
import { errorMessage } from '#web/api/call.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { providersQuery } from '#web/entities/providers/providers.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { RowMenu } from '#web/ui/action-menu.tsx'
import { TwoLineCell } from '#web/ui/text.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { LoadedSection, SectionForbidden } from '../sections/section-state.tsx'
import { SettingsList, SettingsRow } from '../sections/settings-grid.tsx'
import { EditClosureDialog, NewClosureDialog } from './closure-dialog.tsx'
import { type ClosureKind, closureLabels, describeBooked, formatDates } from './closure-labels.ts'
import { closuresQuery, useRemoveClosure } from './working-hours-api.ts'

const useStyles = makeStyles({
  row: { padding: '8px 0', boxSizing: 'border-box' },
  booked: {
    gridColumn: '1 / -1',
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    columnGap: '8px',
    rowGap: '4px',
    color: tokens.colorStatusWarningForeground1,
  },
  icon: { flexShrink: 0 },
})

/** Days on which the whole practice is closed. */
export const HolidaysSection = () => <ClosuresSection kind="holiday" />

/** Days on which single providers are off. */
export const DaysOffSection = () => <ClosuresSection kind="day-off" />

function ClosuresSection({ kind }: { kind: ClosureKind }) {
  const labels = closureLabels[kind]
  const canEdit = useHasPermission('settings')
  const [isAdding, setIsAdding] = useState(false)
  const closures = useQuery({ ...closuresQuery, enabled: canEdit })
  const providers = useQuery(providersQuery)
  const query = {
    data: closures.data && providers.data && { closures: closures.data, providers: providers.data },
    error: closures.data ? providers.error : (closures.error ?? providers.error),
    refetch: () => Promise.all([closures.refetch(), providers.refetch()]),
  }
  return (
    <Panel
      title={labels.title}
      note={labels.note}
      action={
        canEdit &&
        query.data && (
          <Button icon={<AddRegular />} onClick={() => setIsAdding(true)}>
            {labels.add}
          </Button>
        )
      }
    >
      {canEdit ? (
        <LoadedSection query={query} subject={labels.title} loadingSubject={labels.subject} rows={2}>
          {(loaded) => <Closures kind={kind} {...loaded} />}
        </LoadedSection>
      ) : (
        <SectionForbidden subject={labels.title} />
      )}
      {isAdding && query.data && (
        <NewClosureDialog kind={kind} providers={query.data.providers} onClose={() => setIsAdding(false)} />
      )}
    </Panel>
  )
}

type ClosuresProps = { kind: ClosureKind; closures: readonly BookedClosure[]; providers: readonly Provider[] }

function Closures({ kind, closures, providers }: ClosuresProps) {
  const styles = useStyles()
  const [closureToEdit, setClosureToEdit] = useState<BookedClosure | null>(null)
  const [closureToRemove, setClosureToRemove] = useState<BookedClosure | null>(null)
  const labels = closureLabels[kind]
  const listed = closures.filter(({ providerId }) => (providerId === null) === (kind === 'holiday'))
  const findTitle = ({ providerId, name }: BookedClosure) =>
    providerId === null ? (name ?? '') : (providers.find(({ id }) => id === providerId)?.name ?? 'Provider')
  return (
    <>
      {listed.length === 0 ? (
        <EmptyState icon={CalendarCancelRegular} title={labels.empty} hint={labels.hint} />
      ) : (
        <SettingsList label={labels.title}>
          {listed.map((closure) => (
            <SettingsRow key={closure.id} className={styles.row}>
              <TwoLineCell
                top={findTitle(closure)}
                bottom={[formatDates(closure), closure.providerId === null ? null : closure.name]
                  .filter(Boolean)
                  .join(', ')}
                strong
                wrap
              />
              <RowMenu
                name={`${findTitle(closure)}, ${formatDates(closure)}`}
                actions={[
                  { label: 'Edit', icon: EditRegular, onClick: () => setClosureToEdit(closure) },
                  { label: 'Remove', icon: DeleteRegular, danger: true, onClick: () => setClosureToRemove(closure) },
                ]}
              />
              <BookedAppointments closure={closure} />
            </SettingsRow>
          ))}
        </SettingsList>
      )}
      {closureToEdit && (
        <EditClosureDialog
          title={`Edit ${findTitle(closureToEdit)}`}
          closure={closureToEdit}
          onClose={() => setClosureToEdit(null)}
        />
      )}
      {closureToRemove && (
        <RemoveDialog
          kind={kind}
          title={`Remove ${findTitle(closureToRemove)}?`}
          closure={closureToRemove}
          onClose={() => setClosureToRemove(null)}
        />
      )}
    </>
  )
}

/** Appointments that are still booked on the days of a closure, with a link to the first. */
function BookedAppointments({ closure }: { closure: BookedClosure }) {
  const styles = useStyles()
  const { appointments, firstDate, providerId } = closure
  if (firstDate === null) return null
  return (
    <span className={styles.booked}>
      <WarningRegular aria-hidden className={styles.icon} />
      <Text>{describeBooked(appointments)}</Text>
      <LinkButton to="/appointments" search={{ date: firstDate, provider: providerId ?? 'all' }} size="small">
        {appointments === 1 ? 'Open the day' : 'Open the first day'}
      </LinkButton>
    </span>
  )
}

type RemoveDialogProps = { kind: ClosureKind; title: string; closure: BookedClosure; onClose: () => void }

function RemoveDialog({ kind, title, closure, onClose }: RemoveDialogProps) {
  const notify = useNotify()
  const remove = useRemoveClosure()
  const confirm = async () => {
    try {
      await remove.mutateAsync(closure.id)
      notify({ title: closureLabels[kind].removed })
      onClose()
    } catch {
      // The dialog stays open and shows the error.
    }
  }
  return (
    <ConfirmDialog
      open
      title={title}
      action="Remove"
      pendingAction="Removing..."
      pending={remove.isPending}
      failure={remove.error ? errorMessage(remove.error) : null}
      danger
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>{formatDates(closure)}: appointments can be booked again without a question.</Text>
    </ConfirmDialog>
  )
}
