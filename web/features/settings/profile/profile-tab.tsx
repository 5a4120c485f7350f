import { Field, Input } from '@fluentui/react-components'
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RequestInput } from '#contracts/endpoint.ts'
import { changeProfile, getProfile, type Profile, ProfileChange } from '#contracts/profile.ts'
import { call } from '#web/api/call.ts'
import { fetchNewest } from '#web/api/fetch-newest.ts'
import { refreshCurrentUser } from '#web/entities/accounts/current-user.ts'
import { formatRole } from '#web/entities/accounts/format-role.ts'
import { TextField } from '#web/forms/text-field.tsx'
import { describeTextRecord, pickChangedTexts, type TextValues } from '#web/forms/text-form.ts'
import { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { Panel } from '#web/ui/panel.tsx'
import { SectionForm } from '../sections/section-form.tsx'
import { LoadedSection } from '../sections/section-state.tsx'
import { SettingsFields, SettingsGrid } from '../sections/settings-grid.tsx'
import { UnsavedChangesGuard } from '../sections/unsaved-changes.tsx'
import { profileKey } from './profile-keys.ts'

const profileQuery = queryOptions({
  queryKey: profileKey,
  queryFn: ({ signal }) => call(getProfile, {}, signal),
  staleTime: 0,
})

const labels = { firstName: 'First name', lastName: 'Last name', username: 'Username' }

const toValues = ({ firstName, lastName, username }: Profile): TextValues => ({ firstName, lastName, username })

/** Tab "Profile": the name and the username of the signed-in user, with the role and the e-mail address. */
export function ProfileTab() {
  return (
    <UnsavedChangesGuard>
      <SettingsGrid>
        <Panel title="Profile" note="Shown to your team">
          <LoadedSection query={useQuery(profileQuery)} subject="Your profile" loadingSubject="your profile" rows={3}>
            {(profile) => <ProfileForm profile={profile} />}
          </LoadedSection>
        </Panel>
      </SettingsGrid>
    </UnsavedChangesGuard>
  )
}

/** Returns the mutation that changes the profile; the sidebar shows the new name at once. */
function useUpdateProfile() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: RequestInput<typeof changeProfile>['body']) => call(changeProfile, { body }),
    onSuccess: async (profile) => {
      queries.setQueryData(profileQuery.queryKey, profile)
      await refreshCurrentUser(queries)
    },
  })
}

function ProfileForm({ profile }: { profile: Profile }) {
  const queries = useQueryClient()
  const change = useUpdateProfile()
  const form = useConflictForm({
    ...describeTextRecord(profile, toValues),
    schema: ProfileChange,
    toChange: pickChangedTexts,
    save: (changed, { revision }) => change.mutateAsync({ ...changed, revision }),
    reload: () => fetchNewest(queries, profileQuery),
    saved: 'Profile saved',
    failed: 'Failed to save your profile',
  })
  const { control } = form
  return (
    <SectionForm form={form} labels={labels} subject="your profile" action="Save profile">
      <SettingsFields>
        <TextField
          size="medium"
          control={control}
          name="firstName"
          label={labels.firstName}
          autoComplete="given-name"
          required
        />
        <TextField
          size="medium"
          control={control}
          name="lastName"
          label={labels.lastName}
          autoComplete="family-name"
          required
        />
        <TextField
          size="medium"
          control={control}
          name="username"
          label={labels.username}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <Field label="Role" hint={profile.isOwner ? 'You also own the practice' : 'Changed by an administrator'}>
          <Input readOnly value={formatRole(profile.role)} />
        </Field>
        <Field label="Email" hint="You sign in with it" className="wide">
          <Input readOnly type="email" value={profile.email} />
        </Field>
      </SettingsFields>
    </SectionForm>
  )
}
