import { Button, makeStyles, Text } from '@fluentui/react-components'
import { AddRegular } from '@fluentui/react-icons/svg/add'
import { PersonAvailableRegular } from '@fluentui/react-icons/svg/person-available'
import { CalendarLtrRegular } from '@fluentui/react-icons/svg/calendar-ltr'
import { EditRegular } from '@fluentui/react-icons/svg/edit'
import { PersonProhibitedRegular } from '@fluentui/react-icons/svg/person-prohibited'
import { PersonAddRegular } from '@fluentui/react-icons/svg/person-add'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import type { Provider } from '#contracts/providers.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { ColourDot } from '#web/ui/colour-dot.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { parsePlanRefusal, PlanNotice } from '#web/entities/billing/plan-notice.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { AddProviderDialog, EditProviderDialog } from '#web/entities/providers/provider-dialog.tsx'
import { describeSeats } from '#web/entities/providers/describe-seats.ts'
import { providerSeatsQuery, providersQuery, useUpdateProvider } from '#web/entities/providers/providers.ts'
import { RowMenu } from '#web/ui/action-menu.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { TwoLineCell } from '#web/ui/text.tsx'
import { LoadedSection } from '../sections/section-state.tsx'
import { SettingsList, SettingsRow } from '../sections/settings-grid.tsx'

const useStyles = makeStyles({
  row: { gridTemplateColumns: '12px minmax(0, 1fr) auto', columnGap: '12px' },
  inactive: { opacity: 0.5 },
})

/** Providers of the practice, active ones first. */
export function ProvidersSection({ practiceId }: { practiceId: string }) {
  const zone = useQuery(practiceQuery(practiceId)).data?.timezone ?? 'UTC'
  const query = useQuery(providersQuery)
  const { data: seats } = useQuery(providerSeatsQuery)
  const canEdit = useHasPermission('settings')
  const [isAdding, setIsAdding] = useState(false)
  return (
    <Panel
      title="Providers"
      note={
        canEdit
          ? `Who sees patients${seats ? `: ${describeSeats(seats)}` : ''}`
          : 'Only the owner and administrators can change them'
      }
      action={
        canEdit && (
          <Button icon={<AddRegular />} onClick={() => setIsAdding(true)}>
            Add provider
          </Button>
        )
      }
    >
      <LoadedSection query={query} subject="Providers" loadingSubject="the providers" rows={2}>
        {(providers) =>
          providers.length === 0 ? (
            <EmptyState icon={PersonAddRegular} title="No providers yet" hint="Add the first provider." />
          ) : (
            <Providers providers={providers} zone={zone} canEdit={canEdit} />
          )
        }
      </LoadedSection>
      {isAdding && <AddProviderDialog onClose={() => setIsAdding(false)} onAdded={() => setIsAdding(false)} />}
    </Panel>
  )
}

type ProvidersProps = { providers: readonly Provider[]; zone: string; canEdit: boolean }

function Providers({ providers, zone, canEdit }: ProvidersProps) {
  const styles = useStyles()
  const notify = useNotify()
  const change = useUpdateProvider()
  const [providerToEdit, setProviderToEdit] = useState<Provider | null>(null)
  const [providerToDeactivate, setProviderToDeactivate] = useState<Provider | null>(null)
  const refusal = parsePlanRefusal(change.error)
  const reactivate = async (provider: Provider) => {
    try {
      await change.mutateAsync({ id: provider.id, body: { active: true } })
      notify({ title: 'Provider reactivated', body: provider.name })
    } catch (error) {
      if (parsePlanRefusal(error)) return
      notify({ title: 'Failed to update provider', body: errorMessage(error), intent: 'error' })
    }
  }
  const getActions = (provider: Provider) => [
    { label: 'Edit', icon: EditRegular, onClick: () => setProviderToEdit(provider) },
    provider.active
      ? {
          label: 'Deactivate',
          icon: PersonProhibitedRegular,
          danger: true,
          onClick: () => setProviderToDeactivate(provider),
        }
      : { label: 'Reactivate', icon: PersonAvailableRegular, onClick: () => void reactivate(provider) },
  ]
  // Inactive providers are listed last; their past appointments still show their names.
  const sorted = providers.toSorted((a, b) => Number(b.active) - Number(a.active))
  return (
    <>
      {refusal && <PlanNotice refusal={refusal} />}
      <SettingsList label="Providers">
        {sorted.map((provider) => (
          <SettingsRow key={provider.id} className={styles.row}>
            <ColourDot colour={provider.colour} {...(provider.active ? {} : { className: styles.inactive })} />
            <TwoLineCell
              top={provider.name}
              bottom={[provider.title, provider.active ? null : 'No longer sees patients'].filter(Boolean).join(', ')}
              strong={provider.active}
            />
            {canEdit && <RowMenu name={provider.name} actions={getActions(provider)} />}
          </SettingsRow>
        ))}
      </SettingsList>
      {providerToEdit && <EditProviderDialog provider={providerToEdit} onClose={() => setProviderToEdit(null)} />}
      {providerToDeactivate && (
        <DeactivateProviderDialog
          provider={providerToDeactivate}
          zone={zone}
          onClose={() => setProviderToDeactivate(null)}
        />
      )}
    </>
  )
}

