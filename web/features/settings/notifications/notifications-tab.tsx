import { makeStyles, Switch } from '@fluentui/react-components'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { type Control, useController } from 'react-hook-form'
import type { RequestInput } from '#contracts/endpoint.ts'
import {
  changeNotificationPreferences,
  getNotificationPreferences,
  type NotificationChoices,
  type NotificationPreferences,
} from '#contracts/notifications.ts'
import { showsSampleData } from '#contracts/values/tiers.ts'
import { call } from '#web/api/call.ts'
import { fetchNewest } from '#web/api/fetch-newest.ts'
import { useCurrentUser } from '#web/entities/accounts/current-user.ts'
import { notificationKeys } from '#web/entities/notifications/notification-keys.ts'
import { describeTextRecord, pickChangedTexts, type TextValues } from '#web/forms/text-form.ts'
import { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { Panel } from '#web/ui/panel.tsx'
import { SecondaryText, TwoLineCell } from '#web/ui/text.tsx'
import { SectionForm } from '../sections/section-form.tsx'
import { LoadedSection } from '../sections/section-state.tsx'
import { SettingsGrid, SettingsList, SettingsRow } from '../sections/settings-grid.tsx'
import { UnsavedChangesGuard } from '../sections/unsaved-changes.tsx'

const useStyles = makeStyles({
  row: { padding: '4px 0' },
  note: { paddingTop: '12px' },
})

const preferencesQuery = queryOptions({
  queryKey: notificationKeys.preferences,
  queryFn: ({ signal }) => call(getNotificationPreferences, {}, signal),
  staleTime: 0,
})

const switches: readonly { name: keyof NotificationChoices; label: string; hint: string }[] = [
  {
    name: 'appointmentReminders',
    label: 'Appointment Reminders',
    hint: 'Emergencies, cancelled and moved appointments of today, declined appointments, free slots for the waitlist',
  },
  {
    name: 'aiAlerts',
    label: 'AI Alerts',
    hint: 'Urgent findings in forms; insights of high priority in the daily email',
  },
  { name: 'formSubmissions', label: 'Form Submissions', hint: 'Forms that were handed in and wait for a review' },
  { name: 'insuranceUpdates', label: 'Insurance Updates', hint: 'Coverages that were denied or have expired' },
]

const digestLabel = 'Daily email'

const labels: Record<string, string> = {
  ...Object.fromEntries(switches.map(({ name, label }) => [name, label])),
  dailyDigest: digestLabel,
}

const on = 'On'
const toValues = ({ choices }: NotificationPreferences): TextValues =>
  Object.fromEntries(Object.entries(choices).map(([name, isOn]) => [name, isOn ? on : 'Off']))
const toChoices = (changed: TextValues): Partial<NotificationChoices> =>
  Object.fromEntries(Object.entries(changed).map(([name, text]) => [name, text === on]))

/** Tab "Notifications": what the current user receives, and where. */
export function NotificationsTab() {
  return (
    <UnsavedChangesGuard>
      <LoadedSection
        query={useQuery(preferencesQuery)}
        subject="Your notification settings"
        loadingSubject="your notification settings"
        rows={5}
      >
        {(preferences) => <PreferencesForm preferences={preferences} />}
      </LoadedSection>
    </UnsavedChangesGuard>
  )
}

/** Returns the mutation that changes what the current user receives. */
function useUpdatePreferences() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof changeNotificationPreferences>['body']) =>
      call(changeNotificationPreferences, { body }),
    onSuccess: (preferences) => {
      queries.setQueryData(preferencesQuery.queryKey, preferences)
      void queries.invalidateQueries({ queryKey: notificationKeys.list })
    },
  })
}

function PreferencesForm({ preferences }: { preferences: NotificationPreferences }) {
  const styles = useStyles()
  const queries = useQueryClient()
  const user = useCurrentUser()
  const isDemo = !user || showsSampleData(user)
  const change = useUpdatePreferences()
  const form = useConflictForm({
    ...describeTextRecord(preferences, toValues),
    schema: changeNotificationPreferences.body,
    toChange: (before, after) => ({ choices: toChoices(pickChangedTexts(before, after)) }),
    save: (choices, { revision }) => change.mutateAsync({ ...choices, revision }),
    reload: () => fetchNewest(queries, preferencesQuery),
    saved: 'Notification settings saved',
    failed: 'Failed to save the notification settings',
  })
  return (
    <SectionForm form={form} labels={labels} subject="your notification settings" action="Save notifications">
      <SettingsGrid>
        <Panel title="Your notifications">
          <SettingsList label="Your notifications">
            {switches.map(({ name, label, hint }) => (
              <SwitchRow key={name} control={form.control} name={name} label={label} hint={hint} />
            ))}
          </SettingsList>
          <SecondaryText as="p" className={styles.note}>
            Payments and patient imports are always shown to the users who manage them.
          </SecondaryText>
        </Panel>
        <Panel title="Where">
          <SettingsList label="Where">
            <SettingsRow className={styles.row}>
              <TwoLineCell top="In Everchart" bottom="Under the bell, always" strong wrap />
            </SettingsRow>
            <SwitchRow
              control={form.control}
              name="dailyDigest"
              label={digestLabel}
              isDisabled={isDemo}
              hint={
                isDemo
                  ? 'Available once your practice has a plan'
                  : `On mornings when something is unread, to ${user.email}`
              }
            />
          </SettingsList>
          <SecondaryText as="p" className={styles.note}>
            Messages outside Everchart never name a patient. They contain counts, and links.
          </SecondaryText>
          {preferences.delivery === 'outbox' && (
            <SecondaryText as="p" className={styles.note}>
              Email is not set up on this installation: messages stay in its outbox.
            </SecondaryText>
          )}
        </Panel>
      </SettingsGrid>
    </SectionForm>
  )
}

type SwitchRowProps = {
  control: Control<TextValues>
  name: string
  label: string
  hint: string
  isDisabled?: boolean
}

function SwitchRow({ control, name, label, hint, isDisabled = false }: SwitchRowProps) {
  const styles = useStyles()
  const id = useId()
  const {
    field: { ref, value, onChange, onBlur },
  } = useController({ control, name })
  return (
    <SettingsRow className={styles.row}>
      <TwoLineCell top={label} bottom={hint} bottomId={id} strong wrap />
      <Switch
        ref={ref}
        name={name}
        aria-label={label}
        aria-describedby={id}
        disabled={isDisabled}
        checked={value === on}
        onBlur={onBlur}
        onChange={(_, { checked }) => onChange(checked ? on : 'Off')}
      />
    </SettingsRow>
  )
}
