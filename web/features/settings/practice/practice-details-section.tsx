import { Field, Input, makeStyles, Text } from '@fluentui/react-components'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { PracticeChange } from '#contracts/practice-settings.ts'
import type { Practice } from '#contracts/practices.ts'
import { practiceQuery } from '#web/entities/practices/practice-query.ts'
import { useHasPermission } from '#web/entities/accounts/current-user.ts'
import { describeTextRecord, pickChangedTexts, type TextValues } from '#web/forms/text-form.ts'
import { useConflictForm } from '#web/forms/use-conflict-form.ts'
import { Panel } from '#web/ui/panel.tsx'
import { TextField } from '#web/forms/text-field.tsx'
import { SecondaryText } from '#web/ui/text.tsx'
import { useUpdatePractice } from '../api.ts'
import { SectionForm } from '../sections/section-form.tsx'
import { LoadedSection } from '../sections/section-state.tsx'
import { SettingsFields } from '../sections/settings-grid.tsx'

const useStyles = makeStyles({
  detail: { display: 'grid', rowGap: '2px' },
  value: { margin: 0, overflowWrap: 'anywhere' },
})

const fieldLabels = {
  name: 'Practice name',
  address: 'Address',
  phone: 'Phone',
  email: 'Email',
  npi: 'NPI',
  website: 'Website',
}

const formatTimeZone = ({ timezone }: Practice) => timezone.replaceAll('_', ' ')

/** Name and contact details of the practice. */
export function PracticeDetailsSection({ practiceId }: { practiceId: string }) {
  const query = useQuery(practiceQuery(practiceId))
  const canEdit = useHasPermission('settings')
  const Content = canEdit ? DetailsForm : ReadOnlyDetails
  return (
    <Panel
      title="Practice"
      note={canEdit ? 'On reminders, forms and invoices' : 'Only the owner and administrators can change it'}
    >
      <LoadedSection query={query} subject="The practice" loadingSubject="the practice" rows={4}>
        {(practice) => <Content practice={practice} />}
      </LoadedSection>
    </Panel>
  )
}

function ReadOnlyDetails({ practice }: { practice: Practice }) {
  const styles = useStyles()
  const facts = [
    ...Object.entries(fieldLabels).map(([field, word]) => [word, practice[field as keyof typeof fieldLabels]] as const),
    ['Time zone', formatTimeZone(practice)] as const,
  ]
  return (
    <SettingsFields as="dl">
      {facts.map(([label, value]) => (
        <div key={label} className={styles.detail}>
          <dt>
            <SecondaryText>{label}</SecondaryText>
          </dt>
          <dd className={styles.value}>
            <Text>{value ?? 'Not provided'}</Text>
          </dd>
        </div>
      ))}
    </SettingsFields>
  )
}

const toValues = ({ name, address, phone, email, npi, website }: Practice): TextValues => ({
  name,
  address,
  phone,
  email,
  npi: npi ?? '',
  website: website ?? '',
})

function DetailsForm({ practice }: { practice: Practice }) {
  const queries = useQueryClient()
  const change = useUpdatePractice()
  const params = { practiceId: practice.id }
  const form = useConflictForm({
    ...describeTextRecord(practice, toValues),
    schema: PracticeChange,
    toChange: pickChangedTexts,
    save: (changed, { revision }) => change.mutateAsync({ params, body: { ...changed, revision } }),
    reload: () => queries.fetchQuery({ ...practiceQuery(practice.id), staleTime: 0 }),
    saved: 'Practice settings saved',
    failed: 'Failed to save practice settings',
  })
  const { control } = form
  return (
    <SectionForm form={form} labels={fieldLabels} subject="the practice" action="Save practice">
      <SettingsFields>
        <TextField
          size="medium"
          control={control}
          name="name"
          label={fieldLabels.name}
          className="wide"
          autoComplete="organization"
          required
        />
        <TextField
          size="medium"
          control={control}
          name="address"
          label={fieldLabels.address}
          className="wide"
          autoComplete="street-address"
          required
        />
        <TextField
          size="medium"
          control={control}
          name="phone"
          label={fieldLabels.phone}
          type="tel"
          autoComplete="tel"
          required
        />
        <TextField
          size="medium"
          control={control}
          name="email"
          label={fieldLabels.email}
          type="email"
          autoComplete="email"
          required
        />
        <TextField
          size="medium"
          control={control}
          name="npi"
          label={fieldLabels.npi}
          inputMode="numeric"
          autoComplete="off"
        />
        <TextField
          size="medium"
          control={control}
          name="website"
          label={fieldLabels.website}
          type="url"
          placeholder="https://"
          autoComplete="url"
        />
        <Field label="Time zone" className="wide" hint="Used for schedules, slots and reminders. Chosen during setup.">
          <Input readOnly value={formatTimeZone(practice)} />
        </Field>
      </SettingsFields>
    </SectionForm>
  )
}