const UpcomingAppointments = z.object({ appointments: z.number(), next: z.string().nullable() })

/** Returns the upcoming appointments that prevent a deactivation; null for any other error. */
const parseUpcomingAppointments = (error: unknown) =>
  error instanceof ApiProblem && error.code === 'upcoming-appointments'
    ? (UpcomingAppointments.safeParse(error.problem).data ?? null)
    : null

/** Formats an instant in the practice's time zone. */
const formatInstant = (timeZone: string, instant: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(instant))

/** Describes the upcoming appointments that prevent a deactivation. */
function describeUpcomingAppointments(
  { appointments, next }: z.infer<typeof UpcomingAppointments>,
  zone: string,
): string {
  const date = next && formatInstant(zone, next)
  if (appointments === 1) return date ? `It is on ${date}. Move or cancel it first.` : 'Move or cancel it first.'
  return date ? `The first is on ${date}. Move or cancel them first.` : 'Move or cancel them first.'
}

/** Returns why a provider cannot be deactivated, for reasons other than upcoming appointments. */
const describeDeactivationError = (error: unknown, { name }: Provider): string =>
  error instanceof ApiProblem && error.code === 'last-provider'
    ? `${name} is the only provider. Add another provider first.`
    : errorMessage(error)

type DeactivateProviderDialogProps = { provider: Provider; zone: string; onClose: () => void }

function DeactivateProviderDialog({ provider, zone, onClose }: DeactivateProviderDialogProps) {
  const notify = useNotify()
  const change = useUpdateProvider()
  const upcoming = parseUpcomingAppointments(change.error)
  const confirm = async () => {
    try {
      await change.mutateAsync({ id: provider.id, body: { active: false } })
      notify({ title: 'Provider deactivated', body: provider.name })
      onClose()
    } catch {
      // The dialog stays open and shows the reason.
    }
  }
  return (
    <ConfirmDialog
      open
      title={`Deactivate ${provider.name}?`}
      action="Deactivate"
      pendingAction="Deactivating..."
      pending={change.isPending}
      failure={change.error && !upcoming ? describeDeactivationError(change.error, provider) : null}
      danger
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>
        Patients can no longer be booked with this provider. Past appointments stay, and you can reactivate the provider
        later.
      </Text>
      {upcoming && (
        <Notice
          tone="warning"
          icon={CalendarLtrRegular}
          title={`${provider.name} has ${upcoming.appointments === 1 ? '1 upcoming appointment' : `${upcoming.appointments} upcoming appointments`}`}
          role="alert"
          actions={
            upcoming.next && (
              <LinkButton
                to="/appointments"
                search={{ date: toLocalDate(upcoming.next, zone), provider: provider.id }}
                size="small"
              >
                {upcoming.appointments === 1 ? 'Open the appointment' : 'Open the first'}
              </LinkButton>
            )
          }
        >
          <Text>{describeUpcomingAppointments(upcoming, zone)}</Text>
        </Notice>
      )}
    </ConfirmDialog>
  )
}
