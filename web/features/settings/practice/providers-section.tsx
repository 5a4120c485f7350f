import { Button, makeStyles, Text } from '@fluentui/react-components'
import {
  AddRegular,
  PersonAvailableRegular,
  CalendarLtrRegular,
  EditRegular,
  PersonProhibitedRegular,
  PersonAddRegular,
} from '@fluentui/react-icons'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { z } from 'zod'
import type { Provider } from '#contracts/providers.ts'
import { toLocalDate } from '#contracts/values/calendar.ts'
import { ApiProblem, errorMessage } from '#web/api/call.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LinkButton } from '#web/ui/link-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { AddProviderDialog, EditProviderDialog, ProviderDot } from '#web/entities/providers/provider-dialog.tsx'
import { providersQuery, useUpdateProvider } from '#web/entities/providers/providers.ts'
import { RowMenu } from '#web/ui/row-menu.tsx'
import { useNotify } from '#web/ui/toasts.tsx'
import { TwoLineCell } from '#web/ui/text.tsx'
import { SectionError, SectionLoading } from '../sections/section-state.tsx'
import { SettingsList, SettingsRow } from '../sections/settings-grid.tsx'

const useStyles = makeStyles({
  row: { gridTemplateColumns: '12px minmax(0, 1fr) auto', columnGap: '12px' },
  gone: { opacity: 0.5 },
})

/** Those who see patients: who they are, what they wear on screen, and whether they still do. */
export function ProvidersSection({ practiceId }: { practiceId: string }) {
  const zone = useQuery(practiceQuery(practiceId)).data?.timezone ?? 'UTC'
  const { data, error, refetch } = useQuery(providersQuery)
  const mayChange = useHasPermission('settings')
  const [adding, add] = useState(false)
  return (
    <Panel
      title="Providers"
      note={mayChange ? 'Who sees patients' : 'The owner and administrators change them'}
      action={
        mayChange && (
          <Button icon={<AddRegular />} onClick={() => add(true)}>
            Add provider
          </Button>
        )
      }
    >
      {data?.length === 0 ? (
        <EmptyState icon={PersonAddRegular} title="Nobody sees patients yet" hint="Add the first provider." />
      ) : data ? (
        <Providers providers={data} zone={zone} mayChange={mayChange} />
      ) : error ? (
        <SectionError what="Providers" error={error} onRetry={() => void refetch()} />
      ) : (
        <SectionLoading rows={2} what="the providers" />
      )}
      {adding && <AddProviderDialog onClose={() => add(false)} onAdded={() => add(false)} />}
    </Panel>
  )
}

type ProvidersProps = { providers: readonly Provider[]; zone: string; mayChange: boolean }

function Providers({ providers, zone, mayChange }: ProvidersProps) {
  const styles = useStyles()
  const notify = useNotify()
  const change = useUpdateProvider()
  const [editing, edit] = useState<Provider | null>(null)
  const [leaving, leave] = useState<Provider | null>(null)
  const reactivate = async (provider: Provider) => {
    try {
      await change.mutateAsync({ id: provider.id, body: { active: true } })
      notify({ title: 'Provider active again', body: provider.name })
    } catch (error) {
      notify({ title: 'Failed to update provider', body: errorMessage(error), intent: 'error' })
    }
  }
  const actionsOf = (provider: Provider) => [
    { label: 'Edit', icon: EditRegular, onClick: () => edit(provider) },
    provider.active
      ? { label: 'Deactivate', icon: PersonProhibitedRegular, danger: true, onClick: () => leave(provider) }
      : { label: 'Make active again', icon: PersonAvailableRegular, onClick: () => void reactivate(provider) },
  ]
  // Those who left stand below: their past appointments keep a name.
  const shown = providers.toSorted((a, b) => Number(b.active) - Number(a.active))
  return (
    <>
      <SettingsList label="Providers">
        {shown.map((provider) => (
          <SettingsRow key={provider.id} className={styles.row}>
            <ProviderDot colour={provider.colour} {...(provider.active ? {} : { className: styles.gone })} />
            <TwoLineCell
              top={provider.name}
              bottom={[provider.title, provider.active ? null : 'Sees no patients any more'].filter(Boolean).join(', ')}
              strong={provider.active}
            />
            {mayChange && <RowMenu name={provider.name} actions={actionsOf(provider)} />}
          </SettingsRow>
        ))}
      </SettingsList>
      {editing && <EditProviderDialog provider={editing} onClose={() => edit(null)} />}
      {leaving && <LeaveDialog provider={leaving} zone={zone} onClose={() => leave(null)} />}
    </>
  )
}

const Coming = z.object({ appointments: z.number(), next: z.string().nullable() })

/** The appointments that keep somebody from leaving; null when it was refused for another reason. */
const comingIn = (error: unknown) =>
  error instanceof ApiProblem && error.code === 'upcoming-appointments'
    ? (Coming.safeParse(error.problem).data ?? null)
    : null

/** An instant on the practice's calendar and clocks. */
const momentIn = (timeZone: string, instant: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(new Date(instant))

/** The appointments that stand in the way, in plain words. */
function describeUpcomingAppointments({ appointments, next }: z.infer<typeof Coming>, zone: string): string {
  const on = next && momentIn(zone, next)
  if (appointments === 1) return on ? `It is on ${on}. Move or cancel it first.` : 'Move or cancel it first.'
  return on ? `The first is on ${on}. Move or cancel them first.` : 'Move or cancel them first.'
}

/** Why somebody cannot leave, where it is not for their appointments. */
const describeDeactivationError = (error: unknown, { name }: Provider): string =>
  error instanceof ApiProblem && error.code === 'last-provider'
    ? `${name} is the only one who sees patients. Add somebody else first.`
    : errorMessage(error)

type LeaveDialogProps = { provider: Provider; zone: string; onClose: () => void }

function LeaveDialog({ provider, zone, onClose }: LeaveDialogProps) {
  const notify = useNotify()
  const change = useUpdateProvider()
  const coming = comingIn(change.error)
  const confirm = async () => {
    try {
      await change.mutateAsync({ id: provider.id, body: { active: false } })
      notify({ title: 'Provider deactivated', body: provider.name })
      onClose()
    } catch {
      // The dialog says why and stays.
    }
  }
  return (
    <ConfirmDialog
      open
      title={`Deactivate ${provider.name}?`}
      action="Deactivate"
      pendingAction="Deactivating..."
      pending={change.isPending}
      failure={change.error && !coming ? describeDeactivationError(change.error, provider) : null}
      danger
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <Text>
        Nobody can be booked with them any more. Their past appointments stay, and they can be made active again.
      </Text>
      {coming && (
        <Notice
          tone="waiting"
          icon={CalendarLtrRegular}
          title={`${provider.name} has ${coming.appointments === 1 ? '1 coming appointment' : `${coming.appointments} coming appointments`}`}
          role="alert"
          actions={
            coming.next && (
              <LinkButton
                to="/appointments"
                search={{ date: toLocalDate(coming.next, zone), provider: provider.id }}
                size="small"
              >
                {coming.appointments === 1 ? 'Open the appointment' : 'Open the first'}
              </LinkButton>
            )
          }
        >
          <Text>{describeUpcomingAppointments(coming, zone)}</Text>
        </Notice>
      )}
    </ConfirmDialog>
  )
}
